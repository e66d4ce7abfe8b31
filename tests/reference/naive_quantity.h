// tests/reference/naive_quantity.h -- numbers and quantities, R4 3.1.1.4.2 and 3.1.1.4.6.
//
// Units of UCUM are converted by a table written by hand, of the units that the data has and some
// more of their kinds.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "fhir/json/document.h"

namespace reference {

// A member's text; empty if it is not there.
std::string Text(const fhir::json::Value& object, std::string_view member);

struct Prefixed {
  std::string prefix = "eq";
  std::string rest;
};
Prefixed SplitPrefix(const std::string& value);

bool NumberHolds(const std::string& value, const std::string& text);
bool QuantityHolds(const std::string& value, const fhir::json::Value& v);

// Values that the quantity answers to, or nearly: in its own unit and in others.
std::vector<std::string> QuantityExamples(const fhir::json::Value& v);

}  // namespace reference
