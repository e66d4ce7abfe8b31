// The histories of a type and of all types against a list kept beside.
#include <map>
#include <random>
#include <string>
#include <vector>

#include <gmock/gmock.h>

#include "tests/integration/storage/store_fixture.h"

namespace storage {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

struct Logged {
  std::uint64_t t;
  std::int64_t instant_ms;
  std::string name;  // "Patient/a/1"
};

std::string NameOf(std::string_view type, std::string_view id, std::uint64_t version) {
  return std::string(type) + "/" + std::string(id) + "/" + std::to_string(version);
}

class HistoryTest : public StoreTest {
 protected:
  struct Found {
    std::uint64_t total = 0;
    std::vector<std::string> names;
  };

  Found Read(const Snapshot& snapshot, const HistoryRequest& request) {
    Found found;
    std::map<std::size_t, std::string> by_position;
    const auto total = store_->ReadHistoryPage(
        snapshot, request, [&](std::size_t position, const ResourceView& view) {
          EXPECT_TRUE(
              by_position.emplace(position, NameOf(view.type, view.id, view.version)).second);
          return true;
        });
    EXPECT_TRUE(total);
    if (total) found.total = *total;
    for (const auto& [position, name] : by_position) {
      EXPECT_EQ(position, found.names.size());
      found.names.push_back(name);
    }
    return found;
  }

  // Commits `count` transactions of some writes each.
  void Fill(int count) {
    std::mt19937 random(7);
    std::map<std::string, std::uint64_t> versions;
    for (int i = 0; i < count; ++i) {
      std::map<std::string, Write> writes;
      const std::size_t size = 1 + random() % 4;
      while (writes.size() < size) {
        const std::string type = random() % 3 == 0 ? "Observation" : "Patient";
        const std::string id(1, static_cast<char>('a' + random() % 9));
        const bool is_delete = random() % 4 == 0;
        writes.insert_or_assign(type + "/" + id, is_delete
                                                     ? Delete(type, id)
                                                     : Put(type, id, std::to_string(random())));
      }
      std::vector<Write> list;
      for (auto& [name, write] : writes) list.push_back(std::move(write));
      std::vector<std::string> names;
      for (const auto& [name, write] : writes) names.push_back(name);
      const CommitResult result = Must(std::move(list), 1'000 * (i / 3));
      for (std::size_t n = 0; n < names.size(); ++n) {
        const WriteOutcome& outcome = result.outcomes[n];
        if (outcome.version == versions[names[n]]) continue;  // Nothing to delete.
        versions[names[n]] = outcome.version;
        log_.push_back(
            {result.t, outcome.instant_ms, names[n] + "/" + std::to_string(outcome.version)});
      }
    }
  }

  Found Expected(std::uint64_t t, const HistoryRequest& request) const {
    Found found;
    std::vector<std::string> all;
    for (auto logged = log_.rbegin(); logged != log_.rend(); ++logged) {
      if (logged->t > t || !logged->name.starts_with(request.type)) continue;
      if (request.since_ms && logged->instant_ms < *request.since_ms) continue;
      all.push_back(logged->name);
    }
    found.total = all.size();
    for (std::size_t i = request.offset; i < all.size() && found.names.size() < request.limit;
         ++i) {
      found.names.push_back(all[i]);
    }
    return found;
  }

  std::vector<Logged> log_;
};

TEST_F(HistoryTest, IsNewestFirstWithDeletions) {
  Must({Put("Patient", "a", "1"), Put("Observation", "o", "1")});
  Must({Put("Patient", "a", "2"), Put("Patient", "b", "1")});
  Must({Delete("Patient", "a")});
  const auto latest = store_->Latest();
  EXPECT_THAT(Read(*latest, {.type = "Patient"}).names,
              ElementsAre("Patient/a/3", "Patient/b/1", "Patient/a/2", "Patient/a/1"));
  EXPECT_THAT(
      Read(*latest, {.type = {}}).names,
      ElementsAre("Patient/a/3", "Patient/b/1", "Patient/a/2", "Observation/o/1", "Patient/a/1"));
  EXPECT_THAT(Read(*latest, {.type = "Encounter"}).names, IsEmpty());
  EXPECT_EQ(Read(*latest, {.type = {}, .limit = 0}).total, 5U);
}

TEST_F(HistoryTest, OfAnEmptyStoreIsEmpty) {
  EXPECT_EQ(Read(*store_->Latest(), {.type = {}}).total, 0U);
  EXPECT_EQ(Read(*store_->Latest(), {.type = "Patient", .since_ms = 0}).total, 0U);
  EXPECT_EQ(store_->ReadHistoryPage(*store_->Latest(), {.type = "Nothing"}, {}).error().http_status,
            404);
}

TEST_F(HistoryTest, EveryPageIsAsTheListSays) {
  Fill(120);
  std::mt19937 random(11);
  const std::uint64_t last_t = TransactionOf(*store_->Latest());
  for (int i = 0; i < 2'000; ++i) {
    const std::uint64_t t = random() % (last_t + 1);
    const auto snapshot = store_->At(t);
    ASSERT_TRUE(snapshot);
    HistoryRequest request;
    const std::uint32_t kind = random() % 3;
    if (kind > 0) request.type = kind == 1 ? "Patient" : "Observation";
    if (random() % 2 == 0) request.since_ms = random() % 45'000;
    request.offset = random() % 100;
    request.limit = random() % 60;
    const Found expected = Expected(t, request);
    const Found found = Read(**snapshot, request);
    ASSERT_EQ(found.total, expected.total) << request.type << " at " << t;
    ASSERT_EQ(found.names, expected.names) << request.type << " at " << t;
  }
}

}  // namespace
}  // namespace storage
