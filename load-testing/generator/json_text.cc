#include "load-testing/generator/json_text.h"

#include <charconv>
#include <cstddef>

namespace load_testing {

std::string Quoted(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + '"';
}

void AppendInteger(std::string& out, std::int64_t value) {
  char digits[24];
  const auto result = std::to_chars(digits, digits + sizeof digits, value);
  out.append(digits, result.ptr);
}

void AppendDecimal(std::string& out, double value, int decimals) {
  std::int64_t scale = 1;
  for (int i = 0; i < decimals; ++i) scale *= 10;
  const double scaled = value * static_cast<double>(scale);
  auto units = static_cast<std::int64_t>(scaled < 0 ? scaled - 0.5 : scaled + 0.5);
  if (units < 0) out += '-';
  units = units < 0 ? -units : units;
  AppendInteger(out, units / scale);
  std::int64_t rest = units % scale;
  if (rest == 0) return;
  out += '.';
  while (rest > 0) {
    scale /= 10;
    out += static_cast<char>('0' + rest / scale);
    rest %= scale;
  }
}

void AppendBase64(std::string& out, std::string_view bytes) {
  static constexpr char kAlphabet[] =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const std::size_t begin = out.size();
  out.resize(begin + (bytes.size() + 2) / 3 * 4, '=');
  char* to = out.data() + begin;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t held = bytes.size() - i < 3 ? bytes.size() - i : 3;
    std::uint32_t group = 0;
    for (std::size_t j = 0; j < 3; ++j) {
      group = group << 8 | (j < held ? static_cast<std::uint8_t>(bytes[i + j]) : 0U);
    }
    for (std::size_t j = 0; j <= held; ++j) to[j] = kAlphabet[group >> (18 - 6 * j) & 63U];
    to += 4;
  }
}

}  // namespace load_testing
