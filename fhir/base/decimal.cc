// fhir/base/decimal.cc
#include "fhir/base/decimal.h"

#include <cstdint>
#include <utility>

#include "fhir/base/bytes.h"

namespace fhir {
namespace {

constexpr std::size_t kMaxCharacters = 1000;
constexpr int kMaxExponent = 9999;
constexpr int kExponentBias = 0x8000;
constexpr char kZero = '\x80';
constexpr char kPositive = '\xC0';

bool IsDigit(char c) {
  return c >= '0' && c <= '9';
}

std::string_view TakeDigits(std::string_view* rest) {
  std::size_t n = 0;
  while (n < rest->size() && IsDigit((*rest)[n])) ++n;
  std::string_view digits = rest->substr(0, n);
  rest->remove_prefix(n);
  return digits;
}

// The exponent behind "e"; nothing if it is malformed or out of bounds.
std::optional<int> ParseExponent(std::string_view rest) {
  bool negative = rest.starts_with('-');
  if (negative || rest.starts_with('+')) rest.remove_prefix(1);
  if (rest.empty()) return std::nullopt;
  int exponent = 0;
  for (char c : rest) {
    if (!IsDigit(c)) return std::nullopt;
    exponent = exponent * 10 + (c - '0');
    if (exponent > kMaxExponent) return std::nullopt;
  }
  return negative ? -exponent : exponent;
}

struct Parts {
  bool negative = false;
  std::string_view whole;
  std::string_view fraction;
  int exponent = 0;
};

std::optional<Parts> Split(std::string_view text) {
  if (text.size() > kMaxCharacters) return std::nullopt;
  Parts parts;
  if (text.starts_with('-')) {
    parts.negative = true;
    text.remove_prefix(1);
  }
  parts.whole = TakeDigits(&text);
  if (parts.whole.empty()) return std::nullopt;
  if (parts.whole.size() > 1 && parts.whole.front() == '0') return std::nullopt;
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    parts.fraction = TakeDigits(&text);
    if (parts.fraction.empty()) return std::nullopt;
  }
  if (text.starts_with('e') || text.starts_with('E')) {
    std::optional<int> exponent = ParseExponent(text.substr(1));
    if (!exponent) return std::nullopt;
    parts.exponent = *exponent;
    text = {};
  }
  if (!text.empty()) return std::nullopt;
  return parts;
}

// REQUIRES: not zero.
void Decrement(std::string* digits) {
  for (std::size_t i = digits->size(); i-- > 0;) {
    if ((*digits)[i]-- != '0') return;
    (*digits)[i] = '9';
  }
}

void Multiply(std::string* digits, int factor) {
  int carry = 0;
  for (std::size_t i = digits->size(); i-- > 0;) {
    int product = ((*digits)[i] - '0') * factor + carry;
    (*digits)[i] = static_cast<char>('0' + product % 10);
    carry = product / 10;
  }
  if (carry > 0) digits->insert(0, std::to_string(carry));
}

// `outer` is further from zero, or of the other sign.
DecimalBounds InOrder(Decimal inner, Decimal outer) {
  if (outer.negative) std::swap(inner, outer);
  return {std::move(inner), std::move(outer)};
}

}  // namespace

bool IsDecimal(std::string_view text) {
  return Split(text).has_value();
}

std::optional<Decimal> ParseDecimal(std::string_view text) {
  std::optional<Parts> parts = Split(text);
  if (!parts) return std::nullopt;
  Decimal decimal;
  decimal.negative = parts->negative;
  decimal.digits.clear();
  decimal.digits.reserve(parts->whole.size() + parts->fraction.size() + 2);
  decimal.digits.append(parts->whole).append(parts->fraction);
  decimal.exponent = parts->exponent - static_cast<int>(parts->fraction.size());
  return decimal;
}

std::string EncodeDecimal(const Decimal& value) {
  std::size_t first = value.digits.find_first_not_of('0');
  if (first == std::string::npos) return {kZero};
  std::size_t last = value.digits.find_last_not_of('0');
  // As 0.d1d2d3… * 10^exponent, so that the exponent alone orders numbers of different size.
  int exponent = value.exponent + static_cast<int>(value.digits.size() - first);
  std::string bytes;
  bytes.reserve(5 + (last - first) / 2);
  bytes.push_back(kPositive);
  AppendU16(&bytes, static_cast<std::uint16_t>(exponent + kExponentBias));
  for (std::size_t i = first; i <= last; i += 2) {
    int low = i + 1 <= last ? value.digits[i + 1] - '0' : 0;
    bytes.push_back(static_cast<char>((value.digits[i] - '0') * 10 + low + 1));
  }
  bytes.push_back('\0');
  if (value.negative) {
    for (char& byte : bytes) byte = static_cast<char>(~byte);
  }
  return bytes;
}

std::optional<std::string> EncodeDecimal(std::string_view text) {
  std::optional<Decimal> value = ParseDecimal(text);
  if (!value) return std::nullopt;
  return EncodeDecimal(*value);
}

DecimalBounds ImplicitBounds(const Decimal& value) {
  // Half a unit of the last digit is 5 of the next: |v| + 5 and |v| - 5 at one more digit.
  Decimal outer = value;
  outer.exponent -= 1;
  Decimal inner = outer;
  outer.digits.push_back('5');
  if (value.IsZero()) {
    inner.negative = !inner.negative;
  } else {
    Decrement(&inner.digits);
  }
  inner.digits.push_back('5');
  return InOrder(std::move(inner), std::move(outer));
}

DecimalBounds ApproximateBounds(const Decimal& value) {
  Decimal outer = value;
  outer.exponent -= 1;
  Decimal inner = outer;
  Multiply(&inner.digits, 9);
  Multiply(&outer.digits, 11);
  return InOrder(std::move(inner), std::move(outer));
}

std::optional<std::size_t> EncodedDecimalSize(std::string_view bytes) {
  if (bytes.empty()) return std::nullopt;
  if (bytes.front() == kZero) return 1;
  const char end = bytes.front() == kPositive ? '\0' : '\xFF';
  const std::size_t at = bytes.find(end, 3);
  if (at == std::string_view::npos) return std::nullopt;
  return at + 1;
}

}  // namespace fhir
