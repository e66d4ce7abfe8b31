#include "fhir/path/quantity.h"

#include <algorithm>
#include <cstdlib>
#include <string>
#include <utility>

#include "fhir/base/decimal.h"
#include "fhir/path/time_unit.h"
#include "fhir/path/unicode.h"
#include "fhir/ucum/canonical_unit.h"
#include "fhir/ucum/unit.h"

namespace fhir::path {

namespace {

// What a quantity measures: base units of UCUM, or months of the calendar, which have no fixed
// length and go with nothing else.
struct Measure {
  ucum::Unit unit;
  bool in_months = false;
};

std::optional<Measure> MeasureOf(const Quantity& quantity) {
  if (!quantity.is_calendar) {
    if (auto unit = ucum::ParseUnit(quantity.unit.view)) return Measure{*std::move(unit)};
  }
  const auto calendar = FindCalendarUnit(quantity.unit.view);
  if (!calendar) return std::nullopt;
  if (calendar == TimeUnit::kMonth) return Measure{{}, /*in_months=*/true};
  if (calendar == TimeUnit::kYear) {
    return Measure{{ucum::Ratio(fhir::Decimal{false, "12", 0}), {}, {}}, /*in_months=*/true};
  }
  auto unit = ucum::ParseUnit(UcumCode(*calendar));
  return unit ? std::optional(Measure{*std::move(unit)}) : std::nullopt;
}

bool IsSameUnit(const Quantity& a, const Quantity& b) {
  return a.unit.view == b.unit.view && a.is_calendar == b.is_calendar;
}

bool AreCommensurable(const Measure& a, const Measure& b) {
  return a.in_months == b.in_months && a.unit.bases == b.unit.bases;
}

// One unit of `a` in units of `b`.
struct Ratio {
  Decimal numerator{1, 0};
  Decimal denominator{1, 0};
};

// Nothing if it does not fit, or if one of them is a scale with an offset (Celsius).
std::optional<Ratio> RatioOf(const Quantity& a, const Quantity& b) {
  if (IsSameUnit(a, b)) return Ratio{};
  const auto x = MeasureOf(a);
  const auto y = MeasureOf(b);
  if (!x || !y || !AreCommensurable(*x, *y)) return std::nullopt;
  if (!x->unit.offset.IsZero() || !y->unit.offset.IsZero()) return std::nullopt;
  const ucum::Ratio ratio = x->unit.factor * y->unit.factor.ToThe(-1);
  const auto numerator = ParseDecimal(ratio.Numerator().str());
  const auto denominator = ParseDecimal(ratio.Denominator().str());
  const int exponent = ratio.Exponent();
  if (!numerator || !denominator || std::abs(exponent) > kMaxDecimalDigits) return std::nullopt;
  // A power of ten shrinks the other side: a Decimal's scale is not negative.
  const auto over = Multiply(*numerator, Decimal{1, std::max(0, -exponent)});
  const auto under = Multiply(*denominator, Decimal{1, std::max(0, exponent)});
  return over && under ? std::optional(Ratio{*over, *under}) : std::nullopt;
}

// In base units, as bytes in the order of the values.
std::optional<std::string> CanonicalBytes(const Measure& measure, const Decimal& value) {
  const auto decimal = fhir::ParseDecimal(ToString(value));
  if (!decimal || measure.unit.factor.IsUnreasonable()) return std::nullopt;
  return EncodeDecimal(ucum::CanonicalUnit(measure.unit).Convert(*decimal));
}

// The value of `quantity` in the unit that `ratio` leads to.
std::optional<Decimal> Convert(const Decimal& value, const Ratio& ratio) {
  const auto product = Multiply(value, ratio.numerator);
  return product ? Divide(*product, ratio.denominator) : std::nullopt;
}

Quantity WithUcumCalendar(Quantity quantity) {
  if (!quantity.is_calendar) return quantity;
  const auto unit = FindCalendarUnit(quantity.unit.view);
  if (unit) quantity.unit = Text{UcumCode(*unit), nullptr};
  quantity.is_calendar = false;
  return quantity;
}

bool IsOne(const Quantity& quantity) {
  return quantity.unit.view == "1" && !quantity.is_calendar;
}

// As a factor of a larger unit: UCUM codes instead of words, a term in parentheses.
std::string FactorText(const Quantity& quantity) {
  const auto calendar = quantity.is_calendar ? FindCalendarUnit(quantity.unit.view) : std::nullopt;
  if (calendar) return std::string(UcumCode(*calendar));
  const std::string text(quantity.unit.view);
  return text.find_first_of("./") == std::string::npos ? text : "(" + text + ")";
}

// UCUM codes are short; what products pile up is not a code any more.
constexpr std::size_t kMaxUnitBytes = 100;

std::optional<Quantity> WithUnit(const std::optional<Decimal>& value, std::string unit) {
  if (!value || unit.size() > kMaxUnitBytes) return std::nullopt;
  return Quantity{*value, MakeText(std::move(unit))};
}

}  // namespace

bool AreComparable(const Quantity& a, const Quantity& b) {
  const auto x = MeasureOf(a);
  const auto y = MeasureOf(b);
  return x && y ? AreCommensurable(*x, *y) : IsSameUnit(a, b);
}

std::optional<std::strong_ordering> Compare(const Quantity& a, const Quantity& b) {
  if (IsSameUnit(a, b)) return Compare(a.value, b.value);
  const auto x = MeasureOf(a);
  const auto y = MeasureOf(b);
  if (!x || !y || !AreCommensurable(*x, *y)) return std::nullopt;
  const auto left = CanonicalBytes(*x, a.value);
  const auto right = CanonicalBytes(*y, b.value);
  if (!left || !right) return std::nullopt;
  return *left <=> *right;
}

bool AreEquivalent(const Quantity& a, const Quantity& b) {
  const Quantity x = WithUcumCalendar(a);
  const Quantity y = WithUcumCalendar(b);
  const auto ratio = RatioOf(x, y);
  if (!ratio) return false;
  const bool x_is_larger = Compare(ratio->numerator, ratio->denominator) >= 0;
  const auto left = x_is_larger ? std::optional(x.value) : Convert(x.value, *ratio);
  const auto right =
      x_is_larger ? Convert(y.value, Ratio{ratio->denominator, ratio->numerator}) : y.value;
  if (!left || !right) return false;
  const int digits = std::min(x.value.scale, y.value.scale);
  const auto a_cut = Rescale(*left, digits, Rounding::kHalfAwayFromZero);
  const auto b_cut = Rescale(*right, digits, Rounding::kHalfAwayFromZero);
  return a_cut && b_cut && Compare(*a_cut, *b_cut) == 0;
}

std::optional<Quantity> AddQuantities(const Quantity& a, const Quantity& b, bool subtract) {
  const auto ratio = RatioOf(b, a);
  const auto value = ratio ? Convert(b.value, *ratio) : std::nullopt;
  if (!value) return std::nullopt;
  const auto sum = subtract ? Subtract(a.value, *value) : Add(a.value, *value);
  return sum ? std::optional(Quantity{*sum, a.unit, a.is_calendar}) : std::nullopt;
}

std::optional<Quantity> Multiply(const Quantity& a, const Quantity& b) {
  const auto value = Multiply(a.value, b.value);
  if (IsOne(b))
    return value ? std::optional(Quantity{*value, a.unit, a.is_calendar}) : std::nullopt;
  if (IsOne(a))
    return value ? std::optional(Quantity{*value, b.unit, b.is_calendar}) : std::nullopt;
  return WithUnit(value, FactorText(a) + "." + FactorText(b));
}

std::optional<Quantity> Divide(const Quantity& a, const Quantity& b) {
  const auto value = Divide(a.value, b.value);
  if (IsOne(b))
    return value ? std::optional(Quantity{*value, a.unit, a.is_calendar}) : std::nullopt;
  const std::string x = FactorText(a);
  const std::string y = FactorText(b);
  if (x == y) return WithUnit(value, "1");
  return WithUnit(value, (IsOne(a) ? "" : x) + "/" + y);
}

Quantity QuantityOfNumber(const Decimal& number) {
  return {number, Text{"1", nullptr}};
}

std::optional<Quantity> QuantityOf(const Item& system_value) {
  if (const auto* quantity = std::get_if<Quantity>(&system_value)) return *quantity;
  const auto number = NumberOf(system_value);
  return number ? std::optional(QuantityOfNumber(*number)) : std::nullopt;
}

std::optional<Quantity> ParseQuantity(std::string_view text) {
  const auto end = std::ranges::find_if(text, [](char c) { return c == ' ' || c == '\''; });
  const auto size = static_cast<std::size_t>(end - text.begin());
  const std::string_view number = text.substr(0, size);
  // toQuantity() knows no exponents.
  const auto value =
      number.find_first_of("eE") == std::string_view::npos ? ParseDecimal(number) : std::nullopt;
  if (!value) return std::nullopt;
  std::string_view unit = Trim(text.substr(size));
  if (unit.empty()) return QuantityOfNumber(*value);
  if (unit.size() > 2 && unit.front() == '\'' && unit.back() == '\'') {
    unit = unit.substr(1, unit.size() - 2);
    if (unit.find('\'') != std::string_view::npos) return std::nullopt;
    return Quantity{*value, MakeText(std::string(unit))};
  }
  if (!FindCalendarUnit(unit)) return std::nullopt;
  return Quantity{*value, MakeText(std::string(unit)), /*is_calendar=*/true};
}

}  // namespace fhir::path
