// fhir/search/types/quantity.cc
//
// Quantities with their unit, and once more in canonical units where the unit is UCUM's and can be
// converted (fhir/ucum): number|http://unitsofmeasure.org|code looks there, so that 5.4 g finds
// 5400 mg. All other searches compare the unit's texts. Quantity.comparator is not looked at.
//
//   numeric_range.h's bytes | system hash | code hash | unit hash     8 bytes each (HashText)
//   numeric_range.h's bytes in a canonical unit
//
// A hash of zeros: there is none. Money's currency is a code of urn:iso:std:iso:4217. A Range has
// the unit of its low end, or else of its high end. SampledData is the range of its limits in the
// unit of its origin, and has no values without limits. These bytes are on disk.
#include <optional>
#include <utility>

#include "fhir/base/bytes.h"
#include "fhir/base/decimal.h"
#include "fhir/base/text.h"
#include "fhir/search/escape.h"
#include "fhir/search/types/numeric_range.h"
#include "fhir/search/types/search_type.h"
#include "fhir/ucum/canonical_unit.h"

namespace fhir::search {
namespace {

constexpr std::string_view kCurrencySystem = "urn:iso:std:iso:4217";
constexpr std::int32_t kSystemOffset = -24;
constexpr std::int32_t kCodeOffset = -16;
constexpr std::int32_t kUnitOffset = -8;

std::string Hash(std::string_view text) {
  std::string bytes;
  AppendU64(&bytes, text.empty() ? 0 : HashText(text));
  return bytes;
}

void AppendHash(std::string* out, std::string_view text) {
  AppendU64(out, text.empty() ? 0 : HashText(text));
}

std::string UnitOf(const json::Value& quantity) {
  std::string bytes;
  AppendHash(&bytes, quantity.Find("system").StringOrEmpty());
  AppendHash(&bytes, quantity.Find("code").StringOrEmpty());
  AppendHash(&bytes, quantity.Find("unit").StringOrEmpty());
  return bytes;
}

// Null if it has none; see FindCanonicalUnit.
const ucum::CanonicalUnit* CanonicalUnitOf(const json::Value& quantity,
                                           std::optional<ucum::CanonicalUnit>* made) {
  if (quantity.Find("system").StringOrEmpty() != ucum::kSystem) return nullptr;
  return ucum::FindCanonicalUnit(quantity.Find("code").StringOrEmpty(), made);
}

std::optional<Decimal> ValueOf(const json::Value& quantity) {
  const json::Value value = quantity.Find("value");
  return value.IsNone() ? std::nullopt : ParseDecimal(value.Text());
}

// Quantity, Age, Count, Distance, Duration.
void EncodeQuantity(const ElementView& element, ValueSink* sink) {
  const auto number = ValueOf(element.value);
  if (!number) return;
  AddNumber(NumericKeys(), *number, UnitOf(element.value), sink);
  std::optional<ucum::CanonicalUnit> made;
  const auto* canonical = CanonicalUnitOf(element.value, &made);
  if (canonical != nullptr) AddNumber(NumericKeys(canonical), *number, {}, sink);
}

void EncodeMoney(const ElementView& element, ValueSink* sink) {
  const auto number = ValueOf(element.value);
  if (!number) return;
  const std::string_view currency = element.value.Find("currency").StringOrEmpty();
  std::string unit;
  AppendHash(&unit, currency.empty() ? std::string_view{} : kCurrencySystem);
  AppendHash(&unit, currency);
  AppendHash(&unit, {});
  AddNumber(NumericKeys(), *number, unit, sink);
}

void AddRange(const json::Value& low, const json::Value& high, const json::Value& unit,
              ValueSink* sink) {
  AddNumericRange(NumericKeys(), low, high, UnitOf(unit), sink);
  std::optional<ucum::CanonicalUnit> made;
  const auto* canonical = CanonicalUnitOf(unit, &made);
  if (canonical != nullptr) AddNumericRange(NumericKeys(canonical), low, high, {}, sink);
}

void EncodeRange(const ElementView& element, ValueSink* sink) {
  const json::Value low = element.value.Find("low");
  const json::Value high = element.value.Find("high");
  AddRange(low.Find("value"), high.Find("value"), low.IsNone() ? high : low, sink);
}

void EncodeSampledData(const ElementView& element, ValueSink* sink) {
  AddRange(element.value.Find("lowerLimit"), element.value.Find("upperLimit"),
           element.value.Find("origin"), sink);
}

Encoder EncoderFor(definitions::TypeId type) {
  const std::string_view name = definitions::GetType(type).name;
  if (name == "Quantity" || name == "Age" || name == "Count" || name == "Distance" ||
      name == "Duration" || name == "SimpleQuantity") {
    return &EncodeQuantity;
  }
  if (name == "Money") return &EncodeMoney;
  if (name == "Range") return &EncodeRange;
  return name == "SampledData" ? &EncodeSampledData : nullptr;
}

// Value bytes from `offset` on begin with `bytes`.
ByteCondition HasAt(std::int32_t offset, std::string bytes) {
  std::string end = PrefixEnd(bytes);
  return {.offset = offset, .from = std::move(bytes), .to = std::move(end)};
}

std::vector<ValueRange> With(const ByteCondition& condition, std::vector<ValueRange> ranges) {
  for (ValueRange& range : ranges) range.conditions.push_back(condition);
  return ranges;
}

// Those of `ranges` whose unit is asked for, all in a unit as written.
std::vector<ValueRange> WithUnit(std::vector<ValueRange> ranges, const std::string& system,
                                 const std::string& code) {
  if (!system.empty() && !code.empty()) {
    return With(HasAt(kSystemOffset, Hash(system) + Hash(code)), std::move(ranges));
  }
  if (!system.empty()) return With(HasAt(kSystemOffset, Hash(system)), std::move(ranges));
  if (code.empty()) return ranges;
  // 5.4||mg: the code or the unit as people read it.
  std::vector<ValueRange> by_code = With(HasAt(kCodeOffset, Hash(code)), ranges);
  for (ValueRange& range : With(HasAt(kUnitOffset, Hash(code)), std::move(ranges))) {
    by_code.push_back(std::move(range));
  }
  return by_code;
}

Result<std::vector<ValueRange>> Parse(const SearchValue& value) {
  const std::vector<std::string_view> parts = SplitUnescaped(value.text, '|');
  if (parts.size() != 1 && parts.size() != 3) {
    return Fail(BadValue(value, "is not number or number|system|code"));
  }
  const std::string plain = Unescape(parts[0]);
  std::string_view number = plain;
  const Prefix prefix = TakePrefix(&number);
  const std::string system = parts.size() == 1 ? "" : Unescape(parts[1]);
  const std::string code = parts.size() == 1 ? "" : Unescape(parts[2]);
  std::optional<ucum::CanonicalUnit> made;
  const ucum::CanonicalUnit* canonical =
      system == ucum::kSystem ? ucum::FindCanonicalUnit(code, &made) : nullptr;
  const NumericKeys keys = canonical != nullptr ? NumericKeys(canonical) : NumericKeys();
  auto ranges = NumericRanges(keys, prefix, number, value.in_tuple);
  if (!ranges) return Fail(BadValue(value, "does not begin with a number"));
  if (canonical != nullptr) return *std::move(ranges);
  return WithUnit(*std::move(ranges), system, code);
}

}  // namespace

const SearchTypeSpec kQuantityType = {.name = "quantity",
                                      .type = SearchType::kQuantity,
                                      .encoder_for = &EncoderFor,
                                      .parse = &Parse,
                                      .modifiers = {},
                                      .sort_tags = "\x01",
                                      .revision = 3,  // 2: canonical units. 3: bands.
                                      .has_prefixes = true,
                                      .operators = kPrefixOperators};

}  // namespace fhir::search
