#include "fhir/ucum/canonical_unit.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <unordered_map>
#include <utility>

#include "fhir/base/check.h"

namespace fhir::ucum {
namespace {

// Values of 15 digits in units whose factors have 10 differ within 35, if they differ.
constexpr int kDigits = 40;
constexpr int kMaxOffsetExponent = 60;

// What measurements are mostly given in: not parsed each time.
constexpr std::string_view kCommonCodes[] = {
    "%",       "/min",     "1",        "10*12/L", "10*3/mm3", "10*3/uL", "10*6/uL",
    "10*9/L",  "Cel",      "L",        "L/min",   "U/L",      "U/mL",    "[IU]",
    "[IU]/L",  "[IU]/mL",  "[degF]",   "[iU]/L",  "[in_i]",   "[lb_av]", "a",
    "cm",      "cm2",      "d",        "fL",      "g",        "g/L",     "g/dL",
    "g/mL",    "h",        "kPa",      "kU/L",    "kg",       "kg/m2",   "km",
    "m",       "m/s",      "m2",       "mL",      "mL/h",     "mL/min",  "mL/min/{1.73_m2}",
    "m[IU]/L", "m[IU]/mL", "meq/L",    "mg",      "mg/L",     "mg/d",    "mg/dL",
    "mg/g",    "mg/kg",    "mg/mL",    "min",     "mm",       "mm/h",    "mm[Hg]",
    "mmol",    "mmol/L",   "mmol/mol", "mo",      "mosm/kg",  "ms",      "ng",
    "ng/L",    "ng/dL",    "ng/mL",    "nmol/L",  "pg",       "pg/mL",   "pmol/L",
    "s",       "u[IU]/mL", "ug",       "ug/L",    "ug/dL",    "ug/g",    "ug/mL",
    "um",      "umol/L",   "wk",       "{INR}",   "{ratio}",  "{score}"};

std::string NameOf(const Unit& unit) {
  std::string name;
  for (const auto& [code, exponent] : unit.bases) {
    if (!name.empty()) name += '.';
    name += code;
    if (exponent != 1) name += std::to_string(exponent);
  }
  return name.empty() ? "1" : name;
}

Integer PowerOfTen(int exponent) {
  return boost::multiprecision::pow(Integer(10), static_cast<unsigned>(exponent));
}

// The exponent of the first digit. REQUIRES: not zero.
int Magnitude(const Decimal& value) {
  return value.exponent +
         static_cast<int>(value.digits.size() - value.digits.find_first_not_of('0'));
}

Integer Scaled(const Decimal& value, int exponent) {
  const Integer scaled = ToInteger(value) * PowerOfTen(value.exponent - exponent);
  return value.negative ? -scaled : scaled;
}

Decimal Sum(const Decimal& value, const Decimal& offset) {
  if (value.IsZero() || Magnitude(value) < -kMaxOffsetExponent) return offset;
  if (Magnitude(value) > kMaxOffsetExponent) return value;
  const int exponent = std::min(value.exponent, offset.exponent);
  const Integer sum = Scaled(value, exponent) + Scaled(offset, exponent);
  return {sum < 0, abs(sum).str(), exponent};
}

std::uint64_t SmallOrZero(const Integer& number) {
  return number <= std::numeric_limits<std::uint64_t>::max() ? static_cast<std::uint64_t>(number)
                                                             : 0;
}

__extension__ using Wide = unsigned __int128;

void AppendNumber(Wide number, std::string* out) {
  constexpr std::uint64_t kChunk = 1'000'000'000'000'000'000;
  char digits[20];
  if (number >= kChunk) {
    AppendNumber(number / kChunk, out);
    const auto rest = static_cast<std::uint64_t>(number % kChunk);
    // With its leading zeros: 1… is taken off.
    const auto end = std::to_chars(digits, digits + sizeof digits, rest + kChunk).ptr;
    out->append(digits + 1, end);
    return;
  }
  const auto end =
      std::to_chars(digits, digits + sizeof digits, static_cast<std::uint64_t>(number)).ptr;
  out->append(digits, end);
}

// value * numerator / denominator without big integers; false if it takes them.
bool MultiplySmall(const Decimal& value, std::uint64_t numerator, std::uint64_t denominator,
                   std::string* digits) {
  constexpr std::size_t kMaxDigits = 19;
  if (numerator == 0 || denominator == 0 || value.digits.size() > kMaxDigits) return false;
  std::uint64_t number = 0;
  const char* end = value.digits.data() + value.digits.size();
  if (std::from_chars(value.digits.data(), end, number).ptr != end) return false;
  const Wide product = Wide{number} * numerator;
  if (product % denominator != 0) return false;
  AppendNumber(product / denominator, digits);
  return true;
}

Decimal Product(const Decimal& value, const Ratio& factor) {
  Decimal product{value.negative, {}, value.exponent + factor.Exponent()};
  Integer number = ToInteger(value) * factor.Numerator();
  if (const Integer& denominator = factor.Denominator(); denominator != 1) {
    // It has no factor in common with 10: either it divides the number, or no decimal is exact.
    if (number % denominator != 0) {
      const int more = kDigits + static_cast<int>(msb(denominator)) / 3 + 1;
      number = number * PowerOfTen(more) / denominator;
      product.exponent -= more;
      product.digits = number.str();
      const int surplus = static_cast<int>(product.digits.size()) - kDigits;
      product.digits.resize(kDigits);
      product.exponent += surplus;
      return product;
    }
    number /= denominator;
  }
  product.digits = number.str();
  return product;
}

// The common units. Immutable once built.
const CanonicalUnit* FindCommonUnit(std::string_view code) {
  static const std::unordered_map<std::string_view, CanonicalUnit> units = [] {
    std::unordered_map<std::string_view, CanonicalUnit> made;
    for (const std::string_view common : kCommonCodes) {
      const auto unit = ParseUnit(common);
      FHIR_CHECK(unit.has_value(), "common codes are of UCUM");
      made.try_emplace(common, *unit);
    }
    return made;
  }();
  const auto at = units.find(code);
  return at == units.end() ? nullptr : &at->second;
}

}  // namespace

CanonicalUnit::CanonicalUnit(const Unit& unit)
    : factor_(unit.factor),
      offset_(unit.offset),
      name_(NameOf(unit)),
      numerator_(SmallOrZero(factor_.Numerator())),
      denominator_(SmallOrZero(factor_.Denominator())) {}

Decimal CanonicalUnit::Convert(const Decimal& value) const {
  if (!offset_.IsZero()) return Product(Sum(value, offset_), factor_);
  Decimal converted{value.negative, {}, value.exponent + factor_.Exponent()};
  if (numerator_ == 1 && denominator_ == 1) {
    converted.digits = value.digits;
    return converted;
  }
  if (MultiplySmall(value, numerator_, denominator_, &converted.digits)) return converted;
  return Product(value, factor_);
}

const CanonicalUnit* FindCanonicalUnit(std::string_view code, std::optional<CanonicalUnit>* made) {
  if (const CanonicalUnit* common = FindCommonUnit(code); common != nullptr) return common;
  const auto unit = ParseUnit(code);
  return unit ? &made->emplace(*unit) : nullptr;
}

}  // namespace fhir::ucum
