// fhir/path/unicode.h
//
// FHIRPath's strings are sequences of code points, ours are UTF-8: lengths,
// positions and case are here. The only file of this folder that includes ICU.
//
// Thread-safety: free functions.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace fhir::path {

std::size_t CountCodePoints(std::string_view utf8);
// Bytes that the first `count` code points take; all of them if there are fewer.
std::size_t BytesOfCodePoints(std::string_view utf8, std::size_t count);
void AppendCodePoint(std::string* out, char32_t code_point);

bool IsUtf8(std::string_view bytes);

// Unicode's full case mapping, in no locale.
std::string ToLower(std::string_view utf8);
std::string ToUpper(std::string_view utf8);

// Without white space at its ends.
std::string_view Trim(std::string_view utf8);
// The form in which equivalent strings are equal: case folded, white space made single spaces.
std::string EquivalentForm(std::string_view utf8);

}  // namespace fhir::path
