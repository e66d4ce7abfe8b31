#include "server/runtime/id_generator.h"

#include <algorithm>
#include <set>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace server {
namespace {

constexpr std::int64_t kNow = 1'796'083'200'000;  // 2026-12-01.

TEST(IdGeneratorTest, IdsAre16CapitalsAndDigits) {
  IdGenerator ids;
  const std::string id = ids.Next(kNow);
  EXPECT_EQ(id.size(), 16u);
  EXPECT_TRUE(std::ranges::all_of(id, [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z');
  })) << id;
}

TEST(IdGeneratorTest, IdsOfOneThreadAscendEvenIfTheClockGoesBack) {
  IdGenerator ids;
  std::string last;
  for (int i = 0; i < 10'000; ++i) {
    const std::string id = ids.Next(kNow + (i % 7) * 1'000 - i);
    EXPECT_LT(last, id);
    last = id;
  }
}

TEST(IdGeneratorTest, ATimeBeforeTheEpochIsNoTrouble) {
  IdGenerator ids;
  std::string first;
  std::string second;
  std::thread([&] { first = ids.Next(-1); }).join();
  std::thread([&] { second = ids.Next(-1); }).join();
  EXPECT_EQ(first.size(), 16u);
  EXPECT_NE(first, second);
}

TEST(IdGeneratorTest, ThreadsDoNotMeet) {
  IdGenerator ids;
  std::vector<std::vector<std::string>> made(4);
  std::vector<std::thread> threads;
  for (auto& mine : made) {
    threads.emplace_back([&] {
      for (int i = 0; i < 10'000; ++i) mine.push_back(ids.Next(kNow));
    });
  }
  for (std::thread& thread : threads) thread.join();
  std::set<std::string> all;
  for (const auto& mine : made) all.insert(mine.begin(), mine.end());
  EXPECT_EQ(all.size(), 40'000u);
}

}  // namespace
}  // namespace server
