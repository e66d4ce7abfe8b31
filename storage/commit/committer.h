// storage/commit/committer.h
//
// The one thread that writes. Takes what waits as a group, decides each
// transaction in order, writes all that passed as one synced batch, publishes
// the new state, and only then answers.
//
// Owner: the engine. Thread-safety: Submit may be called by any thread.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "fhir/base/result.h"
#include "storage/cache/resource_cache.h"
#include "storage/commit/integrity.h"
#include "storage/commit/overlay.h"
#include "storage/commit/posting_runs.h"
#include "storage/commit/queue.h"
#include "storage/rocks/database.h"
#include "storage/snapshot.h"

namespace storage {

struct CommitterOptions {
  std::size_t max_in_flight = 1024;
  bool referential_integrity = true;
};

class Committer {
 public:
  using Log = std::function<void(const std::string&)>;

  // All pointers outlive the committer. Starts the thread.
  // `indexes_changed` is called by it whenever other search parameters are in force.
  Committer(const CommitterOptions& options, rocks::Database* database, LatestSnapshot* latest,
            ResourceCache* cache, Log log, std::function<void()> indexes_changed);
  // Commits what waits, then stops. Blocking.
  ~Committer();

  // See Store::Submit.
  fhir::Result<void> Submit(std::unique_ptr<Transaction> transaction, CommitCallback done) {
    return queue_.Push(std::move(transaction), std::move(done));
  }

 private:
  void Run();
  void CommitGroup(std::vector<Pending> group);
  // The sync's time is added to *sync_time.
  fhir::Result<void> Write(const Overlay& overlay, CommitQueue::Clock::duration* sync_time);
  void UpdateCache(const Overlay& overlay);

  const bool referential_integrity_;
  rocks::Database* const database_;
  LatestSnapshot* const latest_;
  ResourceCache* const cache_;
  const Log log_;
  const std::function<void()> indexes_changed_;

  CommitQueue queue_;
  // The commit thread's own:
  KnownTargets known_targets_;
  PostingRuns posting_runs_;
  bool has_failed_ =
      false;  // A write failed: what is on disk is not known, so nothing more is written.
  std::thread thread_;
};

}  // namespace storage
