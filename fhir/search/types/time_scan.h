// fhir/search/types/time_scan.h
//
// Scans over date.cc's values, and the bands that keep scans over years short: a short range is
// there once more by the calendar month (in UTC) that it lies in.
//
//   0x04 | start of the month       short ranges within a month
//   0x05 | low | high               short ranges that reach over the end of a month
//
// So a scan reads the ranges before the first and after the last whole month one by one, and what
// lies between by bands. These bytes are on disk. In tuples there are no bands.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "fhir/base/time.h"
#include "fhir/search/expression.h"
#include "fhir/search/types/search_type.h"

namespace fhir::search {

inline constexpr char kShortTag = '\x01';
inline constexpr std::int64_t kMinUs = std::numeric_limits<std::int64_t>::min();
inline constexpr std::int64_t kMaxUs = std::numeric_limits<std::int64_t>::max();

// Ranges whose first end lies in [from, to) and whose second end lies in [second_from, second_to);
// kMinUs and kMaxUs are no bounds.
struct TimeScan {
  std::int64_t from = kMinUs;
  std::int64_t to = kMaxUs;
  std::int64_t second_from = kMinUs;
  std::int64_t second_to = kMaxUs;
};

// The values with `tag` that `scan` asks for.
ValueRange ScanEnds(char tag, const TimeScan& scan);

// Adds the band of a short range.
void AddBand(const TimeRange& range, ValueSink* sink);
// Adds what finds the short ranges that `scan` asks for, low end first, by bands.
void ScanShort(const TimeScan& scan, std::vector<ValueRange>* ranges);

}  // namespace fhir::search
