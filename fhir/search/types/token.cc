// fhir/search/types/token.cc
//
// Codes, identifiers and flags: compared whole, case and accents included
// (R4 leaves it to the code system; most are case-sensitive, and identifiers
// must not be mixed up).
//
//   0x01 | code | 0x00 | system hash      8 bytes, HashText; zeros: no system
//   0x02 | system hash                    only if there is a system; not in tuples
//
// A code of more than 256 bytes is its first 200 bytes and HashText of the whole as 16 hexadecimal
// digits. These bytes are on disk.
//
// ContactPoint.system and .use are no token systems: its value is a code without system.
#include "fhir/search/types/token.h"

#include <utility>

#include "fhir/base/bytes.h"
#include "fhir/base/text.h"
#include "fhir/search/escape.h"

namespace fhir::search {
namespace {

constexpr char kCodeTag = '\x01';
constexpr char kSystemTag = '\x02';
constexpr std::size_t kMaxCodeBytes = 256;
constexpr std::size_t kKeptCodeBytes = 200;

void AddToken(std::string_view system, std::string_view code, ValueSink* sink) {
  if (!code.empty()) {
    std::string* out = sink->Begin(kCodeTag);
    AppendCode(out, code);
    AppendSystem(out, system);
    sink->Add();
  }
  if (!system.empty() && !sink->InTuple()) {
    AppendSystem(sink->Begin(kSystemTag), system);
    sink->Add();
  }
}

void EncodeCoding(const json::Value& coding, ValueSink* sink) {
  std::string_view system;
  std::string_view code;
  if (!coding.IsObject()) return;
  for (const json::Value member : coding.Children()) {
    if (member.Name() == "system") system = sink->TextOf(member);
    if (member.Name() == "code") code = member.StringOrEmpty();
  }
  AddToken(system, code, sink);
}

void EncodeCodingElement(const ElementView& element, ValueSink* sink) {
  EncodeCoding(element.value, sink);
}

void EncodeCodeableConcept(const ElementView& element, ValueSink* sink) {
  const json::Value codings = element.value.Find("coding");
  if (!codings.IsArray()) return;
  for (const json::Value coding : codings.Children()) EncodeCoding(coding, sink);
}

void EncodeIdentifier(const ElementView& element, ValueSink* sink) {
  AddToken(sink->TextOf(element.value.Find("system")), element.value.Find("value").StringOrEmpty(),
           sink);
}

void EncodeContactPoint(const ElementView& element, ValueSink* sink) {
  AddToken({}, element.value.Find("value").StringOrEmpty(), sink);
}

// code, string, id, uri; and boolean, whose text is the literal.
void EncodePrimitive(const ElementView& element, ValueSink* sink) {
  const bool is_string = element.value.IsString();
  AddToken(element.system, is_string ? sink->TextOf(element.value) : element.value.Text(), sink);
}

Encoder EncoderFor(definitions::TypeId type) {
  const definitions::Type& element = definitions::GetType(type);
  if (element.name == "CodeableConcept") return &EncodeCodeableConcept;
  if (element.name == "Coding") return &EncodeCodingElement;
  if (element.name == "Identifier") return &EncodeIdentifier;
  if (element.name == "ContactPoint") return &EncodeContactPoint;
  switch (element.primitive) {
    case definitions::Primitive::kBoolean:
    case definitions::Primitive::kCanonical:
    case definitions::Primitive::kCode:
    case definitions::Primitive::kId:
    case definitions::Primitive::kOid:
    case definitions::Primitive::kString:
    case definitions::Primitive::kUri:
    case definitions::Primitive::kUrl:
    case definitions::Primitive::kUuid: return &EncodePrimitive;
    case definitions::Primitive::kNone:
    case definitions::Primitive::kBase64Binary:
    case definitions::Primitive::kDate:
    case definitions::Primitive::kDateTime:
    case definitions::Primitive::kDecimal:
    case definitions::Primitive::kInstant:
    case definitions::Primitive::kInteger:
    case definitions::Primitive::kMarkdown:
    case definitions::Primitive::kPositiveInt:
    case definitions::Primitive::kTime:
    case definitions::Primitive::kUnsignedInt:
    case definitions::Primitive::kXhtml: return nullptr;
  }
  return nullptr;
}

// Any code of the system. Tuples have no system values: there the hash ends the value.
ValueRange AnyCodeOf(std::string_view system, bool in_tuple) {
  std::string hash;
  AppendSystem(&hash, system);
  if (!in_tuple) return ExactValue(std::string(1, kSystemTag) + hash);
  ValueRange range = PrefixRange(std::string(1, kCodeTag));
  std::string end = PrefixEnd(hash);
  range.conditions.push_back({.offset = -8, .from = std::move(hash), .to = std::move(end)});
  return range;
}

Result<std::vector<ValueRange>> Parse(const SearchValue& value) {
  FHIR_TRY(token, SplitToken(value));
  if (token.code.empty()) return std::vector{AnyCodeOf(token.system, value.in_tuple)};
  std::string bytes(1, kCodeTag);
  AppendCode(&bytes, token.code);
  if (!token.has_bar) return std::vector{PrefixRange(std::move(bytes))};
  AppendSystem(&bytes, token.system);
  return std::vector{ExactValue(std::move(bytes))};
}

constexpr std::string_view kModifiers[] = {"not"};

}  // namespace

Result<TokenText> SplitToken(const SearchValue& value) {
  const std::vector<std::string_view> parts = SplitUnescaped(value.text, '|');
  if (parts.size() > 2) return Fail(BadValue(value, "has more than one '|'"));
  TokenText token;
  token.has_bar = parts.size() == 2;
  if (token.has_bar) token.system = Unescape(parts.front());
  token.code = Unescape(parts.back());
  if (token.system.empty() && token.code.empty()) {
    return Fail(BadValue(value, "has neither system nor code"));
  }
  return token;
}

void AppendCode(std::string* out, std::string_view code) {
  AppendShortened(out, code, kMaxCodeBytes, kKeptCodeBytes);
  out->push_back('\0');
}

void AppendSystem(std::string* out, std::string_view system) {
  AppendU64(out, system.empty() ? 0 : HashText(system));
}

void EncodeFlag(bool flag, ValueSink* sink) {
  AddToken({}, flag ? "true" : "false", sink);
}

const SearchTypeSpec kTokenType = {.type = SearchType::kToken,
                                   .encoder_for = &EncoderFor,
                                   .parse = &Parse,
                                   .modifiers = kModifiers,
                                   .sort_tags = "\x01"};

}  // namespace fhir::search
