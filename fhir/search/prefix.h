// fhir/search/prefix.h
//
// The two letters before a number, date or quantity (R4 3.1.1.4.5): ge2020.
#pragma once

#include <cstdint>
#include <string_view>

namespace fhir::search {

enum class Prefix : std::uint8_t { kEq, kNe, kGt, kLt, kGe, kLe, kSa, kEb, kAp };

// Takes the prefix off the front of `text`; kEq if there is none. Unknown letters stay, and make
// the rest a bad number or date.
Prefix TakePrefix(std::string_view* text);

}  // namespace fhir::search
