// server/interactions/search_scope.h
//
// Which types a search asks, by its path and `_type`: one, all, or those of a
// compartment (R4 5.1); and the query that its parameters make for each.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "fhir/base/result.h"
#include "fhir/search/query.h"
#include "server/routing/handler.h"

namespace server {

struct SearchScope {
  std::string path;                     // What links lead to: "Patient/x/Observation".
  std::vector<std::string_view> types;  // From the type table.
  bool is_open = false;                 // The path leaves the types to `_type`.
  std::string_view compartment;         // Empty: no compartment.
  std::string_view compartment_id;
};

// REQUIRES: `path` is of a shape that is searched.
SearchScope ScopeOf(const fhir::search::Registry& registry, const PathParameters& path);

// The queries in the order of the result. They differ in type, condition and sort keys; `applied`
// and `ignored` of the first are those of the search. Parameters have to be known in all types: one
// that is not fails, or is ignored in all, as `options` say.
// Errors: as ParseQuery; NotSupported for _sort over several types; TooCostly.
fhir::Result<std::vector<fhir::search::Query>> ParseQueries(
    const fhir::search::Registry& registry, const SearchScope& scope,
    fhir::search::Parameters parameters, const fhir::search::QueryOptions& options);

}  // namespace server
