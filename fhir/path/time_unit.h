// fhir/path/time_unit.h
//
// The words for lengths of time in FHIRPath ("4 days"), and their UCUM codes.
//
// Thread-safety: free functions.
#pragma once

#include <optional>
#include <string_view>

#include "fhir/path/temporal.h"

namespace fhir::path {

// "day" and "days" alike. Nothing for anything else.
std::optional<TimeUnit> FindCalendarUnit(std::string_view word);

// Codes that a time can be moved by ("wk", "d", "h", "min", "s", "ms"). Not "a" and "mo": UCUM's
// years and months have a fixed length, the calendar's do not.
std::optional<TimeUnit> FindTimeUnit(std::string_view ucum);

// "a" and "mo" too, which are close to the calendar's.
std::string_view UcumCode(TimeUnit unit);

}  // namespace fhir::path
