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
constexpr std::size_t kWindowBytes = 32 * 1024;
constexpr std::size_t kOverlapBytes = 1024;

void AddFolded(std::string_view folded, ValueSink* sink) {
  char tag = kTextTag;
  while (true) {
    sink->Begin(tag)->append(folded.substr(0, kWindowBytes)).push_back('\0');
    sink->Add();
    if (folded.size() <= kWindowBytes || sink->InTuple()) return;
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

Result<std::vector<ValueRange>> Contains(const SearchValue& value, std::string folded) {
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
  if (value.modifier == "contains") return Contains(value, std::move(folded));
  if (folded.size() > kWindowBytes) return Fail(BadValue(value, "is too long (32 KiB)"));
  return std::vector{PrefixRange(std::string(1, kTextTag) + folded)};
}

constexpr std::string_view kModifiers[] = {"exact", "contains"};

}  // namespace

const SearchTypeSpec kStringType = {.type = SearchType::kString,
                                    .encoder_for = &EncoderFor,
                                    .parse = &Parse,
                                    .modifiers = kModifiers,
                                    .sort_tags = "\x01"};

}  // namespace fhir::search
