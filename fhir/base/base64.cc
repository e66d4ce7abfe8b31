#include "fhir/base/base64.h"

#include <cstdint>

namespace fhir {
namespace {

constexpr std::string_view kDigits =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::string_view kWhiteSpace = " \t\r\n";

}  // namespace

std::optional<std::string> DecodeBase64(std::string_view text) {
  std::string bytes;
  std::uint32_t bits = 0;
  int bit_count = 0;
  std::size_t characters = 0;
  std::size_t padding = 0;
  for (const char c : text) {
    if (kWhiteSpace.find(c) != std::string_view::npos) continue;
    ++characters;
    if (c == '=') {
      ++padding;
      continue;
    }
    const std::size_t digit = kDigits.find(c);
    if (digit == std::string_view::npos || padding > 0) return std::nullopt;
    bits = bits << 6 | static_cast<std::uint32_t>(digit);
    bit_count += 6;
    if (bit_count >= 8) {
      bit_count -= 8;
      bytes.push_back(static_cast<char>(bits >> bit_count));
    }
  }
  if (characters % 4 != 0 || padding > 2) return std::nullopt;
  return bytes;
}

}  // namespace fhir
