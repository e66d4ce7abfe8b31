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

struct DecimalRange {
  std::string low;   // Encoded. The half-open range that the last digit leaves open:
  std::string high;  // 5.4 is [5.35, 5.45); 100 is [99.5, 100.5); 1e2 is [50, 150).
};

// True for what FHIR's decimal and a search value may look like (JSON number syntax; a leading + or
// zeros are refused). Exponents beyond ±9999 and more than 1,000 characters are refused.
bool IsDecimal(std::string_view text);

// Self-delimiting: an encoding is never a prefix of another. Nothing unless IsDecimal(text).
std::optional<std::string> EncodeDecimal(std::string_view text);

// The range of implicit precision (R4 3.1.1.4.2).
std::optional<DecimalRange> ImplicitRange(std::string_view text);

// [0.9 v, 1.1 v], for the prefix `ap`; encoded, low <= high for negative values too.
std::optional<DecimalRange> ApproximateRange(std::string_view text);

// Length of the encoded decimal at the start of `bytes`, or nothing if they end before it does.
std::optional<std::size_t> EncodedDecimalSize(std::string_view bytes);

}  // namespace fhir
