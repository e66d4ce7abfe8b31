// storage/commit/judge.h
//
// Decides what becomes of each transaction of a group, in order. One that
// passes all checks is added to the overlay; one that does not leaves no trace.
//
// Deterministic: the outcome depends on the committed state and the order of the transactions
// alone, on no clock, random number or thread. So the order may one day come from a replicated log.
//
// Owner: the commit thread, for one group. Thread-safety: single-owner. Blocking: reads the disk.
#pragma once

#include <vector>

#include "fhir/base/result.h"
#include "storage/cache/resource_cache.h"
#include "storage/commit/current.h"
#include "storage/commit/integrity.h"
#include "storage/commit/overlay.h"
#include "storage/commit/planned_write.h"
#include "storage/transaction.h"

namespace storage {

class Judge {
 public:
  // `known` is null if referential integrity is off.
  Judge(Overlay* overlay, ResourceCache* cache, KnownTargets* known)
      : overlay_(overlay), cache_(cache), known_(known), current_(overlay) {}

  // The result to answer once the group is on disk. `transaction` must outlive the overlay.
  CommitResult Decide(Transaction* transaction);

 private:
  Rejection CheckAssumptions(const Transaction& transaction);
  Rejection Plan(Transaction* transaction, std::vector<PlannedWrite>* writes);
  // Looks at preconditions, and says what the write will do.
  fhir::Result<void> PlanWrite(PlannedWrite* planned);
  fhir::Result<void> PlanPut(PlannedWrite* planned);
  fhir::Result<bool> IsSameContent(const PlannedWrite& planned);
  fhir::Result<std::int64_t> InstantOf(const CurrentVersion& current);
  CommitResult Apply(const Transaction& transaction, std::vector<PlannedWrite>* writes);

  Overlay* overlay_;
  ResourceCache* cache_;
  KnownTargets* known_;
  CurrentVersions current_;
};

}  // namespace storage
