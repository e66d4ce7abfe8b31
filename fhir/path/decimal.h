// fhir/path/decimal.h
//
// Exact decimal numbers of up to 37 digits for FHIRPath's arithmetic. 1.10 keeps
// its scale; sums, differences and products are exact or "no value", never
// rounded. (fhir/base/decimal.h orders decimals of any length and computes
// nothing.)
//
// Thread-safety: values and free functions.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace fhir::path {

__extension__ using Int128 = __int128;

inline constexpr int kMaxDecimalDigits = 37;  // 10^37 and ten times it fit in an Int128.
// Digits behind the point that a quotient is rounded to, half away from zero.
inline constexpr int kQuotientScale = 20;

// units · 10^-scale. |units| < 10^37 and 0 <= scale <= 37, always.
struct Decimal {
  Int128 units = 0;
  int scale = 0;

  static Decimal FromInteger(std::int64_t value) { return {value, 0}; }
};

// JSON's number syntax, with leading zeros and a sign allowed. Nothing if it is not a number or has
// more digits than fit.
std::optional<Decimal> ParseDecimal(std::string_view text);
std::string ToString(const Decimal& value);

// Without zeros at the end of its fraction.
Decimal Normalized(Decimal value);

// Nothing: the result has more digits than fit, or a division by zero.
std::optional<Decimal> Add(const Decimal& a, const Decimal& b);
std::optional<Decimal> Subtract(const Decimal& a, const Decimal& b);
std::optional<Decimal> Multiply(const Decimal& a, const Decimal& b);
std::optional<Decimal> Divide(const Decimal& a, const Decimal& b);
// The quotient without its fraction, and what remains: both take the sign of `a`.
std::optional<Decimal> DivideToInteger(const Decimal& a, const Decimal& b);
std::optional<Decimal> Remainder(const Decimal& a, const Decimal& b);
Decimal Negate(const Decimal& value);

std::strong_ordering Compare(const Decimal& a, const Decimal& b);

enum class Rounding { kHalfAwayFromZero, kDown, kUp, kTowardsZero };

// To exactly `scale` digits behind the point, zeros added where it has fewer. Nothing if that does
// not fit. REQUIRES: scale >= 0.
std::optional<Decimal> Rescale(const Decimal& value, int scale, Rounding rounding);

// Nothing if it has a fraction other than zero or does not fit in 64 bits.
std::optional<std::int64_t> ToInteger(const Decimal& value);

// For roots, powers and logarithms only. Back: rounded to 15 significant digits, nothing if it is
// not finite or does not fit.
long double ToLongDouble(const Decimal& value);
std::optional<Decimal> FromLongDouble(long double value);

}  // namespace fhir::path
