// fhir/path/quantity.h
//
// Quantities across units: their order, sums and products.
//
// Thread-safety: free functions.
#pragma once

#include <compare>
#include <optional>
#include <string_view>

#include "fhir/path/item.h"

namespace fhir::path {

// Nothing if the units measure different things or one is not known (then only with itself).
std::optional<std::strong_ordering> Compare(const Quantity& a, const Quantity& b);
bool AreComparable(const Quantity& a, const Quantity& b);

// Equal when both are in the larger unit and cut to the digits of the coarser; calendar years and
// months count as UCUM's.
bool AreEquivalent(const Quantity& a, const Quantity& b);

// `subtract`: a - b. In the unit of `a`. Nothing if the units do not fit.
std::optional<Quantity> AddQuantities(const Quantity& a, const Quantity& b, bool subtract);
// In a unit made of both: "cm.m", "g/m". Nothing if the value does not fit, or a division by zero.
std::optional<Quantity> Multiply(const Quantity& a, const Quantity& b);
std::optional<Quantity> Divide(const Quantity& a, const Quantity& b);

Quantity QuantityOfNumber(const Decimal& number);
// A quantity, or a number as one. Nothing for other System values.
std::optional<Quantity> QuantityOf(const Item& system_value);

// "1.5 'mg'", "4 days", "1". Nothing for anything else.
std::optional<Quantity> ParseQuantity(std::string_view text);

}  // namespace fhir::path
