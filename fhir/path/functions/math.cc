// Functions on numbers (FHIRPath 5.7). Roots, logarithms and fractional powers
// are computed as long double and rounded to 15 digits; all else is exact.
#include <cmath>

#include "fhir/path/evaluation.h"
#include "fhir/path/functions/function.h"
#include "fhir/path/operators.h"
#include "fhir/path/quantity.h"

namespace fhir::path {

namespace {

template <class T>
Collection OptionalItem(const std::optional<T>& value) {
  return value ? One(Item(*value)) : Collection();
}

Result<Collection> Abs(const Call& call) {
  FHIR_TRY(value, call.SystemInput());
  if (!value) return Collection();
  const auto negated = Negate(*value);
  if (!negated) return call.FailHere("a number is expected");
  const auto magnitude = QuantityOf(*value);
  return One(magnitude && magnitude->value.units < 0 ? *negated : *value);
}

template <Rounding kRounding>
Result<Collection> ToWhole(const Call& call) {
  FHIR_TRY(number, call.NumberInput());
  const auto whole = number ? Rescale(*number, 0, kRounding) : std::nullopt;
  return whole ? OptionalItem(ToIntegerItem(*whole)) : Collection();
}

Result<Collection> Round(const Call& call) {
  FHIR_TRY(number, call.NumberInput());
  std::int32_t digits = 0;
  if (call.ArgumentCount() == 1) {
    FHIR_TRY(argument, call.IntegerArgument(0));
    digits = argument.value_or(0);
  }
  if (digits < 0) return call.FailHere("the precision is negative");
  if (!number) return Collection();
  if (digits >= number->scale) return One(*number);
  return OptionalItem(Rescale(*number, digits, Rounding::kHalfAwayFromZero));
}

template <long double (*kFunction)(long double)>
Result<Collection> Apply(const Call& call) {
  FHIR_TRY(number, call.NumberInput());
  return number ? OptionalItem(FromLongDouble(kFunction(ToLongDouble(*number)))) : Collection();
}

long double Exponential(long double value) {
  return std::exp(value);
}
long double Logarithm(long double value) {
  return value > 0 ? std::log(value) : NAN;
}
long double SquareRoot(long double value) {
  return value >= 0 ? std::sqrt(value) : NAN;
}

Result<Collection> Log(const Call& call) {
  FHIR_TRY(number, call.NumberInput());
  FHIR_TRY(base, call.NumberArgument(0));
  if (!number || !base) return Collection();
  const long double result = Logarithm(ToLongDouble(*number)) / Logarithm(ToLongDouble(*base));
  return OptionalItem(FromLongDouble(result));
}

// base^exponent, exactly. Nothing if it does not fit.
std::optional<Decimal> WholePower(const Decimal& base, std::int64_t exponent) {
  std::optional<Decimal> power = Decimal{1, 0};
  for (std::int64_t i = 0; power && i < exponent; ++i) power = Multiply(*power, base);
  return power;
}

Result<Collection> Power(const Call& call) {
  FHIR_TRY(base, call.SystemInput());
  FHIR_TRY(exponent, call.NumberArgument(0));
  if (!base || !exponent) return Collection();
  const auto number = NumberOf(*base);
  if (!number) return call.FailHere("a number is expected");
  constexpr std::int64_t kMaxWholePower = 1000;
  const auto whole = ToInteger(*exponent);
  if (whole && *whole >= 0 && *whole <= kMaxWholePower) {
    const auto power = WholePower(*number, *whole);
    if (!power) return Collection();
    const bool is_integer = std::holds_alternative<std::int32_t>(*base);
    return is_integer ? OptionalItem(ToIntegerItem(*power)) : One(*power);
  }
  return OptionalItem(FromLongDouble(std::pow(ToLongDouble(*number), ToLongDouble(*exponent))));
}

constexpr FunctionSpec kFunctions[] = {
    {"abs", 0, 0, &Abs},
    {"ceiling", 0, 0, &ToWhole<Rounding::kUp>},
    {"floor", 0, 0, &ToWhole<Rounding::kDown>},
    {"truncate", 0, 0, &ToWhole<Rounding::kTowardsZero>},
    {"round", 0, 1, &Round},
    {"exp", 0, 0, &Apply<&Exponential>},
    {"ln", 0, 0, &Apply<&Logarithm>},
    {"sqrt", 0, 0, &Apply<&SquareRoot>},
    {"log", 1, 1, &Log},
    {"power", 1, 1, &Power},
};

}  // namespace

std::span<const FunctionSpec> MathFunctions() {
  return kFunctions;
}

}  // namespace fhir::path
