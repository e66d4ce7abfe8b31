#include "fhir/search/types/numeric_range.h"

#include <utility>

#include "fhir/base/bytes.h"
#include "fhir/base/text.h"
#include "fhir/search/types/search_type.h"
#include "fhir/ucum/canonical_unit.h"

namespace fhir::search {
namespace {

using Form = NumericKeys::Form;

constexpr char kWrittenTags[] = {kNumberTag, '\x02', '\x03'};
constexpr char kCanonicalTags[] = {'\x04', '\x05', '\x06'};

struct EncodedBounds {
  std::string low;
  std::string high;
};

ValueRange Between(std::string from, std::string to) {
  ValueRange range;
  range.from = std::move(from);
  range.to = std::move(to);
  return range;
}

// All numbers behind `key` that are below or not below `bound`; an end of a range counts as the
// number.
ValueRange Below(const std::string& key, std::string_view bound) {
  return Between(key, key + std::string(bound));
}
ValueRange NotBelow(const std::string& key, std::string_view bound) {
  return Between(key + std::string(bound), PrefixEnd(key));
}
ValueRange Within(const std::string& key, const EncodedBounds& bounds) {
  return Between(key + bounds.low, key + bounds.high);
}

// The second end of a range lies in [from, to).
ByteCondition SecondEnd(const NumericKeys& keys, std::string from, std::string to) {
  return {.offset = static_cast<std::int32_t>(keys.Size()),
          .decimals = 1,
          .from = std::move(from),
          .to = std::move(to)};
}

std::vector<ValueRange> Within(const NumericKeys& keys, const EncodedBounds& bounds) {
  ValueRange contained = Within(keys.Key(Form::kRangeByLow), bounds);
  contained.conditions.push_back(SecondEnd(keys, {}, bounds.high));
  return {Within(keys.Key(Form::kNumber), bounds), std::move(contained)};
}

std::vector<ValueRange> NotWithin(const NumericKeys& keys, const EncodedBounds& bounds) {
  return {Below(keys.Key(Form::kNumber), bounds.low),
          NotBelow(keys.Key(Form::kNumber), bounds.high),
          Below(keys.Key(Form::kRangeByLow), bounds.low),
          NotBelow(keys.Key(Form::kRangeByHigh), bounds.high)};
}

// Overlaps the closed range.
std::vector<ValueRange> Near(const NumericKeys& keys, const EncodedBounds& bounds) {
  const std::string above = PrefixEnd(bounds.high);
  ValueRange overlapping = Below(keys.Key(Form::kRangeByLow), above);
  overlapping.conditions.push_back(SecondEnd(keys, bounds.low, {}));
  return {Within(keys.Key(Form::kNumber), {bounds.low, above}), std::move(overlapping)};
}

}  // namespace

std::optional<std::size_t> EncodedBoundSize(std::string_view bytes) {
  if (bytes.empty()) return std::nullopt;
  if (bytes.front() == kBelowAll || bytes.front() == kAboveAll) return 1;
  return EncodedDecimalSize(bytes);
}

NumericKeys::NumericKeys(const ucum::CanonicalUnit* unit) : unit_(unit) {
  AppendU64(&scope_, HashText(unit->Name()));
}

std::string NumericKeys::Encode(const Decimal& value) const {
  return EncodeDecimal(unit_ == nullptr ? value : unit_->Convert(value));
}

char NumericKeys::TagOf(Form form) const {
  return (unit_ == nullptr ? kWrittenTags : kCanonicalTags)[static_cast<std::size_t>(form)];
}

std::string NumericKeys::Key(Form form) const {
  return std::string(1, TagOf(form)) += scope_;
}

std::string* NumericKeys::Begin(Form form, ValueSink* sink) const {
  return &sink->Begin(TagOf(form))->append(scope_);
}

void AddNumber(const NumericKeys& keys, const Decimal& number, std::string_view tail,
               ValueSink* sink) {
  keys.Begin(Form::kNumber, sink)->append(keys.Encode(number)).append(tail);
  sink->Add();
}

void AddNumericRange(const NumericKeys& keys, const json::Value& low, const json::Value& high,
                     std::string_view tail, ValueSink* sink) {
  if (low.IsNone() && high.IsNone()) return;
  const auto encode = [&](const json::Value& end, char open) -> std::optional<std::string> {
    if (end.IsNone()) return std::string(1, open);
    const auto number = ParseDecimal(end.Text());
    return number ? std::optional(keys.Encode(*number)) : std::nullopt;
  };
  const auto from = encode(low, kBelowAll);
  const auto to = encode(high, kAboveAll);
  if (!from || !to || *to < *from) return;
  keys.Begin(Form::kRangeByLow, sink)->append(*from).append(*to).append(tail);
  sink->Add();
  keys.Begin(Form::kRangeByHigh, sink)->append(*to).append(*from).append(tail);
  sink->Add();
}

std::optional<std::vector<ValueRange>> NumericRanges(const NumericKeys& keys, Prefix prefix,
                                                     std::string_view number) {
  const std::optional<Decimal> decimal = ParseDecimal(number);
  if (!decimal) return std::nullopt;
  const auto encode = [&](const DecimalBounds& bounds) {
    return EncodedBounds{keys.Encode(bounds.low), keys.Encode(bounds.high)};
  };
  const std::string value = keys.Encode(*decimal);
  // Encodings are no prefixes of one another: this is above `value` and below all greater numbers.
  const std::string above = PrefixEnd(value);
  const std::string numbers = keys.Key(Form::kNumber);
  const std::string by_low = keys.Key(Form::kRangeByLow);
  const std::string by_high = keys.Key(Form::kRangeByHigh);
  switch (prefix) {
    case Prefix::kEq: return Within(keys, encode(ImplicitBounds(*decimal)));
    case Prefix::kNe: return NotWithin(keys, encode(ImplicitBounds(*decimal)));
    case Prefix::kAp: return Near(keys, encode(ApproximateBounds(*decimal)));
    case Prefix::kGt: return std::vector{NotBelow(numbers, above), NotBelow(by_high, above)};
    case Prefix::kGe: return std::vector{NotBelow(numbers, value), NotBelow(by_high, value)};
    case Prefix::kLt: return std::vector{Below(numbers, value), Below(by_low, value)};
    case Prefix::kLe: return std::vector{Below(numbers, above), Below(by_low, above)};
    case Prefix::kSa: return std::vector{NotBelow(numbers, above), NotBelow(by_low, above)};
    case Prefix::kEb: return std::vector{Below(numbers, value), Below(by_high, value)};
  }
  return std::nullopt;
}

}  // namespace fhir::search
