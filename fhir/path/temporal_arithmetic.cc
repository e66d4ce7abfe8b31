// Sums of a time and an amount, and the boundaries of partial values.
#include <algorithm>
#include <array>

#include "fhir/path/calendar.h"
#include "fhir/path/temporal.h"

namespace fhir::path {

namespace {

// Far beyond what the calendar holds, and far from overflow when multiplied.
constexpr std::int64_t kMaxAmount = 1'000'000'000'000;

// An amount in the coarsest of these that says it exactly.
struct Amount {
  std::int64_t months = 0;
  std::int64_t days = 0;
  std::int64_t milliseconds = 0;
};

Amount ToAmount(std::int64_t amount, TimeUnit unit) {
  switch (unit) {
    case TimeUnit::kYear: return {.months = amount * 12};
    case TimeUnit::kMonth: return {.months = amount};
    case TimeUnit::kWeek: return {.days = amount * 7};
    case TimeUnit::kDay: return {.days = amount};
    case TimeUnit::kHour: return {.milliseconds = amount * 3'600'000};
    case TimeUnit::kMinute: return {.milliseconds = amount * 60'000};
    case TimeUnit::kSecond: return {.milliseconds = amount * 1'000};
    case TimeUnit::kMillisecond: return {.milliseconds = amount};
  }
  return {};
}

// Cut to whole units of `precision`: a year has 12 months or 365 days, a month 30 days (FHIRPath
// 6.7.1).
Amount CutTo(Precision precision, Amount amount) {
  constexpr std::int64_t kDay = kDaySeconds * 1'000;
  switch (precision) {
    case Precision::kYear:
      amount.days += amount.milliseconds / kDay;
      return {.months = (amount.months / 12 + amount.days / 365) * 12};
    case Precision::kMonth:
      amount.days += amount.milliseconds / kDay;
      return {.months = amount.months + amount.days / 30};
    case Precision::kDay:
      return {.months = amount.months, .days = amount.days + amount.milliseconds / kDay};
    case Precision::kHour: amount.milliseconds -= amount.milliseconds % 3'600'000; return amount;
    case Precision::kMinute: amount.milliseconds -= amount.milliseconds % 60'000; return amount;
    case Precision::kSecond: return amount;
  }
  return amount;
}

bool AddMonths(Temporal* value, std::int64_t months) {
  const std::int64_t month = std::int64_t{value->year} * 12 + value->month - 1 + months;
  if (month < 12 || month >= 10'000LL * 12) return false;
  value->year = static_cast<std::int16_t>(month / 12);
  value->month = static_cast<std::uint8_t>(month % 12 + 1);
  value->day =
      std::min(value->day, static_cast<std::uint8_t>(DaysInMonth(value->year, value->month)));
  return true;
}

bool AddMilliseconds(Temporal* value, std::int64_t milliseconds) {
  std::int64_t seconds = milliseconds / 1'000;
  std::int64_t nanosecond = value->nanosecond + milliseconds % 1'000 * 1'000'000;
  if (nanosecond < 0) {
    nanosecond += 1'000'000'000;
    --seconds;
  } else if (nanosecond >= 1'000'000'000) {
    nanosecond -= 1'000'000'000;
    ++seconds;
  }
  if (milliseconds % 1'000 != 0 && value->fraction_digits < 3) value->fraction_digits = 3;
  value->nanosecond = static_cast<std::uint32_t>(nanosecond);
  return SetLocalSeconds(value, LocalSeconds(*value) + seconds);
}

// Digits that each precision ends at; the last column is with milliseconds.
constexpr std::array<int, 7> kDateDigits = {4, 6, 8, 10, 12, 14, 17};
constexpr std::array<int, 7> kTimeDigits = {-1, -1, -1, 2, 4, 6, 9};

const std::array<int, 7>& DigitsOf(TemporalKind kind) {
  return kind == TemporalKind::kTime ? kTimeDigits : kDateDigits;
}

// Fills what lies beyond `from` with its highest values.
void FillHigh(Temporal* value, Precision from) {
  if (from < Precision::kMonth) value->month = 12;
  if (from < Precision::kDay) {
    value->day = static_cast<std::uint8_t>(DaysInMonth(value->year, value->month));
  }
  if (from < Precision::kHour) value->hour = 23;
  if (from < Precision::kMinute) value->minute = 59;
  if (from < Precision::kSecond) value->second = 59;
  std::uint32_t open = 1'000'000'000;
  for (int i = 0; i < value->fraction_digits; ++i) open /= 10;
  value->nanosecond += open - 1;
}

// Puts the least values beyond the precision.
void ClearBeyond(Temporal* value) {
  if (value->precision < Precision::kMonth) value->month = 1;
  if (value->precision < Precision::kDay) value->day = 1;
  if (value->precision < Precision::kHour) value->hour = 0;
  if (value->precision < Precision::kMinute) value->minute = 0;
  if (value->precision < Precision::kSecond) value->second = 0;
  value->nanosecond -=
      value->nanosecond % (value->fraction_digits == 3 ? 1'000'000 : 1'000'000'000);
}

}  // namespace

std::optional<Temporal> Add(const Temporal& value, std::int64_t amount, TimeUnit unit) {
  if (amount > kMaxAmount || amount < -kMaxAmount) return std::nullopt;
  const Amount cut = CutTo(value.precision, ToAmount(amount, unit));
  Temporal sum = value;
  if (value.kind == TemporalKind::kTime) {
    if (unit < TimeUnit::kHour || !AddMilliseconds(&sum, cut.milliseconds)) return std::nullopt;
    return sum;
  }
  if (cut.months != 0 && !AddMonths(&sum, cut.months)) return std::nullopt;
  if (cut.days != 0 && !SetDay(&sum, DayNumber(sum) + cut.days)) return std::nullopt;
  if (cut.milliseconds != 0 && !AddMilliseconds(&sum, cut.milliseconds)) return std::nullopt;
  return sum;
}

int PrecisionDigits(const Temporal& value) {
  const auto& digits = DigitsOf(value.kind);
  const int whole = digits[static_cast<std::size_t>(value.precision)];
  return whole + value.fraction_digits;
}

std::optional<Temporal> BoundaryOf(const Temporal& value, Boundary boundary, int digits) {
  const auto& steps = DigitsOf(value.kind);
  const auto found = std::ranges::find(steps, digits);
  if (found == steps.end() || digits < 0) return std::nullopt;
  const auto index = static_cast<std::size_t>(found - steps.begin());
  Temporal result = value;
  if (boundary == Boundary::kHigh) FillHigh(&result, value.precision);
  result.precision = static_cast<Precision>(std::min<std::size_t>(index, 5));
  result.fraction_digits = index == 6 ? 3 : 0;
  ClearBeyond(&result);
  if (result.kind == TemporalKind::kDate) {
    if (result.precision > Precision::kDay) return std::nullopt;
    return result;
  }
  if (result.precision < Precision::kHour) {
    result.zone_minutes.reset();
  } else if (result.kind == TemporalKind::kDateTime && !result.zone_minutes) {
    result.zone_minutes =
        static_cast<std::int16_t>(boundary == Boundary::kLow ? 14 * 60 : -12 * 60);
  }
  return result;
}

}  // namespace fhir::path
