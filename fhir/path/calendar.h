// fhir/path/calendar.h
//
// A Temporal as a number of days or seconds and back (proleptic Gregorian).
//
// Thread-safety: free functions.
#pragma once

#include <cstdint>

#include "fhir/path/temporal.h"

namespace fhir::path {

inline constexpr std::int64_t kDaySeconds = 86'400;

int DaysInMonth(int year, int month);

// Days since 1970-01-01.
std::int64_t DayNumber(const Temporal& value);
// False if the year would leave 1 to 9999; *value is then unchanged.
bool SetDay(Temporal* value, std::int64_t day_number);

// Seconds since 1970-01-01T00:00:00 by the value's own clock, whatever its zone. A Time counts from
// midnight of 0001-01-01.
std::int64_t LocalSeconds(const Temporal& value);
// Likewise; a Time wraps at midnight.
bool SetLocalSeconds(Temporal* value, std::int64_t seconds);

}  // namespace fhir::path
