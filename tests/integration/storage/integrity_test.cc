// Referential integrity and assumptions, alone and within a group.
#include <atomic>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/integration/storage/store_fixture.h"

namespace storage {
namespace {

using fhir::search::Expression;
using testing::ElementsAre;
using Status = CommitResult::Status;

class IntegrityTest : public StoreTest {
 protected:
  // Finds or creates the patient with this code, as a conditional create does.
  std::string FindOrCreate(const std::string& code, const std::string& new_id);
};

Assumption Assume(std::string code, std::string id) {
  return {"Patient", HasValue(kCode, std::move(code)), std::move(id)};
}

TEST_F(IntegrityTest, ReferenceToNothingIsRefusedByName) {
  const CommitResult result = Commit(
      {Put("Patient", "a", "x"), Put("Observation", "o", "", {}, {"Patient/a", "Patient/b"})});
  EXPECT_EQ(result.status, Status::kFailed);
  EXPECT_EQ(result.error.http_status, 409);
  EXPECT_EQ(result.failed_write, 1);
  EXPECT_EQ(result.failed_reference, "Patient/b");
  EXPECT_EQ(StatusOfRead("Patient", "a"), 404);
}

TEST_F(IntegrityTest, ReferenceWithinTheTransactionResolvesInAnyOrder) {
  Must({Observe("o", "a"), Create("Patient", "a", "x")});
  Must({Put("Patient", "self", "x", {}, {"Patient/self"})});
}

TEST_F(IntegrityTest, ReferenceToAVersionNeedsTheResource) {
  Must({Put("Patient", "a", "x")});
  Must({Put("Observation", "o", "", {}, {"Patient/a/_history/1"})});
  const CommitResult result = Commit({Put("Observation", "p", "", {}, {"Patient/b/_history/1"})});
  EXPECT_EQ(result.failed_reference, "Patient/b/_history/1");
}

TEST_F(IntegrityTest, ReferenceToADeletedResourceIsRefusedEvenIfItWasKnown) {
  Must({Put("Patient", "a", "x")});
  Must({Observe("o", "a")});
  Must({Delete("Observation", "o")});
  Must({Delete("Patient", "a")});
  EXPECT_EQ(Commit({Observe("p", "a")}).error.http_status, 409);
}

TEST_F(IntegrityTest, DeleteOfAReferredToResourceIsRefused) {
  Must({Put("Patient", "a", "x"), Observe("o", "a")});
  const CommitResult result = Commit({Delete("Patient", "a")});
  EXPECT_EQ(result.error.http_status, 409);
  EXPECT_EQ(result.failed_write, 0);
  EXPECT_EQ(StatusOfRead("Patient", "a"), 200);
}

TEST_F(IntegrityTest, DeleteTogetherWithTheReferrerSucceeds) {
  Must({Put("Patient", "a", "x"), Observe("o", "a")});
  Must({Delete("Patient", "a"), Delete("Observation", "o")});
}

TEST_F(IntegrityTest, DeleteAndRePointInOneTransactionSucceeds) {
  Must({Put("Patient", "a", "x"), Put("Patient", "b", "x"), Observe("o", "a")});
  Must({Delete("Patient", "a"), Observe("o", "b")});
  EXPECT_EQ(StatusOfRead("Patient", "a"), 410);
}

TEST_F(IntegrityTest, RePointingToWhatIsDeletedInTheSameTransactionFails) {
  Must({Put("Patient", "a", "x"), Observe("o", "a")});
  Write changed = Put("Observation", "o", "changed", {}, {"Patient/a"});
  EXPECT_EQ(Commit({Delete("Patient", "a"), std::move(changed)}).error.http_status, 409);
}

TEST_F(IntegrityTest, AnUnchangedReferrerStillCounts) {
  Must({Put("Patient", "a", "x"), Observe("o", "a")});
  EXPECT_EQ(Commit({Delete("Patient", "a"), Observe("o", "a")}).error.http_status, 409);
}

TEST_F(IntegrityTest, OnlyTheCurrentVersionOfAReferrerCounts) {
  Must({Put("Patient", "a", "x"), Put("Patient", "b", "x"), Observe("o", "a")});
  Must({Observe("o", "b")});
  Must({Delete("Patient", "a")});
}

TEST_F(IntegrityTest, DeleteOfASelfReferringResourceSucceeds) {
  Must({Put("Patient", "a", "x", {}, {"Patient/a"})});
  Must({Delete("Patient", "a")});
}

TEST_F(IntegrityTest, ReferencesInAStoredBundleAreNotChecked) {
  Must({Put("Bundle", "b", "", {}, {"Patient/nobody"})});
  Must({Put("Patient", "a", "x"), Put("Bundle", "c", "", {}, {"Patient/a"})});
  Must({Delete("Patient", "a")});
}

TEST_F(IntegrityTest, WithoutIntegrityNothingIsChecked) {
  Open({.in_memory = true, .referential_integrity = false});
  Must({Observe("o", "nobody")});
  Must({Put("Patient", "a", "x"), Observe("p", "a")});
  Must({Delete("Patient", "a")});
}

TEST_F(IntegrityTest, AGroupSeesItsPredecessors) {
  Must({Put("Patient", "a", "x"), Put("Patient", "b", "x"), Observe("o", "a")});
  std::vector<std::unique_ptr<Transaction>> group;
  group.push_back(Of({Observe("o", "b")}));       // Nothing refers to a any more,
  group.push_back(Of({Delete("Patient", "a")}));  // so it can go,
  group.push_back(Of({Observe("p", "a")}));       // and cannot be referred to.
  group.push_back(Of({Put("Patient", "c", "x")}));
  group.push_back(Of({Observe("q", "c")}));
  group.push_back(Of({Delete("Patient", "c")}));  // q refers to it.
  group.push_back(Of({Delete("Observation", "q")}));
  group.push_back(Of({Delete("Patient", "c")}));
  const auto results = CommitTogether(std::move(group));
  const Status ok = Status::kCommitted;
  const Status failed = Status::kFailed;
  std::vector<Status> statuses;
  for (const CommitResult& result : results) statuses.push_back(result.status);
  EXPECT_THAT(statuses, ElementsAre(ok, ok, failed, ok, ok, failed, ok, ok));
}

TEST_F(IntegrityTest, AnAssumptionThatStillHoldsPasses) {
  Must({Put("Patient", "a", "x", {{kCode, "v"}})});
  const std::uint64_t prepared_at = TransactionOf(*store_->Latest());
  Must({Put("Patient", "b", "x", {{kCode, "w"}})});
  auto transaction = Of({Observe("o", "a")});
  transaction->assumptions = {Assume("v", "a"), Assume("none", "")};
  transaction->prepared_at = prepared_at;
  EXPECT_EQ(Commit(std::move(transaction)).status, Status::kCommitted);
}

TEST_F(IntegrityTest, AnAssumptionThatNoLongerHoldsIsStale) {
  Must({Put("Patient", "a", "x", {{kCode, "v"}})});
  const std::uint64_t prepared_at = TransactionOf(*store_->Latest());
  const auto commit = [&](Assumption assumption) {
    auto transaction = Of({Create("Patient", "new", "x")});
    transaction->assumptions = {std::move(assumption)};
    transaction->prepared_at = prepared_at;
    return Commit(std::move(transaction)).status;
  };
  Must({Put("Patient", "b", "x", {{kCode, "v"}})});  // A second match.
  EXPECT_EQ(commit(Assume("v", "a")), Status::kStale);
  Must({Delete("Patient", "a")});  // Another match.
  EXPECT_EQ(commit(Assume("v", "a")), Status::kStale);
  Must({Put("Patient", "b", "y")});  // None.
  EXPECT_EQ(commit(Assume("v", "b")), Status::kStale);
  Must({Put("Patient", "b", "z", {{kCode, "v"}})});
  EXPECT_EQ(commit(Assume("v", "")), Status::kStale);
  EXPECT_EQ(StatusOfRead("Patient", "new"), 404);
}

TEST_F(IntegrityTest, AssumptionsAreCheckedAgainstTheGroupToo) {
  Must({Put("Patient", "a", "x", {{kCode, "v"}})});
  const std::uint64_t prepared_at = TransactionOf(*store_->Latest());
  std::vector<std::unique_ptr<Transaction>> group;
  const auto add = [&](Write write, std::optional<Assumption> assumption) {
    group.push_back(Of({std::move(write)}));
    group.back()->prepared_at = prepared_at;
    if (assumption) group.back()->assumptions.push_back(*std::move(assumption));
  };
  add(Put("Patient", "c", "1", {{kCode, "w"}}), Assume("w", ""));   // Creates.
  add(Put("Patient", "d", "1", {{kCode, "w"}}), Assume("w", ""));   // Too late.
  add(Put("Patient", "c", "2", {{kCode, "w"}}), Assume("w", "c"));  // Found it.
  add(Put("Patient", "a", "2"), Assume("v", "a"));                  // No longer a match:
  add(Put("Patient", "a", "3"), Assume("v", "a"));
  add(Put("Patient", "e", "1", {{kCode, "v"}}), Assume("v", ""));
  const auto results = CommitTogether(std::move(group));
  std::vector<Status> statuses;
  for (const CommitResult& result : results) statuses.push_back(result.status);
  EXPECT_THAT(statuses, ElementsAre(Status::kCommitted, Status::kStale, Status::kCommitted,
                                    Status::kCommitted, Status::kStale, Status::kCommitted));
}

TEST_F(IntegrityTest, ManyConditionalCreatesInOneGroupMakeOneEach) {
  constexpr int kCodes = 20;
  std::vector<std::unique_ptr<Transaction>> group;
  for (int i = 0; i < 200; ++i) {
    const std::string code = "code" + std::to_string(i % kCodes);
    group.push_back(Of({Create("Patient", "p" + std::to_string(i), "x", {{kCode, code}})}));
    group.back()->assumptions = {Assume(code, "")};
  }
  int committed = 0;
  for (const CommitResult& result : CommitTogether(std::move(group))) {
    committed += result.status == Status::kCommitted ? 1 : 0;
  }
  EXPECT_EQ(committed, kCodes);
  EXPECT_EQ(CountOf(*store_->Latest(), "Patient"), static_cast<std::uint64_t>(kCodes));
}

std::string IntegrityTest::FindOrCreate(const std::string& code, const std::string& new_id) {
  for (;;) {
    const SnapshotPtr snapshot = store_->Latest();
    const auto ids = store_->FindIds(*snapshot, "Patient", HasValue(kCode, code), 2, {});
    if (!ids || ids->size() > 1) return "failed";
    auto transaction = std::make_unique<Transaction>();
    transaction->prepared_at = TransactionOf(*snapshot);
    transaction->assumptions = {Assume(code, ids->empty() ? "" : ids->front())};
    if (ids->empty())
      transaction->writes.push_back(Create("Patient", new_id, "x", {{kCode, code}}));
    const CommitResult result = Commit(std::move(transaction));
    if (result.status == Status::kCommitted) return ids->empty() ? new_id : ids->front();
    if (result.status == Status::kFailed) return "failed";
  }
}

TEST_F(IntegrityTest, RacingConditionalCreatesGiveOneResource) {
  constexpr std::size_t kClients = 32;
  std::vector<std::string> ids(kClients);
  std::vector<std::thread> clients;
  for (std::size_t i = 0; i < kClients; ++i) {
    clients.emplace_back([&, i] { ids[i] = FindOrCreate("v", "p" + std::to_string(i)); });
  }
  for (std::thread& client : clients) client.join();
  EXPECT_THAT(Search("Patient", HasValue(kCode, "v")), ElementsAre(ids[0]));
  for (const std::string& id : ids) EXPECT_EQ(id, ids[0]);
}

TEST_F(IntegrityTest, AnAssumptionThatTakesTooMuchWorkIsStale) {
  std::vector<Write> writes;
  for (std::uint64_t i = 0; i < 3'000; ++i) {
    writes.push_back(Put("Patient", "p" + std::to_string(i), "x", {{kCode, Number(i)}}));
  }
  Must(std::move(writes));
  Assumption assumption{"Patient", {}, ""};
  assumption.where.kind = fhir::search::Expression::Kind::kValues;
  assumption.where.values.assign(1'000, Between(kCode, Number(0), Number(6'000)));
  for (auto& value : assumption.where.values) value.contains = "no such text";
  const auto commit = [&](std::uint64_t prepared_at) {
    auto transaction = Of({Create("Patient", "new", "x")});
    transaction->assumptions = {assumption};
    transaction->prepared_at = prepared_at;
    return Commit(std::move(transaction)).status;
  };
  EXPECT_EQ(commit(0), Status::kStale);
  EXPECT_EQ(commit(TransactionOf(*store_->Latest())), Status::kCommitted);
}

}  // namespace
}  // namespace storage
