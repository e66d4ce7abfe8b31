// fhir/base/time.cc
//
// The calendar is computed (days from civil), never asked from libc, so that no
// answer depends on TZ. ICU is used for named zones only.
#include "fhir/base/time.h"

#include <unicode/timezone.h>
#include <unicode/unistr.h>

namespace fhir {
namespace {

constexpr std::int64_t kSecondUs = 1'000'000;
constexpr std::int64_t kMinuteUs = 60 * kSecondUs;
constexpr std::int64_t kHourUs = 60 * kMinuteUs;
constexpr std::int64_t kDayUs = 24 * kHourUs;

enum class Precision : std::uint8_t { kYear, kMonth, kDay, kMinute, kSecond, kFraction };

struct Civil {
  Precision precision = Precision::kYear;
  int year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0;
  std::int64_t fraction_us = 0;
  std::int64_t fraction_unit_us = 0;  // Of its last digit; at least 1.
  bool has_zone = false;
  int offset_minutes = 0;
};

// Days since 1970-01-01 in the proleptic Gregorian calendar. `month` 13 is the next January.
std::int64_t DaysFromCivil(int year, int month, int day) {
  if (month > 12) {
    month -= 12;
    ++year;
  }
  std::int64_t y = month <= 2 ? year - 1 : year;
  std::int64_t era = (y >= 0 ? y : y - 399) / 400;
  std::int64_t year_of_era = y - era * 400;
  std::int64_t day_of_year = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1;
  std::int64_t day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
  return era * 146097 + day_of_era - 719468;
}

struct Date {
  int year, month, day;
};

Date CivilFromDays(std::int64_t days) {
  days += 719468;
  std::int64_t era = (days >= 0 ? days : days - 146096) / 146097;
  std::int64_t day_of_era = days - era * 146097;
  std::int64_t year_of_era =
      (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
  std::int64_t day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  std::int64_t shifted_month = (5 * day_of_year + 2) / 153;
  int day = static_cast<int>(day_of_year - (153 * shifted_month + 2) / 5 + 1);
  int month = static_cast<int>(shifted_month < 10 ? shifted_month + 3 : shifted_month - 9);
  return {static_cast<int>(year_of_era + era * 400 + (month <= 2 ? 1 : 0)), month, day};
}

int DaysInMonth(int year, int month) {
  return static_cast<int>(DaysFromCivil(year, month + 1, 1) - DaysFromCivil(year, month, 1));
}

// Reads fixed-width fields from the front of a text.
class Scanner {
 public:
  explicit Scanner(std::string_view rest) : rest_(rest) {}

  bool AtEnd() const { return rest_.empty(); }

  bool Take(char c) {
    if (!rest_.starts_with(c)) return false;
    rest_.remove_prefix(1);
    return true;
  }

  // Exactly `width` digits with a value in [low, high].
  bool TakeNumber(std::size_t width, int low, int high, int* number) {
    if (rest_.size() < width) return false;
    int value = 0;
    for (char c : rest_.substr(0, width)) {
      if (c < '0' || c > '9') return false;
      value = value * 10 + (c - '0');
    }
    rest_.remove_prefix(width);
    *number = value;
    return value >= low && value <= high;
  }

  // One digit or more, cut to microseconds.
  bool TakeFraction(std::int64_t* us, std::int64_t* unit_us) {
    std::size_t n = 0;
    std::int64_t unit = kSecondUs;
    std::int64_t value = 0;
    for (; n < rest_.size() && rest_[n] >= '0' && rest_[n] <= '9'; ++n) {
      if (unit == 1) continue;
      unit /= 10;
      value += (rest_[n] - '0') * unit;
    }
    rest_.remove_prefix(n);
    *us = value;
    *unit_us = unit;
    return n > 0;
  }

 private:
  std::string_view rest_;
};

bool ScanZone(Scanner* in, Civil* out) {
  if (in->Take('Z')) {
    out->has_zone = true;
    return true;
  }
  bool minus = in->Take('-');
  if (!minus && !in->Take('+')) return false;
  int hours = 0;
  int minutes = 0;
  if (!in->TakeNumber(2, 0, 14, &hours) || !in->Take(':')) return false;
  if (!in->TakeNumber(2, 0, hours == 14 ? 0 : 59, &minutes)) return false;
  out->has_zone = true;
  out->offset_minutes = (minus ? -1 : 1) * (hours * 60 + minutes);
  return true;
}

// hh:mm[:ss[.f+]]
bool ScanTime(Scanner* in, Civil* out) {
  if (!in->TakeNumber(2, 0, 23, &out->hour) || !in->Take(':')) return false;
  if (!in->TakeNumber(2, 0, 59, &out->minute)) return false;
  out->precision = Precision::kMinute;
  if (!in->Take(':')) return true;
  if (!in->TakeNumber(2, 0, 60, &out->second)) return false;
  out->precision = Precision::kSecond;
  if (!in->Take('.')) return true;
  out->precision = Precision::kFraction;
  return in->TakeFraction(&out->fraction_us, &out->fraction_unit_us);
}

std::optional<Civil> Scan(std::string_view text) {
  Scanner in(text);
  Civil out;
  if (!in.TakeNumber(4, 1, 9999, &out.year)) return std::nullopt;
  if (in.AtEnd()) return out;
  if (!in.Take('-') || !in.TakeNumber(2, 1, 12, &out.month)) return std::nullopt;
  out.precision = Precision::kMonth;
  if (in.AtEnd()) return out;
  if (!in.Take('-') || !in.TakeNumber(2, 1, 31, &out.day)) return std::nullopt;
  if (out.day > 28 && out.day > DaysInMonth(out.year, out.month)) return std::nullopt;
  out.precision = Precision::kDay;
  if (in.AtEnd()) return out;
  if (!in.Take('T') || !ScanTime(&in, &out)) return std::nullopt;
  if (!in.AtEnd() && (!ScanZone(&in, &out) || !in.AtEnd())) return std::nullopt;
  return out;
}

std::int64_t DayStartUs(int year, int month, int day) {
  return DaysFromCivil(year, month, day) * kDayUs;
}

// In the local time that `civil` is written in.
TimeRange LocalRange(const Civil& civil) {
  std::int64_t day_us = DayStartUs(civil.year, civil.month, civil.day);
  // A leap second counts as the second before it, so that it has a place on the time line.
  int second = civil.second == 60 ? 59 : civil.second;
  std::int64_t time_us =
      day_us + civil.hour * kHourUs + civil.minute * kMinuteUs + second * kSecondUs;
  switch (civil.precision) {
    case Precision::kYear: return {day_us, DayStartUs(civil.year + 1, 1, 1)};
    case Precision::kMonth: return {day_us, DayStartUs(civil.year, civil.month + 1, 1)};
    case Precision::kDay: return {day_us, day_us + kDayUs};
    case Precision::kMinute: return {time_us, time_us + kMinuteUs};
    case Precision::kSecond: return {time_us, time_us + kSecondUs};
    case Precision::kFraction:
      time_us += civil.fraction_us;
      return {time_us, time_us + civil.fraction_unit_us};
  }
  return {};
}

std::int64_t FloorDivide(std::int64_t a, std::int64_t b) {
  return a / b - (a % b < 0 ? 1 : 0);
}

char* PutTwo(char* to, int value) {
  *to++ = static_cast<char>('0' + value / 10);
  *to++ = static_cast<char>('0' + value % 10);
  return to;
}

struct BrokenDown {
  std::int64_t days;
  Date date;
  int hour, minute, second, millisecond;
};

BrokenDown BreakDown(std::int64_t unix_ms) {
  constexpr std::int64_t kDayMs = 86'400'000;
  std::int64_t days = FloorDivide(unix_ms, kDayMs);
  int ms = static_cast<int>(unix_ms - days * kDayMs);
  return {days, CivilFromDays(days), ms / 3'600'000, ms / 60'000 % 60, ms / 1000 % 60, ms % 1000};
}

}  // namespace

struct TimeZone::Rules {
  std::int64_t offset_us = 0;           // If there is no zone.
  std::unique_ptr<icu::TimeZone> zone;  // Const calls may overlap.
};

TimeZone TimeZone::Utc() {
  return {};
}

Result<TimeZone> TimeZone::Find(const std::string& name) {
  if (name == "UTC" || name == "Z") return Utc();
  auto rules = std::make_shared<Rules>();
  Scanner in(name);
  Civil offset;
  if (ScanZone(&in, &offset)) {
    if (!in.AtEnd()) return Fail(Invalid("not a time zone: " + name));
    rules->offset_us = offset.offset_minutes * kMinuteUs;
  } else {
    rules->zone.reset(icu::TimeZone::createTimeZone(icu::UnicodeString::fromUTF8(name)));
    if (rules->zone == nullptr || *rules->zone == icu::TimeZone::getUnknown()) {
      return Fail(Invalid("not a time zone: " + name));
    }
  }
  TimeZone found;
  found.rules_ = std::move(rules);
  return found;
}

std::int64_t TimeZone::ToUtc(std::int64_t local_us) const {
  if (rules_ == nullptr) return local_us;
  if (rules_->zone == nullptr) return local_us - rules_->offset_us;
  int32_t raw_ms = 0;
  int32_t daylight_ms = 0;
  UErrorCode status = U_ZERO_ERROR;
  std::int64_t local_ms = FloorDivide(local_us, 1000);
  rules_->zone->getOffset(static_cast<UDate>(local_ms), /*local=*/true, raw_ms, daylight_ms,
                          status);
  if (U_FAILURE(status)) return local_us;
  return local_us - (std::int64_t{raw_ms} + daylight_ms) * 1000;
}

std::optional<TimeRange> ParseDateTime(std::string_view text, const TimeZone& zone) {
  std::optional<Civil> civil = Scan(text);
  if (!civil) return std::nullopt;
  TimeRange range = LocalRange(*civil);
  if (civil->has_zone) {
    std::int64_t offset_us = civil->offset_minutes * kMinuteUs;
    return TimeRange{range.low_us - offset_us, range.high_us - offset_us};
  }
  if (civil->precision >= Precision::kMinute) {
    // Both ends move by one offset: where clocks change, two conversions could leave an empty
    // range.
    std::int64_t low_us = zone.ToUtc(range.low_us);
    return TimeRange{low_us, low_us + (range.high_us - range.low_us)};
  }
  return TimeRange{zone.ToUtc(range.low_us), zone.ToUtc(range.high_us)};
}

bool IsDate(std::string_view text) {
  std::optional<Civil> civil = Scan(text);
  return civil && civil->precision <= Precision::kDay;
}

bool IsDateTime(std::string_view text) {
  std::optional<Civil> civil = Scan(text);
  return civil && (civil->precision <= Precision::kDay ||
                   (civil->precision >= Precision::kSecond && civil->has_zone));
}

bool IsInstant(std::string_view text) {
  std::optional<Civil> civil = Scan(text);
  return civil && civil->precision >= Precision::kSecond && civil->has_zone;
}

bool IsTime(std::string_view text) {
  Scanner in(text);
  Civil civil;
  return ScanTime(&in, &civil) && in.AtEnd() && civil.precision >= Precision::kSecond;
}

std::string FormatInstant(std::int64_t unix_ms) {
  BrokenDown t = BreakDown(unix_ms);
  char text[24];
  char* to = PutTwo(text, t.date.year / 100);
  to = PutTwo(to, t.date.year % 100);
  *to++ = '-';
  to = PutTwo(to, t.date.month);
  *to++ = '-';
  to = PutTwo(to, t.date.day);
  *to++ = 'T';
  to = PutTwo(to, t.hour);
  *to++ = ':';
  to = PutTwo(to, t.minute);
  *to++ = ':';
  to = PutTwo(to, t.second);
  *to++ = '.';
  *to++ = static_cast<char>('0' + t.millisecond / 100);
  to = PutTwo(to, t.millisecond % 100);
  *to++ = 'Z';
  return {text, to};
}

std::string FormatHttpDate(std::int64_t unix_ms) {
  constexpr std::string_view kWeekdays = "SunMonTueWedThuFriSat";
  constexpr std::string_view kMonths = "JanFebMarAprMayJunJulAugSepOctNovDec";
  BrokenDown t = BreakDown(unix_ms);
  std::int64_t days_from_sunday = t.days + 4;  // 1970-01-01 was a Thursday.
  auto weekday = static_cast<std::size_t>(days_from_sunday - FloorDivide(days_from_sunday, 7) * 7);
  char digits[2];
  auto two = [&digits](int value) { return std::string_view(digits, PutTwo(digits, value)); };
  std::string text;
  text.reserve(29);
  text.append(kWeekdays.substr(weekday * 3, 3)).append(", ").append(two(t.date.day));
  text.append(" ").append(kMonths.substr(static_cast<std::size_t>(t.date.month - 1) * 3, 3));
  text.append(" ").append(two(t.date.year / 100)).append(two(t.date.year % 100));
  text.append(" ").append(two(t.hour)).append(":").append(two(t.minute));
  text.append(":").append(two(t.second)).append(" GMT");
  return text;
}

}  // namespace fhir
