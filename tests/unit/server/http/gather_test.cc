#include "server/http/gather.h"

#include <random>

#include <gtest/gtest.h>

#include "server/http/limits.h"

namespace server {
namespace {

struct Sent {
  std::string bytes;
  std::size_t rounds = 0;
  std::size_t max_buffers = 0;
};

// Sends as a socket would that takes `at_most` bytes a call.
Sent SendAll(Gather* gather, std::size_t at_most) {
  Sent sent;
  for (auto buffers = gather->Buffers(); !buffers.empty(); buffers = gather->Buffers()) {
    sent.max_buffers = std::max(sent.max_buffers, buffers.size());
    ++sent.rounds;
    std::size_t taken = 0;
    for (const auto& buffer : buffers) {
      const std::size_t part = std::min(buffer.size(), at_most - taken);
      sent.bytes.append(static_cast<const char*>(buffer.data()), part);
      taken += part;
      if (taken == at_most) break;
    }
    gather->Advance(taken);
  }
  return sent;
}

Body BodyOf(const std::vector<std::size_t>& sizes) {
  Body body;
  char c = 'a';
  for (const std::size_t size : sizes) {
    body.Append(std::string(size, c));
    c = c == 'z' ? 'a' : static_cast<char>(c + 1);
  }
  return body;
}

TEST(GatherTest, AHeadAlone) {
  Gather gather;
  *gather.Start() = "head";
  EXPECT_EQ(SendAll(&gather, 1'000).bytes, "head");
}

TEST(GatherTest, SmallPiecesGoWithTheHeadInOneBuffer) {
  Gather gather;
  const Body body = BodyOf({10, 20, 30});
  *gather.Start() = "head";
  gather.SetBody(&body);
  const Sent sent = SendAll(&gather, 1'000);
  EXPECT_EQ(sent.bytes, "head" + body.Flatten());
  EXPECT_EQ(sent.max_buffers, 1u);
}

TEST(GatherTest, LargePiecesAreNotCopied) {
  Gather gather;
  const Body body = BodyOf({10, 5'000, 10});
  *gather.Start() = "head";
  gather.SetBody(&body);
  const auto buffers = gather.Buffers();
  ASSERT_EQ(buffers.size(), 3u);
  EXPECT_EQ(buffers[1].data(), body.Pieces()[1].bytes.data());
}

TEST(GatherTest, AnyBodyArrivesWholeHoweverLittleTheSocketTakes) {
  std::mt19937 random(1);
  Gather gather;  // Reused, as a connection does.
  for (int round = 0; round < 50; ++round) {
    std::vector<std::size_t> sizes(random() % 300);
    for (std::size_t& size : sizes) size = random() % (random() % 4 == 0 ? 40'000 : 1'500);
    const Body body = BodyOf(sizes);
    *gather.Start() = "head";
    gather.SetBody(&body);
    const Sent sent = SendAll(&gather, 1 + random() % 100'000);
    ASSERT_EQ(sent.bytes, "head" + body.Flatten());
    EXPECT_LE(sent.max_buffers, kMaxGatheredBuffers);
  }
}

TEST(GatherTest, ThousandsOfPiecesTakeFewCalls) {
  Gather gather;
  const Body body = BodyOf(std::vector<std::size_t>(6'000, 400));
  *gather.Start() = "head";
  gather.SetBody(&body);
  const Sent sent = SendAll(&gather, 1 << 30);
  EXPECT_EQ(sent.bytes.size(), 4 + body.Size());
  EXPECT_LE(sent.rounds, 10u);
}

}  // namespace
}  // namespace server
