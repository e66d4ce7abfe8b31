// tests/integration/storage/store_fixture.h
//
// A store with a few indexes of its own, and short ways to write to it. Entries are made by hand:
// what they mean is the test's business.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <future>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "fhir/search/expression.h"
#include "storage/engine.h"
#include "storage/store.h"

namespace storage {

// IndexIds.
inline constexpr fhir::search::IndexId kCode = 1;      // Patient: exact values.
inline constexpr fhir::search::IndexId kName = 2;      // Patient: text | NUL.
inline constexpr fhir::search::IndexId kBirth = 3;     // Patient: u64.
inline constexpr fhir::search::IndexId kSubject = 4;   // Observation: 0x01 | Type/id | NUL.
inline constexpr fhir::search::IndexId kObserved = 5;  // Observation: exact values.
inline constexpr fhir::search::IndexId kQuantity = 6;  // Observation: u64.
std::vector<std::string> IndexKeys();

// A directory that goes with the test.
class TempDir {
 public:
  TempDir();
  ~TempDir();
  TempDir(const TempDir&) = delete;
  TempDir& operator=(const TempDir&) = delete;
  std::string Path(std::string_view name = {}) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

struct Entry {
  fhir::search::IndexId index;
  std::string value;
};

// Big-endian bytes.
std::string Number(std::uint64_t value);
std::string Text(std::string_view value);

// A resource whose JSON holds `content` and the references.
Write Put(std::string_view type, std::string_view id, std::string_view content,
          const std::vector<Entry>& entries = {}, const std::vector<std::string>& references = {});
Write Create(std::string_view type, std::string_view id, std::string_view content,
             const std::vector<Entry>& entries = {},
             const std::vector<std::string>& references = {});
Write Delete(std::string_view type, std::string_view id);
// An observation of a patient.
Write Observe(std::string_view id, std::string_view patient, std::vector<Entry> entries = {});

std::unique_ptr<Transaction> Of(std::vector<Write> writes, std::int64_t instant_ms = 0);

fhir::search::ValueRange Exactly(fhir::search::IndexId index, std::string value);
fhir::search::ValueRange Between(fhir::search::IndexId index, std::string from, std::string to);
fhir::search::Expression HasValue(fhir::search::IndexId index, std::string value);

class StoreTest : public testing::Test {
 protected:
  void SetUp() override { Open({.in_memory = true}); }
  // Before the directories of a derived fixture go.
  void TearDown() override { Close(); }

  void Open(const StoreOptions& options);
  void Close() { store_.reset(); }

  // Waits for the answer.
  CommitResult Commit(std::unique_ptr<Transaction> transaction);
  CommitResult Commit(std::vector<Write> writes, std::int64_t instant_ms = 0) {
    return Commit(Of(std::move(writes), instant_ms));
  }
  // Commits and expects it to succeed.
  CommitResult Must(std::vector<Write> writes, std::int64_t instant_ms = 0);
  // Commits all in one group, in this order.
  std::vector<CommitResult> CommitTogether(std::vector<std::unique_ptr<Transaction>> transactions);

  // Ids in the order of the answer.
  std::vector<std::string> Search(const Snapshot& snapshot, std::string_view type,
                                  const fhir::search::Expression& where,
                                  std::vector<fhir::search::SortKey> sort = {},
                                  PageRequest request = {.offset = 0, .limit = 1'000'000});
  std::vector<std::string> Search(std::string_view type, const fhir::search::Expression& where,
                                  std::vector<fhir::search::SortKey> sort = {}) {
    return Search(*store_->Latest(), type, where, std::move(sort));
  }
  std::vector<std::string> IdsOf(const Snapshot& snapshot, std::string_view type,
                                 const std::vector<std::uint64_t>& documents);
  int StatusOfRead(std::string_view type, std::string_view id);

  std::unique_ptr<Engine> store_;
};

}  // namespace storage
