// fhir/search/types/date.h
//
// Date search values as ranges of time, shared by date parameters and
// _lastUpdated.
#pragma once

#include <utility>

#include "fhir/base/time.h"
#include "fhir/search/prefix.h"
#include "fhir/search/types/search_type.h"

namespace fhir::search {

struct DateText {
  Prefix prefix = Prefix::kEq;
  TimeRange range;  // For kAp: widened by a tenth of its distance to now.
};

// Errors: Invalid, if it is not a date.
Result<DateText> ParseDateText(const SearchValue& value);

}  // namespace fhir::search
