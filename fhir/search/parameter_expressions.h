// fhir/search/parameter_expressions.h
//
// What search parameters mean however they are asked: by name in a URL (parameter_parser.h) or in a
// `_filter` (filter/translate.h).
#pragma once

#include <string_view>

#include "fhir/search/expression.h"
#include "fhir/search/registry.h"
#include "fhir/search/types/date.h"

namespace fhir::search {

// A version's instant is a point: the rules of types/date.cc for a range of no width.
Expression LastUpdatedIn(const DateText& date);

// Has the element. All resources have _id and _lastUpdated.
Expression PresenceOf(const SearchParameter& parameter);

// Chains follow references; canonicals name no resource by type and id.
bool CanBeFollowed(const Registry& registry, const SearchParameter& parameter);

// False: none of the parameter's elements has what the modifier asks for.
// REQUIRES: the parameter's type has the modifier.
bool ModifierFits(const Registry& registry, const SearchParameter& parameter,
                  std::string_view modifier);

}  // namespace fhir::search
