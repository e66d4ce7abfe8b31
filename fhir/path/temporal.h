// fhir/path/temporal.h
//
// FHIRPath's Date, DateTime and Time: partial values that keep their precision
// and their zone. (fhir/base/time.h turns the same texts into ranges of time,
// for searches.)
//
// Thread-safety: values and free functions.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace fhir::path {

enum class TemporalKind : std::uint8_t { kDate, kDateTime, kTime };

// Seconds and their fraction are one precision (FHIRPath 6.1.1).
enum class Precision : std::uint8_t { kYear, kMonth, kDay, kHour, kMinute, kSecond };

struct Temporal {
  TemporalKind kind = TemporalKind::kDate;
  Precision precision = Precision::kYear;
  std::int16_t year = 1;  // 1 to 9999. What lies beyond the precision holds its least value.
  std::uint8_t month = 1;
  std::uint8_t day = 1;
  std::uint8_t hour = 0;
  std::uint8_t minute = 0;
  std::uint8_t second = 0;
  std::uint8_t fraction_digits = 0;          // 0 to 9.
  std::uint32_t nanosecond = 0;              // Further digits are cut off.
  std::optional<std::int16_t> zone_minutes;  // East of Greenwich. Only DateTimes with a time.
};

// "2015", "2015-02-04" (kDate); these, "2015-02-04T14", "2015-02-04T14:34:28.123+10:00" and "2015T"
// (kDateTime); "14", "14:34:28.123" (kTime). Nothing if it is not a real date or time of that kind.
std::optional<Temporal> ParseTemporal(TemporalKind kind, std::string_view text);
std::string ToString(const Temporal& value);

// Nothing if the precision (or a zone that only one of them has) leaves it open, or if one is a
// Time and the other is not.
std::optional<std::strong_ordering> Compare(const Temporal& a, const Temporal& b);

enum class TimeUnit : std::uint8_t {
  kYear,
  kMonth,
  kWeek,
  kDay,
  kHour,
  kMinute,
  kSecond,
  kMillisecond,
};

// Adds `amount` of `unit`, cut to whole units of the value's own precision. The day of a month is
// cut to the month's last; a Time wraps at midnight. Nothing if the year leaves 1 to 9999, or if a
// date unit is added to a Time.
std::optional<Temporal> Add(const Temporal& value, std::int64_t amount, TimeUnit unit);

// The same as digits: "2014-01" is 6, "T10:30" is 4, with milliseconds 17 and 9.
int PrecisionDigits(const Temporal& value);

enum class Boundary { kLow, kHigh };

// The first or last value with `digits` digits that `value` leaves possible. Nothing if there is no
// such precision. A DateTime without a zone takes the one that lies farthest out (+14:00, -12:00).
std::optional<Temporal> BoundaryOf(const Temporal& value, Boundary boundary, int digits);

}  // namespace fhir::path
