// load-testing/generator/json_text.h
//
// Writes JSON by appending text to a string: what is fixed is a literal, what
// varies is escaped or known to need no escaping. The generator writes what it
// knows beforehand, so it needs no tree and no parser.
//
// Thread-safety: free functions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace load_testing {

// Appends all parts as they are.
template <class... Parts>
void Append(std::string& out, const Parts&... parts) {
  (out.append(std::string_view(parts)), ...);
}

// `text` as JSON string, with its quotes.
std::string Quoted(std::string_view text);

void AppendInteger(std::string& out, std::int64_t value);

// Rounded to so many decimals (at most 9), without trailing zeros.
void AppendDecimal(std::string& out, double value, int decimals);

void AppendBase64(std::string& out, std::string_view bytes);

}  // namespace load_testing
