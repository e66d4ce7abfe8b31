#include "fhir/path/decimal.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

namespace fhir::path {

namespace {

constexpr std::array<Int128, kMaxDecimalDigits + 1> kPowers = [] {
  std::array<Int128, kMaxDecimalDigits + 1> powers{};
  powers[0] = 1;
  for (std::size_t i = 1; i < powers.size(); ++i) powers[i] = powers[i - 1] * 10;
  return powers;
}();

constexpr Int128 Absolute(Int128 value) {
  return value < 0 ? -value : value;
}

bool Fits(Int128 units) {
  return Absolute(units) < kPowers[kMaxDecimalDigits];
}

// units · 10^digits. Nothing if it does not fit. REQUIRES: digits >= 0.
std::optional<Int128> Shift(Int128 units, int digits) {
  if (units == 0) return 0;
  if (digits > kMaxDecimalDigits) return std::nullopt;
  Int128 result = 0;
  if (__builtin_mul_overflow(units, kPowers[static_cast<std::size_t>(digits)], &result) ||
      !Fits(result)) {
    return std::nullopt;
  }
  return result;
}

std::optional<Decimal> Checked(Int128 units, int scale) {
  if (units == 0) return Decimal{0, std::min(scale, kMaxDecimalDigits)};
  while ((scale > kMaxDecimalDigits || !Fits(units)) && scale > 0 && units % 10 == 0) {
    units /= 10;
    --scale;
  }
  if (scale > kMaxDecimalDigits || !Fits(units)) return std::nullopt;
  return Decimal{units, scale};
}

struct Aligned {
  Int128 a;
  Int128 b;
  int scale;
};

// Both in units of the finer one.
std::optional<Aligned> Align(const Decimal& a, const Decimal& b) {
  const int scale = std::max(a.scale, b.scale);
  const auto a_units = Shift(a.units, scale - a.scale);
  const auto b_units = Shift(b.units, scale - b.scale);
  if (!a_units || !b_units) return std::nullopt;
  return Aligned{*a_units, *b_units, scale};
}

bool IsDigit(char c) {
  return c >= '0' && c <= '9';
}

// Reads digits at *text into *units and counts them. False if they do not fit.
bool ReadDigits(std::string_view* text, Int128* units, int* count) {
  while (!text->empty() && IsDigit(text->front())) {
    const Int128 next = *units * 10 + (text->front() - '0');
    if (!Fits(next)) return false;
    *units = next;
    ++*count;
    text->remove_prefix(1);
  }
  return true;
}

// "e-7". Nothing if malformed or beyond ±9999.
std::optional<int> ReadExponent(std::string_view text) {
  text.remove_prefix(1);
  const bool negative = !text.empty() && text.front() == '-';
  if (!text.empty() && (text.front() == '-' || text.front() == '+')) text.remove_prefix(1);
  if (text.empty() || text.size() > 4 || !std::ranges::all_of(text, IsDigit)) return std::nullopt;
  int exponent = 0;
  for (const char c : text) exponent = exponent * 10 + (c - '0');
  return negative ? -exponent : exponent;
}

}  // namespace

std::optional<Decimal> ParseDecimal(std::string_view text) {
  constexpr std::size_t kMaxLength = 1000;
  if (text.size() > kMaxLength) return std::nullopt;
  const bool negative = !text.empty() && text.front() == '-';
  if (!text.empty() && (text.front() == '-' || text.front() == '+')) text.remove_prefix(1);
  Int128 units = 0;
  int digits = 0;
  int fraction = 0;
  if (!ReadDigits(&text, &units, &digits) || digits == 0) return std::nullopt;
  if (!text.empty() && text.front() == '.') {
    text.remove_prefix(1);
    if (!ReadDigits(&text, &units, &fraction) || fraction == 0) return std::nullopt;
  }
  if (!text.empty()) {
    if (text.front() != 'e' && text.front() != 'E') return std::nullopt;
    const auto exponent = ReadExponent(text);
    if (!exponent) return std::nullopt;
    fraction -= *exponent;
  }
  if (negative) units = -units;
  if (fraction >= 0) return Checked(units, fraction);
  const auto shifted = Shift(units, -fraction);
  return shifted ? Checked(*shifted, 0) : std::nullopt;
}

std::string ToString(const Decimal& value) {
  std::string digits;
  Int128 rest = Absolute(value.units);
  for (int i = 0; rest != 0 || i <= value.scale; ++i) {
    if (i == value.scale && i > 0) digits.push_back('.');
    digits.push_back(static_cast<char>('0' + static_cast<int>(rest % 10)));
    rest /= 10;
  }
  if (value.units < 0) digits.push_back('-');
  std::ranges::reverse(digits);
  return digits;
}

Decimal Normalized(Decimal value) {
  while (value.scale > 0 && value.units % 10 == 0) {
    value.units /= 10;
    --value.scale;
  }
  return value;
}

std::optional<Decimal> Add(const Decimal& a, const Decimal& b) {
  const auto aligned = Align(a, b);
  return aligned ? Checked(aligned->a + aligned->b, aligned->scale) : std::nullopt;
}

std::optional<Decimal> Subtract(const Decimal& a, const Decimal& b) {
  return Add(a, Negate(b));
}

std::optional<Decimal> Multiply(const Decimal& a, const Decimal& b) {
  Int128 units = 0;
  if (!__builtin_mul_overflow(a.units, b.units, &units)) return Checked(units, a.scale + b.scale);
  const Decimal x = Normalized(a);
  const Decimal y = Normalized(b);
  if (__builtin_mul_overflow(x.units, y.units, &units)) return std::nullopt;
  return Checked(units, x.scale + y.scale);
}

std::optional<Decimal> Divide(const Decimal& a, const Decimal& b) {
  if (b.units == 0) return std::nullopt;
  const Decimal x = Normalized(a);
  const Decimal y = Normalized(b);
  const Int128 divisor = Absolute(y.units);
  Int128 quotient = Absolute(x.units) / divisor;
  Int128 rest = Absolute(x.units) % divisor;
  int scale = x.scale - y.scale;
  // Digit by digit, as on paper: the rest stays below the divisor, so nothing overflows.
  while ((rest != 0 && scale < kQuotientScale) || scale < 0) {
    if (!Fits(quotient * 10)) return std::nullopt;
    rest *= 10;
    quotient = quotient * 10 + rest / divisor;
    rest %= divisor;
    ++scale;
  }
  if (rest >= divisor - rest) ++quotient;
  if ((x.units < 0) != (y.units < 0)) quotient = -quotient;
  const auto result = Checked(quotient, scale);
  return result ? std::optional(Normalized(*result)) : std::nullopt;
}

std::optional<Decimal> DivideToInteger(const Decimal& a, const Decimal& b) {
  if (b.units == 0) return std::nullopt;
  const auto aligned = Align(a, b);
  return aligned ? Checked(aligned->a / aligned->b, 0) : std::nullopt;
}

std::optional<Decimal> Remainder(const Decimal& a, const Decimal& b) {
  if (b.units == 0) return std::nullopt;
  const auto aligned = Align(a, b);
  return aligned ? Checked(aligned->a % aligned->b, aligned->scale) : std::nullopt;
}

Decimal Negate(const Decimal& value) {
  return {-value.units, value.scale};
}

std::strong_ordering Compare(const Decimal& a, const Decimal& b) {
  if (const auto aligned = Align(a, b)) {
    return aligned->a < aligned->b   ? std::strong_ordering::less
           : aligned->a > aligned->b ? std::strong_ordering::greater
                                     : std::strong_ordering::equal;
  }
  // The coarser one is too big to be written in the other's units: its sign decides.
  const bool a_is_huge = a.scale < b.scale;
  const bool negative = (a_is_huge ? a : b).units < 0;
  return a_is_huge == negative ? std::strong_ordering::less : std::strong_ordering::greater;
}

std::optional<Decimal> Rescale(const Decimal& value, int scale, Rounding rounding) {
  if (scale >= value.scale) {
    const auto units = Shift(value.units, scale - value.scale);
    if (!units || scale > kMaxDecimalDigits) return std::nullopt;
    return Decimal{*units, scale};
  }
  const Int128 step = kPowers[static_cast<std::size_t>(value.scale - scale)];
  Int128 units = value.units / step;
  const Int128 rest = value.units % step;
  switch (rounding) {
    case Rounding::kHalfAwayFromZero:
      if (Absolute(rest) >= step - Absolute(rest)) units += value.units < 0 ? -1 : 1;
      break;
    case Rounding::kDown: units -= rest < 0 ? 1 : 0; break;
    case Rounding::kUp: units += rest > 0 ? 1 : 0; break;
    case Rounding::kTowardsZero: break;
  }
  return Decimal{units, scale};
}

std::optional<std::int64_t> ToInteger(const Decimal& value) {
  const Decimal whole = Normalized(value);
  if (whole.scale != 0 || whole.units > INT64_MAX || whole.units < INT64_MIN) return std::nullopt;
  return static_cast<std::int64_t>(whole.units);
}

long double ToLongDouble(const Decimal& value) {
  const Decimal plain = Normalized(value);
  return static_cast<long double>(plain.units) /
         static_cast<long double>(kPowers[static_cast<std::size_t>(plain.scale)]);
}

std::optional<Decimal> FromLongDouble(long double value) {
  if (!std::isfinite(value)) return std::nullopt;
  char text[64];
  const int size = std::snprintf(text, sizeof text, "%.14Le", value);
  // Beyond 37 digits behind the point nothing is left of it.
  if (value != 0 && std::fabs(value) < 1e-20L) return Decimal{};
  const auto decimal = ParseDecimal({text, static_cast<std::size_t>(size)});
  return decimal ? std::optional(Normalized(*decimal)) : std::nullopt;
}

}  // namespace fhir::path
