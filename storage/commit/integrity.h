// storage/commit/integrity.h
//
// Referential integrity: after a transaction every literal reference of what it
// wrote has a target, and nothing refers to what it deleted. Resources that it
// deletes or re-points itself do not count as referring.
//
// References inside a stored Bundle are not the server's to keep: a document or a message may well
// point at what is elsewhere.
//
// Owner: the committer. Thread-safety: single-owner. Blocking: reads the disk.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <unordered_set>

#include "fhir/base/result.h"
#include "storage/commit/current.h"
#include "storage/commit/overlay.h"
#include "storage/commit/planned_write.h"

namespace storage {

// "Type/id" of resources that were found committed and not deleted since. Many writes refer to few
// patients, practitioners and encounters.
class KnownTargets {
 public:
  bool Contains(std::string_view target) const { return targets_.contains(target); }
  void Add(std::string_view target);
  // Forgets what the group deleted.
  void Forget(const Overlay& written);

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>()(text);
    }
  };
  std::unordered_set<std::string, Hash, std::equal_to<>> targets_;
};

// Rejects with UnresolvedReference, naming the write and the reference.
Rejection CheckReferences(std::span<const PlannedWrite> writes, const Overlay& overlay,
                          CurrentVersions* current, KnownTargets* known);
// Rejects with Conflict, naming the write.
Rejection CheckDeletes(std::span<const PlannedWrite> writes, Overlay* overlay);

}  // namespace storage
