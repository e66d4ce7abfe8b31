// tests/e2e/percent_encode.h
#pragma once

#include <string>
#include <string_view>

namespace e2e {

// "a b|c" -> "a%20b%7Cc".
std::string PercentEncode(std::string_view text);

}  // namespace e2e
