// fhir/search/escape.h
//
// FHIR's escapes in search values (R4 3.1.1.4.0): \, \| \$ and \\ stand for the
// character itself and do not separate. A backslash before anything else is a
// backslash.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace fhir::search {

// Splits at every unescaped `separator`. The parts keep their escapes; there is at least one part.
std::vector<std::string_view> SplitUnescaped(std::string_view text, char separator);

// The text without escapes.
std::string Unescape(std::string_view text);
// The inverse: nothing in the text separates.
std::string Escape(std::string_view text);

}  // namespace fhir::search
