// fhir/search/types/string.cc
//
// Names, addresses and other texts: compared by their beginning, without case
// and accents (FoldText).
//
//   0x01 | folded text | 0x00             of a long text, its first 32 KiB
//   0x02 | HashText of the exact text     8 bytes; not in tuples
//   0x03 | folded text | 0x00             of a long text, each further window of 32 KiB
//
// Windows overlap by 1 KiB, so that what :contains looks for lies in one of them.
//
// Each part of a HumanName or an Address is a value of its own (R4 3.1.1.4.8). These bytes are on
// disk.
#include <algorithm>
#include <utility>

#include "fhir/base/bytes.h"
#include "fhir/base/text.h"
#include "fhir/search/escape.h"
#include "fhir/search/types/search_type.h"

namespace fhir::search {
namespace {

constexpr char kTextTag = '\x01';
constexpr char kExactTag = '\x02';
constexpr char kWindowTag = '\x03';
constexpr std::size_t kWindowBytes = std::size_t{32} * 1024;
constexpr std::size_t kOverlapBytes = 1024;

void AddFolded(std::string_view folded, ValueSink* sink) {
  char tag = kTextTag;
  while (true) {
    sink->Begin(tag)->append(folded.substr(0, kWindowBytes)).push_back('\0');
    sink->Add();
    // Of a text whose last window is full there is one more, so that a full one is never the end.
    if (folded.size() < kWindowBytes || sink->InTuple()) return;
    folded.remove_prefix(kWindowBytes - kOverlapBytes);
    tag = kWindowTag;
  }
}

void AddText(const json::Value& value, ValueSink* sink) {
  const std::string_view text = value.StringOrEmpty();
  if (text.empty() || sink->IsOverfull()) return;
  if (text.size() > kMaxTextBytes) return sink->Refuse();
  AddFolded(FoldText(text), sink);
  if (sink->InTuple()) return;
  AppendU64(sink->Begin(kExactTag), HashText(text));
  sink->Add();
}

void EncodePrimitive(const ElementView& element, ValueSink* sink) {
  AddText(element.value, sink);
}

// Every member that is one of `names`, or each of its items.
void AddMembers(const json::Value& object, std::span<const std::string_view> names,
                ValueSink* sink) {
  if (!object.IsObject()) return;
  for (const json::Value member : object.Children()) {
    for (const std::string_view name : names) {
      if (member.Name() != name) continue;
      if (member.IsArray()) {
        for (const json::Value item : member.Children()) AddText(item, sink);
      } else {
        AddText(member, sink);
      }
    }
  }
}

void EncodeHumanName(const ElementView& element, ValueSink* sink) {
  static constexpr std::string_view kParts[] = {"family", "given", "prefix", "suffix", "text"};
  AddMembers(element.value, kParts, sink);
}

void EncodeAddress(const ElementView& element, ValueSink* sink) {
  static constexpr std::string_view kParts[] = {"line",       "city",    "district", "state",
                                                "postalCode", "country", "text"};
  AddMembers(element.value, kParts, sink);
}

Encoder EncoderFor(definitions::TypeId type) {
  const std::string_view name = definitions::GetType(type).name;
  if (name == "HumanName") return &EncodeHumanName;
  if (name == "Address") return &EncodeAddress;
  if (name == "string" || name == "markdown" || name == "code" || name == "id" || name == "uri") {
    return &EncodePrimitive;
  }
  return nullptr;
}

Result<std::vector<ValueRange>> Contains(const SearchValue& value, const std::string& folded) {
  if (folded.size() > kOverlapBytes) {
    return Fail(BadValue(value, "is too long for :contains (1,024 bytes)"));
  }
  std::vector<ValueRange> ranges;
  for (const char tag : {kTextTag, kWindowTag}) {
    ValueRange range = PrefixRange(std::string(1, tag));
    range.contains = folded;
    ranges.push_back(std::move(range));
  }
  return ranges;
}

Result<std::vector<ValueRange>> Parse(const SearchValue& value) {
  const std::string text = Unescape(value.text);
  if (value.modifier == "exact") {
    std::string bytes(1, kExactTag);
    AppendU64(&bytes, HashText(text));
    return std::vector{ExactValue(std::move(bytes))};
  }
  std::string folded = FoldText(text);
  if (folded.empty()) return Fail(BadValue(value, "has no letters to search by"));
  if (value.modifier == "contains") return Contains(value, folded);
  if (folded.size() > kWindowBytes) return Fail(BadValue(value, "is too long (32 KiB)"));
  return std::vector{PrefixRange(std::string(1, kTextTag) + folded)};
}

ValueRange Between(std::string from, std::string to) {
  ValueRange range;
  range.from = std::move(from);
  range.to = std::move(to);
  return range;
}

// The texts that end with it: in the last window of each.
Result<std::vector<ValueRange>> EndsWith(const SearchValue& value, const std::string& folded) {
  if (folded.size() > kOverlapBytes) {
    return Fail(BadValue(value, "is too long for 'ew' (1,024 bytes)"));
  }
  const std::string end = folded + '\0';
  std::vector<ValueRange> ranges;
  for (const char tag : {kTextTag, kWindowTag}) {
    ValueRange range = PrefixRange(std::string(1, tag));
    range.conditions.push_back(
        {.offset = -static_cast<std::int32_t>(end.size()), .from = end, .to = end + '\0'});
    range.max_size = kWindowBytes + 1;  // The tag, the NUL, and less than a full window.
    ranges.push_back(std::move(range));
  }
  return ranges;
}

// R4 3.1.3.2: gt, lt, ge and le compare the "starting character".
Result<std::vector<ValueRange>> CompareStart(FilterOperator op, const SearchValue& value,
                                             const std::string& folded) {
  const auto is_inner = [](char c) { return (c & '\xC0') == '\x80'; };
  if (!std::all_of(folded.begin() + 1, folded.end(), is_inner)) {
    return Fail(BadValue(value, "has several characters, and '" + std::string(CodeOf(op)) +
                                    "' compares the first of a string only: give one"));
  }
  const std::string lowest(2, kTextTag);  // Leaves out the empty text.
  const std::string from = std::string(1, kTextTag) + folded;
  const std::string highest(1, kTextTag + 1);
  if (op == FilterOperator::kLt) return std::vector{Between(lowest, from)};
  if (op == FilterOperator::kLe) return std::vector{Between(lowest, PrefixEnd(from))};
  if (op == FilterOperator::kGt) return std::vector{Between(PrefixEnd(from), highest)};
  return std::vector{Between(from, highest)};
}

Result<std::vector<ValueRange>> Compare(FilterOperator op, const SearchValue& value) {
  const std::string folded = FoldText(Unescape(value.text));
  if (folded.empty()) return Fail(BadValue(value, "has no letters to search by"));
  // Those below are tags.
  if (static_cast<unsigned char>(folded.front()) < ' ') {
    return Fail(BadValue(value, "begins with a control character"));
  }
  if (folded.size() >= kWindowBytes) return Fail(BadValue(value, "is too long (32 KiB)"));
  const std::string text(1, kTextTag);
  const std::string whole = text + folded + '\0';
  if (op == FilterOperator::kEq) return std::vector{ExactValue(whole)};
  if (op == FilterOperator::kNe) {
    return std::vector{Between(text, whole), Between(whole + '\0', PrefixEnd(text))};
  }
  if (op == FilterOperator::kCo) return Contains(value, folded);
  if (op == FilterOperator::kSw) return std::vector{PrefixRange(text + folded)};
  if (op == FilterOperator::kEw) return EndsWith(value, folded);
  return CompareStart(op, value, folded);
}

constexpr std::string_view kModifiers[] = {"exact", "contains"};
constexpr FilterOperator kOperators[] = {
    FilterOperator::kEq, FilterOperator::kNe, FilterOperator::kCo,
    FilterOperator::kSw, FilterOperator::kEw, FilterOperator::kGt,
    FilterOperator::kLt, FilterOperator::kGe, FilterOperator::kLe};

}  // namespace

const SearchTypeSpec kStringType = {.name = "string",
                                    .type = SearchType::kString,
                                    .encoder_for = &EncoderFor,
                                    .parse = &Parse,
                                    .modifiers = kModifiers,
                                    .sort_tags = "\x01",
                                    .operators = kOperators,
                                    .compare = &Compare};

}  // namespace fhir::search
