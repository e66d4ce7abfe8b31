#include "fhir/path/temporal.h"

#include <algorithm>
#include <array>

#include "fhir/path/calendar.h"

namespace fhir::path {

namespace {

// Takes exactly `count` digits from the front of *text.
std::optional<int> TakeDigits(std::string_view* text, std::size_t count) {
  if (text->size() < count) return std::nullopt;
  int value = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const char c = (*text)[i];
    if (c < '0' || c > '9') return std::nullopt;
    value = value * 10 + (c - '0');
  }
  text->remove_prefix(count);
  return value;
}

bool Take(std::string_view* text, char c) {
  if (text->empty() || text->front() != c) return false;
  text->remove_prefix(1);
  return true;
}

bool TakeDate(std::string_view* text, Temporal* value) {
  const auto year = TakeDigits(text, 4);
  if (!year || *year == 0) return false;
  value->year = static_cast<std::int16_t>(*year);
  value->precision = Precision::kYear;
  if (!Take(text, '-')) return true;
  const auto month = TakeDigits(text, 2);
  if (!month || *month < 1 || *month > 12) return false;
  value->month = static_cast<std::uint8_t>(*month);
  value->precision = Precision::kMonth;
  if (!Take(text, '-')) return true;
  const auto day = TakeDigits(text, 2);
  if (!day || *day < 1 || *day > DaysInMonth(*year, *month)) return false;
  value->day = static_cast<std::uint8_t>(*day);
  value->precision = Precision::kDay;
  return true;
}

bool TakeFraction(std::string_view* text, Temporal* value) {
  std::uint32_t scale = 100'000'000;
  std::size_t digits = 0;
  for (; digits < text->size() && (*text)[digits] >= '0' && (*text)[digits] <= '9'; ++digits) {
    value->nanosecond += static_cast<std::uint32_t>((*text)[digits] - '0') * scale;
    scale /= 10;
  }
  text->remove_prefix(digits);
  value->fraction_digits = static_cast<std::uint8_t>(std::min<std::size_t>(digits, 9));
  return digits > 0;
}

bool TakeTime(std::string_view* text, Temporal* value) {
  const auto hour = TakeDigits(text, 2);
  if (!hour || *hour > 23) return false;
  value->hour = static_cast<std::uint8_t>(*hour);
  value->precision = Precision::kHour;
  if (!Take(text, ':')) return true;
  const auto minute = TakeDigits(text, 2);
  if (!minute || *minute > 59) return false;
  value->minute = static_cast<std::uint8_t>(*minute);
  value->precision = Precision::kMinute;
  if (!Take(text, ':')) return true;
  const auto second = TakeDigits(text, 2);
  if (!second || *second > 60) return false;
  value->second = static_cast<std::uint8_t>(std::min(*second, 59));  // A leap second counts as :59.
  value->precision = Precision::kSecond;
  return !Take(text, '.') || TakeFraction(text, value);
}

bool TakeZone(std::string_view* text, Temporal* value) {
  if (text->empty()) return true;
  if (Take(text, 'Z')) {
    value->zone_minutes = 0;
    return true;
  }
  const bool west = text->front() == '-';
  if (!Take(text, '-') && !Take(text, '+')) return false;
  const auto hours = TakeDigits(text, 2);
  if (!hours || *hours > 14 || !Take(text, ':')) return false;
  const auto minutes = TakeDigits(text, 2);
  if (!minutes || *minutes > 59) return false;
  const int zone = *hours * 60 + *minutes;
  value->zone_minutes = static_cast<std::int16_t>(west ? -zone : zone);
  return true;
}

void AppendPadded(std::string* out, int value, std::size_t width) {
  const std::string digits = std::to_string(value);
  out->append(width - std::min(width, digits.size()), '0');
  *out += digits;
}

void AppendTime(std::string* out, const Temporal& value) {
  AppendPadded(out, value.hour, 2);
  if (value.precision == Precision::kHour) return;
  *out += ':';
  AppendPadded(out, value.minute, 2);
  if (value.precision == Precision::kMinute) return;
  *out += ':';
  AppendPadded(out, value.second, 2);
  if (value.fraction_digits == 0) return;
  std::string fraction;
  AppendPadded(&fraction, static_cast<int>(value.nanosecond), 9);
  *out += '.';
  out->append(fraction, 0, value.fraction_digits);
}

// [low, high) in seconds that a value can mean, in any zone if it has none.
std::pair<std::int64_t, std::int64_t> PossibleSeconds(const Temporal& value) {
  std::int64_t low = LocalSeconds(value);
  std::int64_t high = low + 1;
  switch (value.precision) {
    case Precision::kYear: high = low + 366 * kDaySeconds; break;
    case Precision::kMonth: high = low + 31 * kDaySeconds; break;
    case Precision::kDay: high = low + kDaySeconds; break;
    case Precision::kHour: high = low + 3600; break;
    case Precision::kMinute: high = low + 60; break;
    case Precision::kSecond: break;
  }
  constexpr std::int64_t kHour = 3600;
  if (!value.zone_minutes) return {low - 14 * kHour, high + 12 * kHour};
  const std::int64_t east = *value.zone_minutes * std::int64_t{60};
  return {low - east, high - east};
}

auto FieldsUpTo(const Temporal& value, Precision precision) {
  const auto field = [&](Precision p, std::int64_t v) { return p <= precision ? v : 0; };
  return std::array{
      field(Precision::kYear, value.year),        field(Precision::kMonth, value.month),
      field(Precision::kDay, value.day),          field(Precision::kHour, value.hour),
      field(Precision::kMinute, value.minute),    field(Precision::kSecond, value.second),
      field(Precision::kSecond, value.nanosecond)};
}

}  // namespace

std::optional<Temporal> ParseTemporal(TemporalKind kind, std::string_view text) {
  constexpr std::size_t kMaxLength = 100;
  if (text.size() > kMaxLength) return std::nullopt;
  Temporal value;
  value.kind = kind;
  bool good = true;
  if (kind == TemporalKind::kTime) {
    good = TakeTime(&text, &value);
  } else {
    good = TakeDate(&text, &value);
    if (good && kind == TemporalKind::kDateTime && Take(&text, 'T') && !text.empty()) {
      good =
          value.precision == Precision::kDay && TakeTime(&text, &value) && TakeZone(&text, &value);
    }
  }
  return good && text.empty() ? std::optional(value) : std::nullopt;
}

std::string ToString(const Temporal& value) {
  std::string out;
  if (value.kind == TemporalKind::kTime) {
    AppendTime(&out, value);
    return out;
  }
  AppendPadded(&out, value.year, 4);
  if (value.precision >= Precision::kMonth) AppendPadded(&(out += '-'), value.month, 2);
  if (value.precision >= Precision::kDay) AppendPadded(&(out += '-'), value.day, 2);
  if (value.precision >= Precision::kHour) AppendTime(&(out += 'T'), value);
  if (!value.zone_minutes) return out;
  if (*value.zone_minutes == 0) return out += 'Z';
  const int zone = std::abs(*value.zone_minutes);
  AppendPadded(&(out += *value.zone_minutes < 0 ? '-' : '+'), zone / 60, 2);
  AppendPadded(&(out += ':'), zone % 60, 2);
  return out;
}

std::optional<std::strong_ordering> Compare(const Temporal& a, const Temporal& b) {
  if ((a.kind == TemporalKind::kTime) != (b.kind == TemporalKind::kTime)) return std::nullopt;
  Temporal x = a;
  Temporal y = b;
  if (a.zone_minutes.has_value() != b.zone_minutes.has_value()) {
    const auto [a_low, a_high] = PossibleSeconds(a);
    const auto [b_low, b_high] = PossibleSeconds(b);
    if (a_high <= b_low) return std::strong_ordering::less;
    if (b_high <= a_low) return std::strong_ordering::greater;
    return std::nullopt;
  }
  if (a.zone_minutes && *a.zone_minutes != *b.zone_minutes) {
    // At the ends of the calendar the values stay as they are: no year 0 or 10000.
    Temporal x_utc = x;
    Temporal y_utc = y;
    constexpr std::int64_t kMinute = 60;
    if (SetLocalSeconds(&x_utc, LocalSeconds(x) - *x.zone_minutes * kMinute) &&
        SetLocalSeconds(&y_utc, LocalSeconds(y) - *y.zone_minutes * kMinute)) {
      x = x_utc;
      y = y_utc;
    }
  }
  const Precision common = std::min(a.precision, b.precision);
  const auto order = FieldsUpTo(x, common) <=> FieldsUpTo(y, common);
  if (order != 0 || a.precision == b.precision) return order;
  return std::nullopt;
}

}  // namespace fhir::path
