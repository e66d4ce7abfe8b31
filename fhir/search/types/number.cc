// fhir/search/types/number.cc
//
// Numbers, and Ranges of them. The bytes are those of numeric_range.h with
// nothing behind them. No tuple has a Range as a number.
#include <utility>

#include "fhir/base/decimal.h"
#include "fhir/search/escape.h"
#include "fhir/search/types/numeric_range.h"
#include "fhir/search/types/search_type.h"

namespace fhir::search {
namespace {

void EncodeNumber(const ElementView& element, ValueSink* sink) {
  const auto number = ParseDecimal(element.value.Text());
  if (number) AddNumber(NumericKeys(), *number, {}, sink);
}

void EncodeRange(const ElementView& element, ValueSink* sink) {
  if (sink->InTuple()) return;
  AddNumericRange(NumericKeys(), element.value.Find("low").Find("value"),
                  element.value.Find("high").Find("value"), {}, sink);
}

Encoder EncoderFor(definitions::TypeId type) {
  const std::string_view name = definitions::GetType(type).name;
  if (name == "decimal" || name == "integer" || name == "positiveInt" || name == "unsignedInt") {
    return &EncodeNumber;
  }
  return name == "Range" ? &EncodeRange : nullptr;
}

Result<std::vector<ValueRange>> Parse(const SearchValue& value) {
  const std::string plain = Unescape(value.text);
  std::string_view number = plain;
  const Prefix prefix = TakePrefix(&number);
  auto ranges = NumericRanges(NumericKeys(), prefix, number, value.in_tuple);
  if (!ranges) return Fail(BadValue(value, "is not a number"));
  if (value.in_tuple) {
    std::erase_if(*ranges, [](const ValueRange& range) { return range.from[0] != kNumberTag; });
  }
  return *std::move(ranges);
}

}  // namespace

const SearchTypeSpec kNumberType = {.name = "number",
                                    .type = SearchType::kNumber,
                                    .encoder_for = &EncoderFor,
                                    .parse = &Parse,
                                    .modifiers = {},
                                    .sort_tags = "\x01",
                                    .revision = 2,  // 2: bands.
                                    .has_prefixes = true,
                                    .operators = kPrefixOperators};

}  // namespace fhir::search
