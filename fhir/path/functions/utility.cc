// iif(), trace() and the clock (FHIRPath 5.4.4, 5.9).
#include "fhir/base/time.h"
#include "fhir/path/evaluation.h"
#include "fhir/path/functions/function.h"

namespace fhir::path {

namespace {

// Criterion and results are expressions on the input, which is $this in them.
Result<Collection> Iif(const Call& call) {
  if (call.Input().size() > 1) return call.FailHere("one item is expected, there are several");
  Scope scope = call.Outer();
  scope.focus = call.Input();
  FHIR_TRY(criterion, call.ForFocus(0, scope));
  bool holds = false;
  if (!criterion.empty()) {
    const auto value = criterion.size() == 1 ? ToSystemValue(criterion[0]) : std::nullopt;
    const auto* boolean = value ? std::get_if<bool>(&*value) : nullptr;
    if (boolean == nullptr) return call.FailHere("the criterion must be one Boolean");
    holds = *boolean;
  }
  if (holds) return call.ForFocus(1, scope);
  return call.ArgumentCount() == 3 ? call.ForFocus(2, scope) : Collection();
}

Result<Collection> Trace(const Call& call) {
  FHIR_TRY(name, call.TextArgument(0));
  Collection input(call.Input().begin(), call.Input().end());
  const auto& trace = call.GetEvaluation().Context().trace;
  if (!trace || !name) return input;
  if (call.ArgumentCount() == 1) {
    trace(name->view, input);
    return input;
  }
  Collection projected;
  for (std::size_t i = 0; i < input.size(); ++i) {
    FHIR_TRY(items, call.ForItem(1, input[i], i));
    projected.insert(projected.end(), items.begin(), items.end());
  }
  trace(name->view, projected);
  return input;
}

// The context's clock, in UTC to the millisecond.
Result<Temporal> Clock(const Call& call) {
  const auto& now = call.GetEvaluation().Context().now_unix_ms;
  if (!now) return call.FailHere("there is no clock here");
  constexpr std::int64_t kYear1 = -62'135'596'800'000;
  constexpr std::int64_t kYear10000 = 253'402'300'800'000;
  if (*now < kYear1 || *now >= kYear10000) return call.FailHere("the clock is out of range");
  const auto time = ParseTemporal(TemporalKind::kDateTime, FormatInstant(*now));
  return time.value_or(Temporal{});
}

Result<Collection> Now(const Call& call) {
  FHIR_TRY(now, Clock(call));
  return One(now);
}

Result<Collection> Today(const Call& call) {
  FHIR_TRY(now, Clock(call));
  Temporal today;
  today.year = now.year;
  today.month = now.month;
  today.day = now.day;
  today.precision = Precision::kDay;
  return One(today);
}

Result<Collection> TimeOfDay(const Call& call) {
  FHIR_TRY(now, Clock(call));
  Temporal time = now;
  time.kind = TemporalKind::kTime;
  time.year = 1;
  time.month = time.day = 1;
  time.zone_minutes.reset();
  return One(time);
}

constexpr FunctionSpec kFunctions[] = {
    {"iif", 2, 3, &Iif},     {"trace", 1, 2, &Trace},         {"now", 0, 0, &Now},
    {"today", 0, 0, &Today}, {"timeOfDay", 0, 0, &TimeOfDay},
};

}  // namespace

std::span<const FunctionSpec> UtilityFunctions() {
  return kFunctions;
}

}  // namespace fhir::path
