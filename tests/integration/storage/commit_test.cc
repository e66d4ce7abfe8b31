// What becomes of a transaction: outcomes, preconditions, versions.
#include <atomic>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/integration/storage/store_fixture.h"

namespace storage {
namespace {

using fhir::search::Expression;
using testing::ElementsAre;
using testing::IsEmpty;
using Status = WriteOutcome::Status;

class CommitTest : public StoreTest {};

Write IfMatch(Write write, std::uint64_t version) {
  write.if_match = version;
  return write;
}

Write IfNoneMatch(Write write) {
  write.if_none_match_any = true;
  return write;
}

TEST_F(CommitTest, CreateGivesVersionOneAndIsReadable) {
  const CommitResult result = Must({Create("Patient", "a", "x")}, 1'000);
  ASSERT_EQ(result.outcomes.size(), 1u);
  EXPECT_EQ(result.outcomes[0].status, Status::kCreated);
  EXPECT_EQ(result.outcomes[0].version, 1u);
  EXPECT_EQ(result.outcomes[0].instant_ms, 1'000);
  EXPECT_EQ(result.t, 1u);
  const auto read = store_->Read("Patient", "a");
  ASSERT_TRUE(read);
  EXPECT_EQ((*read)->view.json, Create("Patient", "a", "x").form.json);
  EXPECT_EQ((*read)->view.version, 1u);
  EXPECT_EQ((*read)->view.instant_ms, 1'000);
  EXPECT_EQ((*read)->view.type, "Patient");
  EXPECT_EQ((*read)->view.id, "a");
}

TEST_F(CommitTest, CreateAtAnIdThatExistsFails) {
  Must({Create("Patient", "a", "x")});
  const CommitResult result = Commit({Create("Patient", "a", "y")});
  EXPECT_EQ(result.status, CommitResult::Status::kFailed);
  EXPECT_EQ(result.failed_write, 0);
  EXPECT_EQ((*store_->Read("Patient", "a"))->view.version, 1u);
}

TEST_F(CommitTest, PutUpdatesToTheNextVersion) {
  Must({Put("Patient", "a", "x")});
  const CommitResult result = Must({Put("Patient", "a", "y")});
  EXPECT_EQ(result.outcomes[0].status, Status::kUpdated);
  EXPECT_EQ(result.outcomes[0].version, 2u);
  EXPECT_EQ((*store_->Read("Patient", "a"))->view.json, Put("Patient", "a", "y").form.json);
  EXPECT_EQ((*store_->ReadVersion("Patient", "a", 1))->view.json,
            Put("Patient", "a", "x").form.json);
  EXPECT_EQ(store_->ReadVersion("Patient", "a", 3).error().http_status, 404);
}

TEST_F(CommitTest, PutOfIdenticalContentMakesNoVersionAndDoesNotAdvanceT) {
  Must({Put("Patient", "a", "x")}, 10);
  const CommitResult result = Must({Put("Patient", "a", "x")}, 20);
  EXPECT_EQ(result.outcomes[0].status, Status::kUnchanged);
  EXPECT_EQ(result.outcomes[0].version, 1u);
  EXPECT_EQ(result.outcomes[0].instant_ms, 10);
  EXPECT_EQ(result.t, 1u);
  EXPECT_EQ(TransactionOf(*store_->Latest()), 1u);
}

TEST_F(CommitTest, DeleteThenPutCountsVersionsOn) {
  Must({Put("Patient", "a", "x")});
  Must({Put("Patient", "a", "y")});
  const CommitResult deleted = Must({Delete("Patient", "a")});
  EXPECT_EQ(deleted.outcomes[0].status, Status::kDeleted);
  EXPECT_EQ(deleted.outcomes[0].version, 3u);
  EXPECT_EQ(StatusOfRead("Patient", "a"), 410);
  EXPECT_EQ(store_->ReadVersion("Patient", "a", 3).error().http_status, 410);
  EXPECT_EQ(CountOf(*store_->Latest(), "Patient"), 0u);
  const CommitResult again = Must({Put("Patient", "a", "y")});
  EXPECT_EQ(again.outcomes[0].status, Status::kCreated);
  EXPECT_EQ(again.outcomes[0].version, 4u);
  EXPECT_EQ(CountOf(*store_->Latest(), "Patient"), 1u);
}

TEST_F(CommitTest, DeleteOfWhatIsNotThereDoesNothing) {
  const CommitResult never = Must({Delete("Patient", "a")});
  EXPECT_EQ(never.outcomes[0].status, Status::kNothingToDelete);
  EXPECT_EQ(never.outcomes[0].version, 0u);
  EXPECT_EQ(never.t, 0u);
  Must({Put("Patient", "a", "x")}, 5);
  Must({Delete("Patient", "a")}, 7);
  const CommitResult twice = Must({Delete("Patient", "a")}, 9);
  EXPECT_EQ(twice.outcomes[0].status, Status::kNothingToDelete);
  EXPECT_EQ(twice.outcomes[0].version, 2u);
  EXPECT_EQ(twice.outcomes[0].instant_ms, 7);
  EXPECT_EQ(twice.t, 2u);
}

TEST_F(CommitTest, IfMatchWantsTheCurrentVersion) {
  Must({Put("Patient", "a", "x")});
  EXPECT_EQ(Commit({IfMatch(Put("Patient", "a", "y"), 2)}).error.http_status, 412);
  EXPECT_EQ(Must({IfMatch(Put("Patient", "a", "y"), 1)}).outcomes[0].version, 2u);
  EXPECT_EQ(Commit({IfMatch(Delete("Patient", "a"), 1)}).error.http_status, 412);
  Must({IfMatch(Delete("Patient", "a"), 2)});
  EXPECT_EQ(Commit({IfMatch(Put("Patient", "a", "y"), 3)}).error.http_status, 412);
  EXPECT_EQ(Commit({IfMatch(Put("Patient", "b", "y"), 1)}).error.http_status, 412);
}

TEST_F(CommitTest, IfNoneMatchWantsNoCurrentVersion) {
  Must({IfNoneMatch(Put("Patient", "a", "x"))});
  EXPECT_EQ(Commit({IfNoneMatch(Put("Patient", "a", "x"))}).error.http_status, 412);
  Must({Delete("Patient", "a")});
  EXPECT_EQ(Must({IfNoneMatch(Put("Patient", "a", "x"))}).outcomes[0].version, 3u);
}

TEST_F(CommitTest, OneFailedWriteLeavesNoTraceOfTheOthers) {
  Must({Put("Patient", "a", "x")});
  const CommitResult result = Commit(
      {Create("Patient", "b", "x"), Delete("Patient", "a"), IfMatch(Put("Patient", "c", "x"), 9)});
  EXPECT_EQ(result.status, CommitResult::Status::kFailed);
  EXPECT_EQ(result.failed_write, 2);
  EXPECT_EQ(StatusOfRead("Patient", "a"), 200);
  EXPECT_EQ(StatusOfRead("Patient", "b"), 404);
  EXPECT_EQ(TransactionOf(*store_->Latest()), 1u);
}

TEST_F(CommitTest, WritingAResourceTwiceInATransactionIsRefused) {
  EXPECT_EQ(Commit({Put("Patient", "a", "x"), Put("Patient", "a", "y")}).error.http_status, 400);
}

TEST_F(CommitTest, InstantsNeverGoBack) {
  Must({Put("Patient", "a", "x")}, 1'000);
  EXPECT_EQ(Must({Put("Patient", "b", "x")}, 500).outcomes[0].instant_ms, 1'000);
  EXPECT_EQ(InstantOf(*store_->Latest()), 1'000);
}

TEST_F(CommitTest, HistoryIsNewestFirstWithDeletions) {
  Must({Put("Patient", "a", "x")});
  Must({Delete("Patient", "a")});
  Must({Put("Patient", "a", "x")});
  const auto history = store_->History(*store_->Latest(), "Patient", "a");
  ASSERT_TRUE(history);
  ASSERT_EQ(history->size(), 3u);
  EXPECT_EQ((*history)[0].version, 3u);
  EXPECT_EQ((*history)[1].operation, Operation::kDelete);
  EXPECT_EQ((*history)[2].version, 1u);
  std::vector<std::uint64_t> versions;
  ASSERT_TRUE(store_->ReadVersions(*history, [&](std::size_t i, const ResourceView& view) {
    EXPECT_EQ(i, versions.size());
    versions.push_back(view.version);
    return true;
  }));
  EXPECT_THAT(versions, ElementsAre(3, 2, 1));
  EXPECT_EQ(store_->History(*store_->Latest(), "Patient", "b").error().http_status, 404);
}

TEST_F(CommitTest, IdsThatArePrefixesOfOneAnotherAreDifferent) {
  Must({Put("Patient", "a", "1"), Put("Patient", "ab", "2"), Put("Patient", "a-", "3")});
  Must({Delete("Patient", "ab")});
  EXPECT_EQ(StatusOfRead("Patient", "a"), 200);
  EXPECT_EQ(StatusOfRead("Patient", "ab"), 410);
  EXPECT_EQ(StatusOfRead("Patient", "a-"), 200);
  EXPECT_EQ(store_->History(*store_->Latest(), "Patient", "a")->size(), 1u);
}

TEST_F(CommitTest, UnknownTypeIsRefused) {
  EXPECT_EQ(Commit({Put("Nothing", "a", "x")}).error.http_status, 400);
  EXPECT_EQ(StatusOfRead("Nothing", "a"), 404);
}

TEST_F(CommitTest, VersionsOfOneGroupFollowEachOther) {
  std::vector<std::unique_ptr<Transaction>> group;
  group.push_back(Of({Put("Patient", "a", "1", {{kCode, "v"}})}));
  group.push_back(Of({Put("Patient", "a", "2", {{kCode, "v"}})}));
  group.push_back(Of({Put("Patient", "a", "2", {{kCode, "v"}})}));
  group.push_back(Of({Delete("Patient", "a")}));
  group.push_back(Of({IfMatch(Put("Patient", "a", "3"), 2)}));
  group.push_back(Of({Put("Patient", "a", "4", {{kCode, "v"}})}));
  const auto results = CommitTogether(std::move(group));
  EXPECT_EQ(results[0].outcomes[0].status, Status::kCreated);
  EXPECT_EQ(results[1].outcomes[0].status, Status::kUpdated);
  EXPECT_EQ(results[2].outcomes[0].status, Status::kUnchanged);
  EXPECT_EQ(results[3].outcomes[0].version, 3u);
  EXPECT_EQ(results[4].error.http_status, 412);
  EXPECT_EQ(results[5].outcomes[0].version, 4u);
  EXPECT_EQ(results[5].t, 4u);
  EXPECT_EQ(CountOf(*store_->Latest(), "Patient"), 1u);
  EXPECT_THAT(Search("Patient", HasValue(kCode, "v")), ElementsAre("a"));
  const auto before = store_->At(2);
  ASSERT_TRUE(before);
  EXPECT_EQ(store_->FindCurrent(**before, "Patient", "a")->version, 2u);
  EXPECT_THAT(Search(**before, "Patient", HasValue(kCode, "v")), ElementsAre("a"));
  EXPECT_THAT(Search(**store_->At(3), "Patient", HasValue(kCode, "v")), IsEmpty());
}

TEST_F(CommitTest, TooManyInFlightAreTurnedAway) {
  Open({.in_memory = true, .max_in_flight_transactions = 2});
  std::promise<void> release;
  std::promise<void> held;
  ASSERT_TRUE(store_->Submit(Of({}), [&](const CommitResult&) {
    held.set_value();
    release.get_future().wait();
  }));
  held.get_future().wait();  // The first has been answered: its place is free.
  ASSERT_TRUE(store_->Submit(Of({}), [](const CommitResult&) {}));
  ASSERT_TRUE(store_->Submit(Of({}), [](const CommitResult&) {}));
  const auto third = store_->Submit(Of({}), [](const CommitResult&) {});
  ASSERT_FALSE(third);
  EXPECT_EQ(third.error().http_status, 503);
  release.set_value();
  Close();
}

TEST_F(CommitTest, ReadsNeverGoBackWhileWritten) {
  Must({Put("Patient", "a", "0")});
  std::atomic<std::uint64_t> answered = 1;
  std::atomic<bool> stop = false;
  std::vector<std::thread> readers;
  for (int i = 0; i < 3; ++i) {
    readers.emplace_back([&] {
      while (!stop) {
        const std::uint64_t at_least = answered;
        const auto read = store_->Read("Patient", "a");
        if (!read || (*read)->view.version < at_least) ADD_FAILURE() << "an older version";
      }
    });
  }
  for (int i = 1; i <= 300; ++i) {
    answered = Must({Put("Patient", "a", std::to_string(i))}).outcomes[0].version;
  }
  stop = true;
  for (std::thread& reader : readers) reader.join();
}

}  // namespace
}  // namespace storage
