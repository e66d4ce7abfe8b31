// fhir/search/types/date.cc
//
// Dates, instants, periods and timings: all are ranges of time [low, high) in
// microseconds (fhir/base/time.h), and so are search values.
//
//   0x01 | low | high      short: at most a day long. In tuples: all
//   0x02 | low | high      longer, twice: by its low end …
//   0x03 | high | low      … and by its high end
//   0x04, 0x05             bands of short ranges (time_scan.h). Not in tuples
//
// low and high are 8 bytes each (AppendI64); an open end of a Period is the smallest or greatest
// number. These bytes are on disk. Of what begins within a time, the short ones begin at most a day
// before they end: that bounds the scans for ends (gt), which long ones answer by 0x03.
//
// A resource's range r matches the search range s (R4 3.1.1.4.7, as ranges) if
//   eq  s.low <= r.low and r.high <= s.high      ne  not eq
//   gt  r.high > s.high     ge  gt or eq         lt  r.low < s.low     le  lt or eq
//   sa  r.low >= s.high     eb  r.high <= s.low  ap  they overlap
//
// A Timing is its events, or its bounds if they are a Period; other timings have no dates.
#include "fhir/search/types/date.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "fhir/base/bytes.h"
#include "fhir/search/escape.h"
#include "fhir/search/extract.h"
#include "fhir/search/types/time_scan.h"

namespace fhir::search {
namespace {

constexpr char kByLowTag = '\x02';
constexpr char kByHighTag = '\x03';
constexpr std::int64_t kDayUs = 86'400'000'000;

void Add(char tag, std::int64_t first, std::int64_t second, ValueSink* sink) {
  std::string* out = sink->Begin(tag);
  AppendI64(out, first);
  AppendI64(out, second);
  sink->Add();
}

void AddRange(const TimeRange& range, ValueSink* sink) {
  if (range.low_us >= range.high_us) return;  // A period that ends before it begins.
  // Unsigned: the width of an open period has no signed number.
  const std::uint64_t width =
      static_cast<std::uint64_t>(range.high_us) - static_cast<std::uint64_t>(range.low_us);
  if (sink->InTuple() || width <= static_cast<std::uint64_t>(kDayUs)) {
    Add(kShortTag, range.low_us, range.high_us, sink);
    if (!sink->InTuple()) AddBand(range, sink);
    return;
  }
  Add(kByLowTag, range.low_us, range.high_us, sink);
  Add(kByHighTag, range.high_us, range.low_us, sink);
}

void AddText(const json::Value& value, ValueSink* sink) {
  if (const auto range = ParseDateTime(value.StringOrEmpty(), sink->Options().zone)) {
    AddRange(*range, sink);
  }
}

void EncodeDate(const ElementView& element, ValueSink* sink) {
  AddText(element.value, sink);
}

void AddPeriod(const json::Value& period, ValueSink* sink) {
  const TimeZone& zone = sink->Options().zone;
  const auto start = ParseDateTime(period.Find("start").StringOrEmpty(), zone);
  const auto end = ParseDateTime(period.Find("end").StringOrEmpty(), zone);
  if (!start && !end) return;
  AddRange({start ? start->low_us : kMinUs, end ? end->high_us : kMaxUs}, sink);
}

void EncodePeriod(const ElementView& element, ValueSink* sink) {
  AddPeriod(element.value, sink);
}

void EncodeTiming(const ElementView& element, ValueSink* sink) {
  const json::Value events = element.value.Find("event");
  if (events.IsArray()) {
    for (const json::Value event : events.Children()) AddText(event, sink);
    return;
  }
  AddPeriod(element.value.Find("repeat").Find("boundsPeriod"), sink);
}

Encoder EncoderFor(definitions::TypeId type) {
  const std::string_view name = definitions::GetType(type).name;
  if (name == "date" || name == "dateTime" || name == "instant") return &EncodeDate;
  if (name == "Period") return &EncodePeriod;
  if (name == "Timing") return &EncodeTiming;
  return nullptr;
}

// Collects the scans for one search range. In tuples every range has the short form, however long.
class Scans {
 public:
  Scans(const TimeRange& searched, bool in_tuple) : s_(searched), in_tuple_(in_tuple) {}

  void Within() {
    const TimeScan scan{.from = s_.low_us, .to = s_.high_us, .second_to = s_.high_us + 1};
    Short(scan);
    if (s_.high_us - s_.low_us > kDayUs) Long(kByLowTag, scan);
  }
  void EndsAfter() {
    Short({.from = BeforeShort(s_.high_us), .second_from = s_.high_us + 1});
    Long(kByHighTag, {.from = s_.high_us + 1});
  }
  void BeginsBefore() {
    Short({.to = s_.low_us});
    Long(kByLowTag, {.to = s_.low_us});
  }
  void IsAfter() {
    Short({.from = s_.high_us});
    Long(kByLowTag, {.from = s_.high_us});
  }
  void IsBefore() {
    Short({.to = s_.low_us, .second_to = s_.low_us + 1});
    Long(kByHighTag, {.to = s_.low_us + 1});
  }
  void Around() {
    if (in_tuple_ || s_.high_us - s_.low_us <= kDayUs) {
      Short({.from = BeforeShort(s_.high_us), .to = s_.low_us + 1, .second_from = s_.high_us});
    }
    Long(kByLowTag, {.to = s_.low_us + 1, .second_from = s_.high_us});
  }
  void Overlaps() {
    Short({.from = BeforeShort(s_.low_us), .to = s_.high_us, .second_from = s_.low_us + 1});
    Long(kByLowTag, {.to = s_.high_us, .second_from = s_.low_us + 1});
  }

  std::vector<ValueRange> Take() && { return std::move(ranges_); }

 private:
  // What ends after `us` and is short begins after this.
  std::int64_t BeforeShort(std::int64_t us) const { return in_tuple_ ? kMinUs : us - kDayUs; }
  void Short(const TimeScan& scan) {
    if (in_tuple_) {
      ranges_.push_back(ScanEnds(kShortTag, scan));
    } else {
      ScanShort(scan, &ranges_);
    }
  }
  void Long(char tag, const TimeScan& scan) {
    if (!in_tuple_) ranges_.push_back(ScanEnds(tag, scan));
  }

  const TimeRange s_;
  const bool in_tuple_;
  std::vector<ValueRange> ranges_;
};

Result<std::vector<ValueRange>> Parse(const SearchValue& value) {
  FHIR_TRY(text, ParseDateText(value));
  Scans scans(text.range, value.in_tuple);
  switch (text.prefix) {
    case Prefix::kEq: scans.Within(); break;
    case Prefix::kNe:
      scans.BeginsBefore();
      scans.EndsAfter();
      break;
    case Prefix::kGt: scans.EndsAfter(); break;
    case Prefix::kGe:
      scans.EndsAfter();
      scans.Within();
      break;
    case Prefix::kLt: scans.BeginsBefore(); break;
    case Prefix::kLe:
      scans.BeginsBefore();
      scans.Within();
      break;
    case Prefix::kSa: scans.IsAfter(); break;
    case Prefix::kEb: scans.IsBefore(); break;
    case Prefix::kAp: scans.Overlaps(); break;
  }
  return std::move(scans).Take();
}

// co: the range contains the searched one. po: they overlap.
Result<std::vector<ValueRange>> Compare(FilterOperator op, const SearchValue& value) {
  // A prefix is no part of the value here.
  const std::string text = "eq" + std::string(value.text);
  SearchValue plain = value;
  plain.text = text;
  FHIR_TRY(date, ParseDateText(plain));
  Scans scans(date.range, value.in_tuple);
  if (op == FilterOperator::kCo) {
    scans.Around();
  } else {
    scans.Overlaps();
  }
  return std::move(scans).Take();
}

constexpr auto kOperators = [] {
  std::array<FilterOperator, std::size(kPrefixOperators) + 2> all{};
  *std::ranges::copy(kPrefixOperators, all.begin()).out = FilterOperator::kCo;
  all.back() = FilterOperator::kPo;
  return all;
}();

}  // namespace

Result<DateText> ParseDateText(const SearchValue& value) {
  const std::string plain = Unescape(value.text);
  std::string_view text = plain;
  DateText result;
  result.prefix = TakePrefix(&text);
  const auto range = ParseDateTime(text, *value.zone);
  if (!range) return Fail(BadValue(value, "is not a date"));
  result.range = *range;
  if (result.prefix == Prefix::kAp) {
    const std::int64_t distance =
        value.now_us > range->low_us ? value.now_us - range->low_us : range->low_us - value.now_us;
    result.range.low_us -= distance / 10;
    result.range.high_us += distance / 10;
  }
  return result;
}

const SearchTypeSpec kDateType = {.name = "date",
                                  .type = SearchType::kDate,
                                  .encoder_for = &EncoderFor,
                                  .parse = &Parse,
                                  .modifiers = {},
                                  .sort_tags = "\x01\x02",
                                  .revision = 2,  // 2: bands.
                                  .has_prefixes = true,
                                  .operators = kOperators,
                                  .compare = &Compare};

}  // namespace fhir::search
