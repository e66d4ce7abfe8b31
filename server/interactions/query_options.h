// server/interactions/query_options.h
//
// What the search layer and the store need to know of a request.
#pragma once

#include <cstdint>

#include "fhir/search/extract.h"
#include "fhir/search/query.h"
#include "server/runtime/context.h"
#include "server/runtime/request.h"
#include "storage/store.h"

namespace server {

// `now_ms` is what dates are "about" (prefix ap), Unix time.
fhir::search::QueryOptions QueryOptionsOf(const Request& request, const Context& context,
                                          bool lenient, std::int64_t now_ms);

// Bounds a request's work as a whole; what it searches has a SearchBudget besides.
storage::Budget BudgetOf(const Request& request);

fhir::search::ExtractOptions ExtractOptionsOf(const Context& context);

}  // namespace server
