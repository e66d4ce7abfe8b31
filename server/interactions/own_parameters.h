// server/interactions/own_parameters.h
//
// SearchParameter resources that are written and stored: which search
// parameters are in force after a transaction, and at start.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "fhir/base/result.h"
#include "fhir/search/registry.h"
#include "storage/transaction.h"

namespace server {

// Why one of a transaction's writes cannot be.
struct RejectedWrite {
  std::size_t write = 0;  // In Transaction::writes.
  fhir::Error error;      // Unprocessable, naming the element of the SearchParameter.
};

// Sets transaction->next_registry if what it writes and deletes changes the search parameters.
// REQUIRES: the writes are complete, and transaction->registry is what they were prepared with.
// Cost: nothing if it writes no SearchParameter; else the types that are concerned are compiled.
tl::expected<void, RejectedWrite> PlanRegistry(storage::Transaction* transaction);

// The same for a transaction of one write.
fhir::Result<void> PlanRegistryOfOne(storage::Transaction* transaction);

// R4's parameters with the active ones among `stored` (SearchParameters as JSON) and those of the
// bundle file. One of `stored` that does not fit any more is logged and left out; one of the
// bundle's is an error that names its entry.
fhir::Result<fhir::search::RegistryPtr> LoadRegistry(
    const fhir::search::Registry& r4, const std::vector<std::string>& stored,
    const std::vector<fhir::search::OwnParameter>& bundle,
    const std::function<void(const std::string&)>& log);

}  // namespace server
