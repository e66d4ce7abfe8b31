// fhir/search/types/token.h
//
// What "system|code" means, for the types that search by it.
#pragma once

#include <string>
#include <string_view>

#include "fhir/base/result.h"
#include "fhir/search/types/search_type.h"

namespace fhir::search {

// A search value split: code, system|code, |code, system|.
struct TokenText {
  bool has_bar = false;  // Without one, any system will do.
  std::string system;    // Empty behind a bar: only tokens without system.
  std::string code;      // Empty: any code of the system.
};

// Errors: Invalid, if there is neither system nor code, or more than one bar.
Result<TokenText> SplitToken(const SearchValue& value);

// Appends a code, shortened, and the NUL that ends it.
void AppendCode(std::string* out, std::string_view code);

// Appends 8 bytes: the system's hash, or zeros for no system.
void AppendSystem(std::string* out, std::string_view system);

// REQUIRES: `value` is a code's.
bool FitsToken(const AnyCaseToken& token, std::string_view value);

// Adds what a boolean element of this value would.
void EncodeFlag(bool flag, ValueSink* sink);

}  // namespace fhir::search
