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

// Cost: nothing if the type was not written since `prepared_at`; else a search. Blocking.
fhir::Result<bool> Holds(const Assumption& assumption, std::uint64_t prepared_at, Overlay* overlay);

}  // namespace storage
