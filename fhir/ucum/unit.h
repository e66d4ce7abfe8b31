// fhir/ucum/unit.h
//
// Units of measure as UCUM writes them (https://ucum.org/ucum, case-sensitive
// codes), in terms of base units: mg/dL, 10*3/uL, mm[Hg], m2.s-1, {score}.
//
// Annotations say nothing about the unit and are passed over, as UCUM 2.1 §6
// demands: {score} is 1.
#pragma once

#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "fhir/base/decimal.h"
#include "fhir/ucum/ratio.h"

namespace fhir::ucum {

// A value v of the unit is (v + offset) * factor of the product of `bases`.
struct Unit {
  Ratio factor;
  // Codes of base units with exponents that are not 0; sorted by code. Texts live for ever.
  std::vector<std::pair<std::string_view, int>> bases;
  Decimal offset;  // Not 0: a scale such as Celsius, which stands alone.
};

// Nothing if it is no code of UCUM, has no straight line to base units (pH, decibel; Celsius
// within a product), or has more than 255 characters or exponents of more than two digits.
std::optional<Unit> ParseUnit(std::string_view code);

}  // namespace fhir::ucum
