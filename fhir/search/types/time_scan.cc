#include "fhir/search/types/time_scan.h"

#include <algorithm>
#include <chrono>
#include <string>

#include "fhir/base/bytes.h"

namespace fhir::search {
namespace {

constexpr char kMonthTag = '\x04';
constexpr char kStraddlingTag = '\x05';
constexpr std::int32_t kSecondEnd = 9;  // Offset: behind the tag and one end.

using Days = std::chrono::sys_days;
using Microseconds = std::chrono::sys_time<std::chrono::microseconds>;

std::string Bound(std::int64_t us) {
  std::string bytes;
  AppendI64(&bytes, us);
  return bytes;
}

std::chrono::year_month MonthOf(std::int64_t us) {
  const Microseconds time{std::chrono::microseconds(us)};
  const std::chrono::year_month_day day{std::chrono::floor<std::chrono::days>(time)};
  return day.year() / day.month();
}
std::int64_t StartOf(std::chrono::year_month month) {
  return Microseconds(Days(month / 1)).time_since_epoch().count();
}

// The last start of a month at or before `us`, and the first at or after it.
std::int64_t MonthBefore(std::int64_t us) {
  return us == kMaxUs ? us : StartOf(MonthOf(us));
}
std::int64_t MonthAfter(std::int64_t us) {
  return us == kMinUs ? us : StartOf(MonthOf(us - 1) + std::chrono::months(1));
}

}  // namespace

ValueRange ScanEnds(char tag, const TimeScan& scan) {
  ValueRange range;
  range.from.assign(1, tag);
  if (scan.from != kMinUs) range.from += Bound(scan.from);
  range.to.assign(1, scan.to == kMaxUs ? static_cast<char>(tag + 1) : tag);
  if (scan.to != kMaxUs) range.to += Bound(scan.to);
  if (scan.second_from != kMinUs || scan.second_to != kMaxUs) {
    range.conditions.push_back(
        {.offset = kSecondEnd,
         .from = scan.second_from == kMinUs ? std::string() : Bound(scan.second_from),
         .to = scan.second_to == kMaxUs ? std::string() : Bound(scan.second_to)});
  }
  return range;
}

void AddBand(const TimeRange& range, ValueSink* sink) {
  const std::chrono::year_month month = MonthOf(range.low_us);
  const bool is_within = range.high_us <= StartOf(month + std::chrono::months(1));
  std::string* value = sink->Begin(is_within ? kMonthTag : kStraddlingTag);
  AppendI64(value, is_within ? StartOf(month) : range.low_us);
  if (!is_within) AppendI64(value, range.high_us);
  sink->Add();
}

void ScanShort(const TimeScan& scan, std::vector<ValueRange>* ranges) {
  // What lies within a band in [low, high] fulfils all conditions: it begins before it ends.
  const std::int64_t low =
      scan.second_from == kMinUs ? scan.from : std::max(scan.from, scan.second_from - 1);
  const std::int64_t high =
      scan.second_to == kMaxUs ? scan.to : std::min(scan.to, scan.second_to - 1);
  const std::int64_t first_month = MonthAfter(low);
  const std::int64_t end_month = MonthBefore(high);
  if (first_month >= end_month) {
    ranges->push_back(ScanEnds(kShortTag, scan));
    return;
  }
  const auto add_short = [&](std::int64_t from, std::int64_t to) {
    if (from >= to) return;
    ranges->push_back(ScanEnds(
        kShortTag,
        {.from = from, .to = to, .second_from = scan.second_from, .second_to = scan.second_to}));
  };
  add_short(scan.from, first_month);
  ranges->push_back(ScanEnds(kMonthTag, {.from = first_month, .to = end_month}));
  add_short(end_month, scan.to);
  ranges->push_back(ScanEnds(kStraddlingTag, scan));
}

}  // namespace fhir::search
