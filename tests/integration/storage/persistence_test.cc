// What survives closing the store, and what refuses to be opened.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fhir/base/bytes.h"
#include "tests/integration/storage/store_fixture.h"

namespace storage {
namespace {

using fhir::search::Expression;
using testing::ElementsAre;

class PersistenceTest : public StoreTest {
 protected:
  void SetUp() override {}
  StoreOptions OnDisk() const { return {.index_dir = dir_.Path("index")}; }

  TempDir dir_;
};

TEST_F(PersistenceTest, EverythingIsThereAfterReopening) {
  Open(OnDisk());
  Must({Put("Patient", "a", "1", {{kCode, "v"}}), Put("Patient", "b", "1", {{kCode, "v"}})}, 100);
  Must({Put("Patient", "a", "2", {{kCode, "v"}}), Delete("Patient", "b")}, 200);
  const std::uint64_t secret = store_->PageSecret();
  Open(OnDisk());
  EXPECT_EQ(store_->PageSecret(), secret);
  EXPECT_EQ(TransactionOf(*store_->Latest()), 2u);
  EXPECT_EQ(InstantOf(*store_->Latest()), 200);
  EXPECT_EQ(CountOf(*store_->Latest(), "Patient"), 1u);
  EXPECT_THAT(Search("Patient", HasValue(kCode, "v")), ElementsAre("a"));
  EXPECT_EQ(StatusOfRead("Patient", "b"), 410);
  EXPECT_THAT(Search(**store_->At(1), "Patient", HasValue(kCode, "v")), ElementsAre("a", "b"));
  const CommitResult next = Must({Put("Patient", "b", "1", {{kCode, "v"}})}, 150);
  EXPECT_EQ(next.t, 3u);
  EXPECT_EQ(next.outcomes[0].version, 3u);
  EXPECT_EQ(next.outcomes[0].instant_ms, 200);
  EXPECT_THAT(Search("Patient", HasValue(kCode, "v")), ElementsAre("a", "b"));
}

TEST_F(PersistenceTest, DirectoriesMayLieApart) {
  const StoreOptions options{.index_dir = dir_.Path("index"),
                             .resource_dir = dir_.Path("resource"),
                             .transaction_dir = dir_.Path("transaction")};
  Open(options);
  Must({Put("Patient", "a", "1")});
  Open(options);
  EXPECT_EQ(StatusOfRead("Patient", "a"), 200);
  EXPECT_TRUE(std::filesystem::exists(dir_.Path("resource")));
  EXPECT_FALSE(std::filesystem::is_empty(dir_.Path("transaction")));
}

TEST_F(PersistenceTest, ADatabaseThatIsOpenCannotBeOpenedAgain) {
  Open(OnDisk());
  const auto second = Engine::Open(OnDisk(), IndexKeys(), [](const std::string&) {});
  ASSERT_FALSE(second);
  EXPECT_THAT(second.error().log_detail, testing::HasSubstr("another process"));
}

TEST_F(PersistenceTest, AnUnknownFormatIsRefused) {
  Open(OnDisk());
  Close();
  {
    auto database = rocks::Database::Open({.index_dir = dir_.Path("index")});
    ASSERT_TRUE(database);
    rocks::Batch batch(database->get());
    std::string format;
    fhir::AppendU32(&format, kFormatVersion + 1);
    batch.Put(Family::kDefault, kFormatName, format);
    ASSERT_TRUE((*database)->WriteSynced(&batch));
  }
  const auto opened = Engine::Open(OnDisk(), IndexKeys(), [](const std::string&) {});
  ASSERT_FALSE(opened);
  EXPECT_THAT(opened.error().log_detail, testing::HasSubstr("format"));
}

TEST_F(PersistenceTest, IndexNumbersSurviveAnotherOrderOfTheRegistry) {
  Open(OnDisk());
  Must({Put("Patient", "a", "1", {{kCode, "v"}})});
  Close();
  std::vector<std::string> keys = IndexKeys();
  std::swap(keys[kCode], keys[kName]);
  auto opened = Engine::Open(OnDisk(), keys, [](const std::string&) {});
  ASSERT_TRUE(opened);
  store_ = *std::move(opened);
  EXPECT_THAT(Search("Patient", HasValue(kName, "v")), ElementsAre("a"));
}

TEST_F(PersistenceTest, AnIndexThatLacksOlderResourcesIsNotSearched) {
  Open(OnDisk());
  Must({Put("Patient", "a", "1", {{kCode, "v"}})});
  Close();
  std::vector<std::string> keys = IndexKeys();
  keys.push_back("Patient.new:token");
  auto opened = Engine::Open(OnDisk(), keys, [](const std::string&) {});
  ASSERT_TRUE(opened);
  store_ = *std::move(opened);
  const auto added = static_cast<fhir::search::IndexId>(keys.size() - 1);
  EXPECT_FALSE(store_->Count(*store_->Latest(), "Patient", HasValue(added, "v"), {}));
  EXPECT_THAT(Search("Patient", HasValue(kCode, "v")), ElementsAre("a"));
}

TEST_F(PersistenceTest, AnIndexThatWasLeftOutForATimeIsNotSearched) {
  const auto reopen = [&](const std::vector<std::string>& keys) {
    Close();
    auto opened = Engine::Open(OnDisk(), keys, [](const std::string&) {});
    ASSERT_TRUE(opened);
    store_ = *std::move(opened);
  };
  std::vector<std::string> keys = IndexKeys();
  keys.push_back("Patient.optional:token");
  const auto optional = static_cast<fhir::search::IndexId>(keys.size() - 1);
  Open(OnDisk());
  reopen(keys);
  EXPECT_TRUE(store_->Count(*store_->Latest(), "Patient", HasValue(optional, "v"), {}));
  reopen(IndexKeys());
  Must({Put("Patient", "a", "1", {{kCode, "v"}})});
  reopen(keys);
  EXPECT_FALSE(store_->Count(*store_->Latest(), "Patient", HasValue(optional, "v"), {}));
  EXPECT_THAT(Search("Patient", HasValue(kCode, "v")), ElementsAre("a"));
}

TEST_F(PersistenceTest, OpeningLogsALineForEachColumnFamily) {
  std::vector<std::string> lines;
  const auto opened =
      Engine::Open(OnDisk(), IndexKeys(), [&](const std::string& line) { lines.push_back(line); });
  ASSERT_TRUE(opened);
  EXPECT_EQ(lines.size(), kFamilies.size());
}

}  // namespace
}  // namespace storage
