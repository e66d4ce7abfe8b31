// fhir/base/text.h
//
// How strings are compared in searches, and hashes of strings.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace fhir {

// Folds for FHIR's string search: case and accents go (Müller -> muller), runs of white space
// become one space, ends are trimmed, and NUL never appears in the result. ICU; an ASCII text takes
// a short way.
std::string FoldText(std::string_view utf8);

// Takes the first word off a folded text: a run of letters, digits and marks of any script. Empty:
// there is none left. The word is a view into the text.
std::string_view TakeWord(std::string_view* folded);

// Stable 64-bit hash (XXH3): it is in keys on disk and must never change.
std::uint64_t HashText(std::string_view text);

}  // namespace fhir
