// lowBoundary(), highBoundary(), precision() and comparable() (FHIRPath 3.0.0).
#include <utility>

#include "fhir/path/evaluation.h"
#include "fhir/path/functions/function.h"
#include "fhir/path/quantity.h"

namespace fhir::path {

namespace {

constexpr int kMaxDigits = 31;
constexpr int kDefaultDigits = 8;

// What rounding could have made `value` of: half a unit of its last digit away, cut outwards.
std::optional<Decimal> BoundaryOf(const Decimal& value, Boundary boundary, int digits) {
  if (digits < 0 || digits > kMaxDigits) return std::nullopt;
  const Decimal half{5, value.scale + 1};
  const bool low = boundary == Boundary::kLow;
  const auto edge = low ? Subtract(value, half) : Add(value, half);
  return edge ? Rescale(*edge, digits, low ? Rounding::kDown : Rounding::kUp) : std::nullopt;
}

int DefaultDigits(const Temporal& value) {
  switch (value.kind) {
    case TemporalKind::kDate: return 8;
    case TemporalKind::kDateTime: return 17;
    case TemporalKind::kTime: return 9;
  }
  return 0;
}

template <Boundary kBoundary>
Result<Collection> ToBoundary(const Call& call) {
  FHIR_TRY(value, call.SystemInput());
  std::optional<int> digits;
  if (call.ArgumentCount() == 1) {
    FHIR_TRY(argument, call.IntegerArgument(0));
    digits = argument;
  }
  if (!value) return Collection();
  if (const auto* time = std::get_if<Temporal>(&*value)) {
    return OneOrNone(
        fhir::path::BoundaryOf(*time, kBoundary, digits.value_or(DefaultDigits(*time))));
  }
  const int decimals = digits.value_or(kDefaultDigits);
  if (const auto* quantity = std::get_if<Quantity>(&*value)) {
    const auto edge = BoundaryOf(quantity->value, kBoundary, decimals);
    if (!edge) return Collection();
    return One(Quantity{*edge, quantity->unit, quantity->is_calendar});
  }
  const auto number = NumberOf(*value);
  if (!number) return call.FailHere("a number, a quantity or a time is expected");
  return OneOrNone(BoundaryOf(*number, kBoundary, decimals));
}

Result<Collection> PrecisionOf(const Call& call) {
  FHIR_TRY(value, call.SystemInput());
  if (!value) return Collection();
  if (const auto* time = std::get_if<Temporal>(&*value)) {
    return One(std::int32_t{PrecisionDigits(*time)});
  }
  const auto number = NumberOf(*value);
  if (!number) return call.FailHere("a number or a time is expected");
  return One(std::int32_t{number->scale});
}

Result<Collection> Comparable(const Call& call) {
  FHIR_TRY(value, call.SystemInput());
  FHIR_TRY(items, call.Argument(0));
  FHIR_TRY(other, SystemValueOf(items, call.GetNode().position));
  if (!value || !other) return Collection();
  const auto* a = std::get_if<Quantity>(&*value);
  const auto* b = std::get_if<Quantity>(&*other);
  if (a == nullptr || b == nullptr) return call.FailHere("a quantity is expected");
  return One(AreComparable(*a, *b));
}

constexpr FunctionSpec kFunctions[] = {
    {"lowBoundary", 0, 1, &ToBoundary<Boundary::kLow>},
    {"highBoundary", 0, 1, &ToBoundary<Boundary::kHigh>},
    {"precision", 0, 0, &PrecisionOf},
    {"comparable", 1, 1, &Comparable},
};

}  // namespace

std::span<const FunctionSpec> BoundaryFunctions() {
  return kFunctions;
}

}  // namespace fhir::path
