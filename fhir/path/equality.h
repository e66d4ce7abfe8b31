// fhir/path/equality.h
//
// = and ~ on single items. Deep elements are compared member by member, so both
// take a budget.
//
// Thread-safety: free functions.
#pragma once

#include <optional>

#include "fhir/path/evaluation.h"
#include "fhir/path/item.h"

namespace fhir::path {

// FHIRPath 6.1.1. Nothing where precision, a zone or a unit leaves it open, or when the budget is
// exhausted. Elements with a System value are compared by it, others member by member.
std::optional<bool> Equal(const Item& a, const Item& b, Budget* budget);

// FHIRPath 6.1.2. False when the budget is exhausted.
bool Equivalent(const Item& a, const Item& b, Budget* budget);

}  // namespace fhir::path
