#include "fhir/search/types/numeric_range.h"

#include <utility>

#include "fhir/base/decimal.h"
#include "fhir/search/types/search_type.h"

namespace fhir::search {
namespace {

std::string Tagged(char tag, std::string_view bytes = {}) {
  std::string value(1, tag);
  value.append(bytes);
  return value;
}

ValueRange Between(std::string from, std::string to) {
  ValueRange range;
  range.from = std::move(from);
  range.to = std::move(to);
  return range;
}

// The second end of a range lies in [from, to).
ByteCondition SecondEnd(std::string from, std::string to) {
  return {.offset = 1, .decimals = 1, .from = std::move(from), .to = std::move(to)};
}

// All numbers with the tag, below or not below `bound`; an end of a range counts as the number.
ValueRange Below(char tag, std::string_view bound) {
  return Between(Tagged(tag), Tagged(tag, bound));
}
ValueRange NotBelow(char tag, std::string_view bound) {
  return Between(Tagged(tag, bound), PrefixEnd(Tagged(tag)));
}

std::vector<ValueRange> Within(const DecimalRange& range) {
  ValueRange contained =
      Between(Tagged(kRangeByLowTag, range.low), Tagged(kRangeByLowTag, range.high));
  contained.conditions.push_back(SecondEnd({}, range.high));
  return {Between(Tagged(kNumberTag, range.low), Tagged(kNumberTag, range.high)),
          std::move(contained)};
}

std::vector<ValueRange> NotWithin(const DecimalRange& range) {
  return {Below(kNumberTag, range.low), NotBelow(kNumberTag, range.high),
          Below(kRangeByLowTag, range.low), NotBelow(kRangeByHighTag, range.high)};
}

// Overlaps the closed range.
std::vector<ValueRange> Near(const DecimalRange& range) {
  const std::string above = PrefixEnd(range.high);
  ValueRange overlapping = Below(kRangeByLowTag, above);
  overlapping.conditions.push_back(SecondEnd(range.low, {}));
  return {Between(Tagged(kNumberTag, range.low), Tagged(kNumberTag, above)),
          std::move(overlapping)};
}

}  // namespace

std::optional<std::size_t> EncodedBoundSize(std::string_view bytes) {
  if (bytes.empty()) return std::nullopt;
  if (bytes.front() == kBelowAll || bytes.front() == kAboveAll) return 1;
  return EncodedDecimalSize(bytes);
}

void AddNumericRange(const json::Value& low, const json::Value& high, std::string_view tail,
                     ValueSink* sink) {
  if (low.IsNone() && high.IsNone()) return;
  const auto from = low.IsNone() ? std::string(1, kBelowAll) : EncodeDecimal(low.Text());
  const auto to = high.IsNone() ? std::string(1, kAboveAll) : EncodeDecimal(high.Text());
  if (!from || !to || *to < *from) return;
  sink->Begin(kRangeByLowTag)->append(*from).append(*to).append(tail);
  sink->Add();
  sink->Begin(kRangeByHighTag)->append(*to).append(*from).append(tail);
  sink->Add();
}

std::optional<std::vector<ValueRange>> NumericRanges(Prefix prefix, std::string_view number) {
  const std::optional<std::string> encoded = EncodeDecimal(number);
  if (!encoded) return std::nullopt;
  const std::string& value = *encoded;
  // Encodings are no prefixes of one another: this is above `value` and below all greater numbers.
  const std::string above = PrefixEnd(value);
  switch (prefix) {
    case Prefix::kEq: {
      const auto range = ImplicitRange(number);
      return range ? std::optional(Within(*range)) : std::nullopt;
    }
    case Prefix::kNe: {
      const auto range = ImplicitRange(number);
      return range ? std::optional(NotWithin(*range)) : std::nullopt;
    }
    case Prefix::kAp: {
      const auto range = ApproximateRange(number);
      return range ? std::optional(Near(*range)) : std::nullopt;
    }
    case Prefix::kGt:
      return std::vector{NotBelow(kNumberTag, above), NotBelow(kRangeByHighTag, above)};
    case Prefix::kGe:
      return std::vector{NotBelow(kNumberTag, value), NotBelow(kRangeByHighTag, value)};
    case Prefix::kLt: return std::vector{Below(kNumberTag, value), Below(kRangeByLowTag, value)};
    case Prefix::kLe: return std::vector{Below(kNumberTag, above), Below(kRangeByLowTag, above)};
    case Prefix::kSa:
      return std::vector{NotBelow(kNumberTag, above), NotBelow(kRangeByLowTag, above)};
    case Prefix::kEb: return std::vector{Below(kNumberTag, value), Below(kRangeByHighTag, value)};
  }
  return std::nullopt;
}

}  // namespace fhir::search
