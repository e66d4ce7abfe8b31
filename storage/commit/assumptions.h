// storage/commit/assumptions.h
//
// Whether what a transaction found when it was prepared still holds after all
// that was committed since, and after its predecessors in the group.
#pragma once

#include <cstdint>

#include "fhir/base/result.h"
#include "storage/commit/overlay.h"
#include "storage/transaction.h"

namespace storage {

// What one transaction's assumptions may cost, in keys read and values compared: all others wait
// for it. A fraction of a second; an assumption about an identifier costs some ten.
inline constexpr std::int64_t kMaxAssumptionWork = 500'000;

// False, too, if `work_left` does not suffice to tell: whoever prepares again finds out elsewhere.
// Cost: nothing if the type was not written since `prepared_at`; else a search. Blocking.
fhir::Result<bool> Holds(const Assumption& assumption, std::uint64_t prepared_at, Overlay* overlay,
                         std::int64_t* work_left);

}  // namespace storage
