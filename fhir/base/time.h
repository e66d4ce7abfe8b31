// fhir/base/time.h
//
// FHIR's partial dates as ranges of time, and instants as text. All times are
// microseconds since 1970-01-01T00:00:00Z in the proleptic Gregorian calendar,
// negative before; years 0001 to 9999.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "fhir/base/result.h"

namespace fhir {

// [low_us, high_us): "2020" is the whole year; "2020-01-01T10:00:00Z" one second; with a fraction,
// one unit of its last digit, at least a microsecond. Leap seconds (:60) count as :59.
struct TimeRange {
  std::int64_t low_us = 0;
  std::int64_t high_us = 0;
};

// The zone in which dates and times without one are read (setting DEFAULT_TIME_ZONE).
// Thread-safety: immutable; thread-safe.
class TimeZone {
 public:
  static TimeZone Utc();
  // An IANA name ("Europe/Berlin"), "UTC", "Z" or an offset ("+01:00"). Errors: Invalid.
  static Result<TimeZone> Find(const std::string& name);

  // `local_us` read as a local time in this zone, in UTC.
  std::int64_t ToUtc(std::int64_t local_us) const;

 private:
  struct Rules;                         // Hides ICU.
  std::shared_ptr<const Rules> rules_;  // Null: UTC. Shared: zones are copied into every search.
};

// date, dateTime or instant as FHIR writes them (YYYY, YYYY-MM, YYYY-MM-DD,
// YYYY-MM-DDThh:mm[:ss[.f+]] [Z|±hh:mm]). A search may leave out the zone and the seconds. Nothing
// if it is not a real date (2026-02-29) or not of this form.
std::optional<TimeRange> ParseDateTime(std::string_view text, const TimeZone& zone);

// Strict forms of the primitives, for validation (R4 2.24.0.1).
bool IsDate(std::string_view text);
bool IsDateTime(std::string_view text);
bool IsInstant(std::string_view text);
bool IsTime(std::string_view text);

// "2020-01-01T10:00:00.123Z". REQUIRES: a year of four digits.
std::string FormatInstant(std::int64_t unix_ms);
// "Wed, 01 Jan 2020 10:00:00 GMT", for Last-Modified.
std::string FormatHttpDate(std::int64_t unix_ms);

}  // namespace fhir
