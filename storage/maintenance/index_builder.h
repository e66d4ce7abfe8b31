// storage/maintenance/index_builder.h
//
// Brings indexes that came later up to what was there before: reads the
// resources of a type in the order of their documents and writes the postings
// of the new indexes through the commit thread, a step at a time, with how far
// it came. So a restart goes on where the last step ended, and the commit
// thread stays the only one that writes.
//
// Which documents: those that were numbered before the index was in force and
// are current when the step is made. Whatever is written later brings its own
// entries, and what ends meanwhile is in no state that may use the index
// (IndexState::complete_from).
#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "fhir/search/extraction_plan.h"
#include "storage/commit/committer.h"
#include "storage/snapshot.h"
#include "storage/store.h"

namespace storage {

// Owner: the engine, and stops before the committer does.
// Thread-safety: Wake may be called by any thread.
class IndexBuilder {
 public:
  // The pointers outlive the builder. Starts its thread.
  IndexBuilder(IndexBuildOptions options, const LatestSnapshot* latest, Committer* committer);
  // Ends after the step that it is at. Blocking.
  ~IndexBuilder();

  // There may be indexes to build.
  void Wake();

 private:
  // Some indexes of one type that have come equally far, and the documents to read next.
  struct Work {
    TypeNumber type = 0;
    std::vector<fhir::search::IndexId> indexes;
    std::uint64_t from = 0;
    std::uint64_t to = 0;
  };
  enum class Outcome { kDone, kAgain, kStop };

  void Run();
  std::optional<Work> FindWork(const Snapshot& snapshot) const;
  // Sets *read to how many resources it read.
  fhir::Result<BuildStep> MakeStep(const Snapshot& snapshot, const Work& work,
                                   std::size_t* read) const;
  Outcome Commit(BuildStep step, const Snapshot& snapshot);
  void LogProgress(const NumberRegistry& numbers, const Work& work);
  // False: it is time to stop.
  bool Pause(std::chrono::steady_clock::duration time);

  const IndexBuildOptions options_;
  const LatestSnapshot* const latest_;
  Committer* const committer_;
  std::map<fhir::search::IndexId, int> logged_percent_;  // The thread's own.

  std::mutex mu_;
  std::condition_variable changed_;
  // Guarded by mu_:
  bool is_stopping_ = false;
  bool has_news_ = true;

  std::thread thread_;
};

}  // namespace storage
