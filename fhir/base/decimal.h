// fhir/base/decimal.h
//
// Exact decimals of any length as byte strings in numeric order. Nothing is
// rounded: 1.10 and 1.1 are equal, 0.1 + 0.2 problems do not exist.
//
//   zero        0x80
//   positive    0xC0 | exponent (2 bytes, biased) | digit pairs + 1 … | 0x00
//   negative    the bytes of its absolute value, each inverted
//
// These bytes are on disk (docs/storage-format.md).
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace fhir {

// (negative ? -1 : 1) * digits * 10^exponent.
struct Decimal {
  bool negative = false;
  std::string digits = "0";  // At least one; leading and trailing zeros are possible.
  int exponent = 0;

  bool IsZero() const { return digits.find_first_not_of('0') == std::string::npos; }
};

// low <= high, for negative numbers too.
struct DecimalBounds {
  Decimal low;
  Decimal high;
};

// True for what FHIR's decimal and a search value may look like (JSON number syntax; a leading + or
// zeros are refused). Exponents beyond ±9999 and more than 1,000 characters are refused.
bool IsDecimal(std::string_view text);

// Nothing unless IsDecimal(text).
std::optional<Decimal> ParseDecimal(std::string_view text);

// Self-delimiting: an encoding is never a prefix of another.
// REQUIRES: value < 10^30000, and >= 10^-30000 unless it is 0.
std::string EncodeDecimal(const Decimal& value);
// Nothing unless IsDecimal(text).
std::optional<std::string> EncodeDecimal(std::string_view text);

// The half-open range that the last digit leaves open (R4 3.1.1.4.2): 5.4 is [5.35, 5.45); 100 is
// [99.5, 100.5); 1e2 is [50, 150).
DecimalBounds ImplicitBounds(const Decimal& value);

// [0.9 v, 1.1 v], for the prefix `ap`.
DecimalBounds ApproximateBounds(const Decimal& value);

// Length of the encoded decimal at the start of `bytes`, or nothing if they end before it does.
std::optional<std::size_t> EncodedDecimalSize(std::string_view bytes);

}  // namespace fhir
