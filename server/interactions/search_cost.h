// server/interactions/search_cost.h
//
// What a planned search is expected to read.
#pragma once

#include <cstdint>

#include "fhir/base/result.h"
#include "server/interactions/search.h"
#include "server/runtime/context.h"
#include "storage/store.h"

namespace server {

// Keys and resources. Errors: as Store::Estimate. Blocking: may read the disk.
fhir::Result<std::uint64_t> EstimateCost(const SearchPlan& plan, const Context& context,
                                         const storage::Budget& budget);

}  // namespace server
