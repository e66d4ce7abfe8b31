// storage/store.h
//
// The store as the server sees it: reads at a snapshot, searches, and
// transactions. Knows FHIR only through fhir/search and never parses JSON.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fhir/base/result.h"
#include "fhir/search/query.h"
#include "fhir/search/registry.h"
#include "storage/resource.h"
#include "storage/transaction.h"

namespace fhir::search {
class ExtractionPlan;
}

namespace storage {

struct StoreOptions {
  bool in_memory = false;         // RocksDB's in-memory file system; the directories are ignored.
  std::string index_dir{};        // Everything but:
  std::string resource_dir{};     // … the resource column family. Empty: index_dir.
  std::string transaction_dir{};  // … the write-ahead log. Empty: index_dir.
  std::size_t block_cache_mib = 128;
  std::size_t resource_cache_mib = 64;
  int scale_factor = 1;  // Multiplies write buffers and file sizes.
  int max_background_jobs = 2;
  std::size_t max_in_flight_transactions = 1024;
  bool referential_integrity = true;
};

// Makes the search parameters of a store that is being opened. `own`: the SearchParameter resources
// in it, as JSON.
using MakeRegistry =
    std::function<fhir::Result<fhir::search::RegistryPtr>(const std::vector<std::string>& own)>;

// How indexes that came later are built behind the requests.
struct IndexBuildOptions {
  std::uint32_t resources_per_second = 10'000;  // More are not read. Not 0.
  // Adds the entries of a plan's indexes in one stored resource.
  std::function<fhir::Result<void>(const fhir::search::ExtractionPlan&, std::string_view json,
                                   fhir::search::IndexEntries*)>
      extract;
  std::function<void(const std::string&)> log;
};

// How far the indexes of a search parameter go.
struct IndexingProgress {
  bool is_complete = true;
  std::uint64_t built = 0;  // Documents (versions) of all that were there before it, …
  std::uint64_t until = 0;  // … as a sum over its indexes.
  std::string problem{};    // Why it will not be complete; empty if it will.

  int Percent() const;
};

class Snapshot;  // storage/snapshot.h: one committed state. Immutable; cheap to hold briefly.
using SnapshotPtr = std::shared_ptr<const Snapshot>;

// Bounds one request's work. Checked every thousand keys.
struct Budget {
  std::chrono::steady_clock::time_point deadline = std::chrono::steady_clock::time_point::max();
  const std::atomic<bool>* cancelled = nullptr;  // Set when the client is gone. May be null.
  // Keys that may be read, counted down; a bound that does not depend on the clock. Null: none.
  std::int64_t* keys_left = nullptr;
  // What an operator changes for more of it; errors name it. Empty: there is no such setting.
  std::string_view deadline_setting{};
  std::string_view keys_setting{};
};

// For work outside of a search. Errors: timeout (503) when the deadline has passed or the client is
// gone, TooCostly when no keys are left. Does not block.
fhir::Result<void> CheckBudget(const Budget& budget);
// Takes `keys` that were read outside of a search off the budget. Errors: as CheckBudget.
fhir::Result<void> ChargeBudget(const Budget& budget, std::int64_t keys);

// What a search is expected to meet. A guess, rather too low than too high.
struct SearchEstimate {
  std::uint64_t documents = 0;  // That match.
  std::uint64_t keys = 0;       // That are read to find them.
};

// One node of a search's expression, for people.
struct PlanNode {
  std::vector<std::uint32_t> number;  // {1, 2}: the second child of the first node.
  const fhir::search::Expression* expression = nullptr;
  std::string type{};  // Of the documents.
  SearchEstimate estimate;
  std::uint64_t documents = 0;  // That match, of those that are current.
  std::int64_t keys = 0;        // That were read to count them.
  std::chrono::nanoseconds time{0};
};
struct SearchPlanNodes {
  std::vector<PlanNode> nodes;  // Parents first; operands in the order in which they are asked.
  bool is_whole = true;         // False: it has more nodes.
};

// Which resources of a result: `limit` of them from position `offset` on. The same snapshot and
// expression give the same order every time.
struct PageRequest {
  std::uint64_t offset = 0;
  std::uint32_t limit = 50;
  bool want_total = true;
};

struct Page {
  std::vector<std::uint64_t> documents;
  bool has_next = false;
  std::optional<std::uint64_t> total;
};

// Which versions of a type's history, or of the history of all types: those committed at `since_ms`
// (Unix time) or later, newest first, deletions included; `limit` of them from position `offset`
// on.
struct HistoryRequest {
  std::string type{};  // Empty: all.
  std::optional<std::int64_t> since_ms{};
  std::uint64_t offset = 0;
  std::uint32_t limit = 50;
};

// Owner: main(); outlives every request and is destroyed after all of them.
// Thread-safety: thread-safe. Readers never wait for writers.
// Blocking: every method may read the disk, unless it says otherwise.
class Store {
 public:
  // `log` is called with one line for each thing that is opened.
  static fhir::Result<std::unique_ptr<Store>> Open(
      const StoreOptions& options, const fhir::search::Registry* registry,
      const std::function<void(const std::string&)>& log);
  // The same, whose own search parameters come out of the store itself.
  static fhir::Result<std::unique_ptr<Store>> Open(
      const StoreOptions& options, const MakeRegistry& make_registry,
      const std::function<void(const std::string&)>& log);
  // Waits for the transactions in flight, then closes.
  virtual ~Store() = default;

  // Starts to build what is not complete, now and whenever search parameters are added. Call once.
  virtual void StartBuilding(IndexBuildOptions options) = 0;

  // The newest committed (and synced) state. Does not block.
  virtual SnapshotPtr Latest() const = 0;
  // The state right after transaction `t`. Errors: Invalid if there was no such t.
  virtual fhir::Result<SnapshotPtr> At(std::uint64_t t) const = 0;

  // Hands a transaction to the commit thread. `done` is called exactly once, unless an error is
  // returned. Does not block. Errors: TooBusy if max_in_flight_transactions wait already.
  // After kCommitted the writes are on disk, and every later Latest() shows them.
  virtual fhir::Result<void> Submit(std::unique_ptr<Transaction> transaction,
                                    CommitCallback done) = 0;

  // The current version from the cache, or null if it is not there. Does not block. Never older
  // than the last transaction that was answered.
  virtual std::shared_ptr<const CachedResource> TryReadCached(std::string_view type,
                                                              std::string_view id) const = 0;
  // The current version; fills the cache. Errors: NotFound if it never existed, Gone if it was
  // deleted.
  virtual fhir::Result<std::shared_ptr<const CachedResource>> Read(std::string_view type,
                                                                   std::string_view id) const = 0;
  // Errors: NotFound if there is no such version, Gone if it is a deletion.
  virtual fhir::Result<std::shared_ptr<const CachedResource>> ReadVersion(
      std::string_view type, std::string_view id, std::uint64_t version) const = 0;

  // All versions up to the snapshot, newest first, deletions included. Errors: NotFound if none.
  virtual fhir::Result<std::vector<VersionRecord>> History(const Snapshot& snapshot,
                                                           std::string_view type,
                                                           std::string_view id) const = 0;

  // Errors: TooCostly or timeout when the budget is used up.
  virtual fhir::Result<Page> Search(const Snapshot& snapshot, std::string_view type,
                                    const fhir::search::Expression& where,
                                    std::span<const fhir::search::SortKey> sort,
                                    const PageRequest& request, const Budget& budget) const = 0;
  virtual fhir::Result<std::uint64_t> Count(const Snapshot& snapshot, std::string_view type,
                                            const fhir::search::Expression& where,
                                            const Budget& budget) const = 0;
  // What Search would cost, from sizes and counts that the database keeps. Errors: as Search.
  // Cost: some microseconds for each range of values, a read for each value below a chain.
  virtual fhir::Result<SearchEstimate> Estimate(const Snapshot& snapshot, std::string_view type,
                                                const fhir::search::Expression& where,
                                                std::span<const fhir::search::SortKey> sort,
                                                const PageRequest& request,
                                                const Budget& budget) const = 0;
  // How `where`, which outlives the answer, is evaluated. Each node is counted by itself, so that it
  // costs as much as a search for each. Errors: as Search.
  virtual fhir::Result<SearchPlanNodes> Explain(const Snapshot& snapshot, std::string_view type,
                                                const fhir::search::Expression& where,
                                                const Budget& budget) const = 0;
  // The ids of the matches, at most `limit` of them. Errors: as Search.
  virtual fhir::Result<std::vector<std::string>> FindIds(const Snapshot& snapshot,
                                                         std::string_view type,
                                                         const fhir::search::Expression& where,
                                                         std::size_t limit,
                                                         const Budget& budget) const = 0;

  // Calls visit(position in `documents`, view) for each, in an order that reads the disk well
  // unless `in_order`, until it returns false. The view is valid during the call only.
  using Visit = std::function<bool(std::size_t, const ResourceView&)>;
  virtual fhir::Result<void> ReadDocuments(const Snapshot& snapshot, std::string_view type,
                                           std::span<const std::uint64_t> documents, bool in_order,
                                           const Visit& visit) const = 0;
  // The same for versions, such as those of History; `visit` is called in their order.
  virtual fhir::Result<void> ReadVersions(std::span<const VersionRecord> versions,
                                          const Visit& visit) const = 0;
  // Calls visit(position - offset, view) for each version of the page, in any order. Returns how
  // many versions there are in all, the page aside.
  virtual fhir::Result<std::uint64_t> ReadHistoryPage(const Snapshot& snapshot,
                                                      const HistoryRequest& request,
                                                      const Visit& visit) const = 0;
  // The current document of a resource, or nothing if it does not exist at the snapshot.
  virtual std::optional<VersionRecord> FindCurrent(const Snapshot& snapshot, std::string_view type,
                                                   std::string_view id) const = 0;

  // A secret of this database for signing page links. Does not block.
  virtual std::uint64_t PageSecret() const = 0;
};

// t and the instant (Unix time, ms) of the last transaction in the snapshot; 0 and 0 when empty.
std::uint64_t TransactionOf(const Snapshot& snapshot);
std::int64_t InstantOf(const Snapshot& snapshot);
// Number of current resources of a type. Reads no disk for a snapshot from Latest(); for one from
// At(), the first call for a type may.
std::uint64_t CountOf(const Snapshot& snapshot, std::string_view type);

// The search parameters in force at the newest snapshot, or at the one that a past one was made
// from. Valid while the snapshot lives. REQUIRES: the store was opened with some.
const fhir::search::Registry& RegistryOf(const Snapshot& snapshot);
const fhir::search::RegistryPtr& SharedRegistryOf(const Snapshot& snapshot);
IndexingProgress ProgressOf(const Snapshot& snapshot,
                            std::span<const fhir::search::IndexId> indexes);
// Errors: NotYet, with how far it is, if one of them does not yet find all resources of the
// snapshot; NotSupported if it never will.
fhir::Result<void> CheckComplete(const Snapshot& snapshot,
                                 std::span<const fhir::search::IndexId> indexes);
// How many indexes are not complete.
std::size_t IncompleteIndexesOf(const Snapshot& snapshot);
// Less than 100 for what is not complete.
int PercentOf(std::uint64_t built, std::uint64_t until);

}  // namespace storage
