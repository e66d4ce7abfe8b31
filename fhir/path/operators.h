// fhir/path/operators.h
//
// What FHIRPath's operators do with the values of their operands, the logical
// ones excepted (evaluation.cc: they may not need both).
#pragma once

#include <compare>
#include <optional>

#include "fhir/path/evaluation.h"

namespace fhir::path {

// Errors: Invalid where FHIRPath calls for an error (several items, types that do not go together).
Result<Collection> Operate(Evaluation* evaluation, const Node& node, Collection left,
                           Collection right);

// `is` and `as`.
Result<Collection> TestType(const Evaluation& evaluation, const Node& node, Items items);

// The order of two System values. Nothing where precision or units leave it open. Errors: Invalid,
// if they are of types that have no common order.
Result<std::optional<std::strong_ordering>> Order(const Item& a, const Item& b,
                                                  std::uint32_t position);

// Nothing if it has no sign. An Integer whose negative does not fit becomes a Decimal.
std::optional<Item> Negate(const Item& system_value);

// The Integer if it is a whole number that fits in 32 bits.
std::optional<Item> ToIntegerItem(const Decimal& value);

}  // namespace fhir::path
