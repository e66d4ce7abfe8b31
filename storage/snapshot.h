// storage/snapshot.h
//
// One committed state. What is live is in memory, so that a search never reads
// it; everything else is read through the snapshot's read point.
//
// A state of the past is the newest state minus what came after t: documents numbered below the
// type's watermark at t, of which those are live that are live now or ended after t. So a page link
// needs to carry nothing but t, and nothing is held between two pages.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string_view>
#include <vector>

#include "fhir/base/result.h"
#include "storage/key_layout.h"
#include "storage/number_registry.h"
#include "storage/posting/bitmap.h"
#include "storage/rocks/database.h"

namespace storage {

// The documents of one type. Thread-safety: immutable once published.
struct TypeState {
  // By chunk; null where nothing is live. Shared: a commit copies only the chunks that it changes.
  std::vector<std::shared_ptr<const Bitmap>> live;
  std::uint64_t live_count = 0;
  std::uint64_t next_document = 0;  // All documents are below.
  std::uint64_t last_t = 0;         // The last transaction that wrote this type.

  // Chunks are below.
  std::uint32_t ChunkCount() const { return static_cast<std::uint32_t>(live.size()); }
};
using TypeStatePtr = std::shared_ptr<const TypeState>;

// Owner: shared between the engine and running requests. Does not outlive the database.
// Thread-safety: thread-safe.
class Snapshot {
 public:
  // A newest state. `types` by number, none null.
  Snapshot(const rocks::Database* database, std::shared_ptr<const NumberRegistry> numbers,
           std::uint64_t t, std::int64_t instant_ms, std::vector<TypeStatePtr> types);
  // The state at an earlier `t`. Reads nothing yet.
  Snapshot(std::shared_ptr<const Snapshot> newest, std::uint64_t t, std::int64_t instant_ms);

  std::uint64_t T() const { return t_; }
  std::int64_t InstantMs() const { return instant_ms_; }
  const rocks::ReadPoint* At() const { return read_point_.get(); }
  const rocks::Database& Database() const { return *database_; }
  const NumberRegistry& Numbers() const { return *numbers_; }
  const std::shared_ptr<const NumberRegistry>& SharedNumbers() const { return numbers_; }

  // Blocking, the first time for a type, in a state of the past.
  fhir::Result<TypeStatePtr> StateOf(TypeNumber type) const;
  // All types by number. REQUIRES: a newest state.
  const std::vector<TypeStatePtr>& Types() const { return types_; }

  // The first document of `type` whose transaction is `t` or later. Blocking.
  fhir::Result<std::uint64_t> FirstDocumentFrom(TypeNumber type, std::uint64_t t) const;
  // The first transaction whose instant is `instant_ms` or later; T() + 1 if none. Blocking.
  fhir::Result<std::uint64_t> FirstTransactionFrom(std::int64_t instant_ms) const;

 private:
  fhir::Result<TypeStatePtr> Reconstruct(TypeNumber type, const TypeState& now) const;

  const rocks::Database* database_;
  // Shared: the snapshots between two changes of it have the same.
  std::shared_ptr<const NumberRegistry> numbers_;
  std::uint64_t t_;
  std::int64_t instant_ms_;
  std::shared_ptr<const rocks::ReadPoint> read_point_;
  std::vector<TypeStatePtr> types_;  // Of the newest state that this is, or is made from.
  bool is_past_ = false;

  mutable std::mutex mu_;
  mutable std::vector<TypeStatePtr> past_;  // Guarded by mu_: by number, null until asked for.
};

// The newest snapshot. Readers copy a pointer under a lock that is held no longer than that.
// Owner: the engine. Thread-safety: thread-safe.
class LatestSnapshot {
 public:
  std::shared_ptr<const Snapshot> Get() const {
    const std::lock_guard lock(mu_);
    return snapshot_;
  }
  void Set(std::shared_ptr<const Snapshot> snapshot) {
    // The old one may be the last of its kind: it is released after the lock.
    const std::lock_guard lock(mu_);
    snapshot_.swap(snapshot);
  }

 private:
  mutable std::mutex mu_;
  std::shared_ptr<const Snapshot> snapshot_;  // Guarded by mu_.
};

// Commit instant of transaction `t`, Unix ms. Blocking.
fhir::Result<std::int64_t> ReadInstant(const rocks::Database& database, std::uint64_t t,
                                       const rocks::ReadPoint* at);

}  // namespace storage
