// fhir/search/types/token.cc
//
// Codes, identifiers and flags: compared whole, case and accents included
// (R4 leaves it to the code system; most are case-sensitive, and identifiers
// must not be mixed up).
//
//   0x01 | code | 0x00 | system hash      8 bytes, HashText; zeros: no system
//   0x02 | system hash                    only if there is a system; not in tuples
//   0x03 | folded text | 0x00             what the code is called, for :text; not in tuples
//   0x04 | system hash | code | 0x00 | value | 0x00
//                                         an identifier with a coding of its type; not in tuples
//
// Texts are CodeableConcept.text, Coding.display and Identifier.type.text, as long as 1 KiB. A code of more than 256 bytes is its first 200 bytes and HashText of the whole as 16 hexadecimal
// digits. These bytes are on disk.
//
// ContactPoint.system and .use are no token systems: its value is a code without system.
#include "fhir/search/types/token.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "fhir/base/bytes.h"
#include "fhir/base/text.h"
#include "fhir/search/escape.h"

namespace fhir::search {
namespace {

constexpr char kCodeTag = '\x01';
constexpr char kSystemTag = '\x02';
constexpr char kTextTag = '\x03';
constexpr char kTypedTag = '\x04';
constexpr std::size_t kMaxTextBytes = 1024;
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

void AddText(std::string_view text, ValueSink* sink) {
  if (text.empty() || sink->InTuple()) return;
  std::string folded = FoldText(text);
  if (folded.empty()) return;
  folded.resize(std::min(folded.size(), kMaxTextBytes));
  sink->Begin(kTextTag)->append(folded).push_back('\0');
  sink->Add();
}

void EncodeCoding(const json::Value& coding, ValueSink* sink) {
  std::string_view system;
  std::string_view code;
  std::string_view display;
  if (!coding.IsObject()) return;
  for (const json::Value member : coding.Children()) {
    if (member.Name() == "system") system = sink->TextOf(member);
    if (member.Name() == "code") code = member.StringOrEmpty();
    if (member.Name() == "display") display = member.StringOrEmpty();
  }
  AddToken(system, code, sink);
  AddText(display, sink);
}

void EncodeCodingElement(const ElementView& element, ValueSink* sink) {
  EncodeCoding(element.value, sink);
}

void EncodeCodeableConcept(const ElementView& element, ValueSink* sink) {
  if (!element.value.IsObject()) return;
  for (const json::Value member : element.value.Children()) {
    if (member.Name() == "text") AddText(member.StringOrEmpty(), sink);
    if (member.Name() != "coding" || !member.IsArray()) continue;
    for (const json::Value coding : member.Children()) EncodeCoding(coding, sink);
  }
}

void AppendTyped(std::string* out, std::string_view system, std::string_view code,
                 std::string_view value) {
  AppendSystem(out, system);
  AppendCode(out, code);
  AppendCode(out, value);
}

void AddTypeOfIdentifier(const json::Value& type, std::string_view value, ValueSink* sink) {
  AddText(type.Find("text").StringOrEmpty(), sink);
  const json::Value codings = type.Find("coding");
  if (value.empty() || !codings.IsArray() || sink->InTuple()) return;
  for (const json::Value coding : codings.Children()) {
    const std::string_view system = sink->TextOf(coding.Find("system"));
    const std::string_view code = coding.Find("code").StringOrEmpty();
    // A search names all three.
    if (system.empty() || code.empty()) continue;
    AppendTyped(sink->Begin(kTypedTag), system, code, value);
    sink->Add();
  }
}

void EncodeIdentifier(const ElementView& element, ValueSink* sink) {
  const std::string_view value = element.value.Find("value").StringOrEmpty();
  AddToken(sink->TextOf(element.value.Find("system")), value, sink);
  const json::Value type = element.value.Find("type");
  if (!type.IsNone()) AddTypeOfIdentifier(type, value, sink);
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

Result<std::vector<ValueRange>> ParseText(const SearchValue& value) {
  const std::string folded = FoldText(Unescape(value.text));
  if (folded.empty()) return Fail(BadValue(value, "has no letters to search by"));
  if (folded.size() > kMaxTextBytes) {
    return Fail(BadValue(value, "is too long for :text (1,024 bytes)"));
  }
  return std::vector{PrefixRange(std::string(1, kTextTag) + folded)};
}

// R4 3.1.1.4.10: [system]|[code]|[value], and "all three parts must be present".
Result<std::vector<ValueRange>> ParseTyped(const SearchValue& value) {
  const std::vector<std::string_view> parts = SplitUnescaped(value.text, '|');
  const bool has_all =
      std::none_of(parts.begin(), parts.end(), [](std::string_view part) { return part.empty(); });
  if (parts.size() != 3 || !has_all) {
    return Fail(BadValue(value, "is not system|code|value of an identifier's type and value"));
  }
  std::string bytes(1, kTypedTag);
  AppendTyped(&bytes, Unescape(parts[0]), Unescape(parts[1]), Unescape(parts[2]));
  return std::vector{ExactValue(std::move(bytes))};
}

// The concepts that `value` means by its modifier.
Result<terminology::Concepts> ConceptsOf(const SearchValue& value) {
  if (value.modifier == "in" || value.modifier == "not-in") {
    return value.terminology->Expand(Unescape(value.text));
  }
  FHIR_TRY(token, SplitToken(value));
  if (token.system.empty() || token.code.empty()) {
    return Fail(BadValue(value, "is not system|code of a concept"));
  }
  if (value.modifier == "below") return value.terminology->Below(token.system, token.code);
  return value.terminology->Above(token.system, token.code);
}

Result<std::vector<ValueRange>> ParseConcepts(const SearchValue& value) {
  const std::string name = "parameter '" + std::string(value.name) + "': ";
  if (value.terminology == nullptr) {
    return Fail(NotSupported(name + "value sets and hierarchies are not supported here"));
  }
  auto concepts = ConceptsOf(value);
  if (!concepts) {
    Error error = std::move(concepts).error();
    std::string& text = error.issues.front().diagnostics;
    if (!text.starts_with(name)) text.insert(0, name);
    return Fail(std::move(error));
  }
  std::vector<ValueRange> ranges;
  ranges.reserve(concepts->size());
  for (const terminology::Concept& one : *concepts) {
    std::string bytes(1, kCodeTag);
    AppendCode(&bytes, one.code);
    AppendSystem(&bytes, one.system);
    ranges.push_back(ExactValue(std::move(bytes)));
  }
  return ranges;
}

Result<std::vector<ValueRange>> Parse(const SearchValue& value) {
  if (value.modifier == "text") return ParseText(value);
  if (value.modifier == "of-type") return ParseTyped(value);
  if (!value.modifier.empty() && value.modifier != "not") return ParseConcepts(value);
  FHIR_TRY(token, SplitToken(value));
  if (token.code.empty()) return std::vector{AnyCodeOf(token.system, value.in_tuple)};
  std::string bytes(1, kCodeTag);
  AppendCode(&bytes, token.code);
  if (!token.has_bar) return std::vector{PrefixRange(std::move(bytes))};
  AppendSystem(&bytes, token.system);
  return std::vector{ExactValue(std::move(bytes))};
}

char LowerCase(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
}

// What codes begin with that are `code` (lower case) in some case: as many of its letters as that
// makes few of.
std::vector<std::string> Beginnings(std::string_view code) {
  constexpr std::size_t kMaxBeginnings = 16;
  std::vector<std::string> beginnings = {std::string(1, kCodeTag)};
  for (const char c : code) {
    const bool is_letter = c >= 'a' && c <= 'z';
    if (is_letter && beginnings.size() == kMaxBeginnings) break;
    const std::size_t count = beginnings.size();
    for (std::size_t i = 0; i < count; ++i) {
      if (is_letter) beginnings.push_back(beginnings[i] + static_cast<char>(c - ('a' - 'A')));
      beginnings[i].push_back(c);
    }
  }
  return beginnings;
}

// R4 3.1.3.2: eq and ne are not case-sensitive. Systems are URLs, which are.
Result<std::vector<ValueRange>> Compare(FilterOperator op, const SearchValue& value) {
  FHIR_TRY(token, SplitToken(value));
  const bool is_long = token.code.size() > kKeptCodeBytes;
  const bool has_case = std::any_of(token.code.begin(), token.code.end(),
                                    [](char c) { return static_cast<unsigned char>(c) >= 0x80; });
  if (is_long || has_case) {
    return Fail(BadValue(value, is_long ? "is too long for _filter (200 bytes)"
                                        : "has letters beyond ASCII, of which _filter does not "
                                          "know the other case"));
  }
  AnyCaseToken wanted;
  std::ranges::transform(token.code, std::back_inserter(wanted.code), LowerCase);
  if (token.has_bar) AppendSystem(&wanted.system, token.system);
  wanted.is_wanted = op == FilterOperator::kEq;
  std::vector<ValueRange> ranges;
  if (wanted.is_wanted && token.code.empty()) {
    ranges.push_back(AnyCodeOf(token.system, value.in_tuple));
    return ranges;
  }
  for (std::string& beginning : Beginnings(wanted.is_wanted ? wanted.code : std::string())) {
    ranges.push_back(PrefixRange(std::move(beginning)));
    ranges.back().token = wanted;
  }
  return ranges;
}

// Only what has a text, a type or a system can be asked for it.
bool ModifierFits(std::string_view modifier, const Step& last) {
  const std::string_view type = definitions::GetType(last.type).name;
  if (modifier == "not") return true;
  if (type == "Identifier") return modifier == "text" || modifier == "of-type";
  if (modifier == "of-type") return false;
  if (type == "CodeableConcept" || type == "Coding") return true;
  return modifier != "text" && !last.system.empty();
}

constexpr std::string_view kModifiers[] = {"not",    "text",  "of-type", "in",
                                           "not-in", "above", "below"};
constexpr FilterOperator kOperators[] = {FilterOperator::kEq, FilterOperator::kNe,
                                         FilterOperator::kSs, FilterOperator::kSb,
                                         FilterOperator::kIn, FilterOperator::kNi};

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

bool FitsToken(const AnyCaseToken& token, std::string_view value) {
  constexpr std::size_t kFrame = 1 + 1 + 8;  // The tag, the NUL and the system.
  if (value.size() < kFrame) return false;
  const std::string_view code = value.substr(1, value.size() - kFrame);
  const std::string_view system = value.substr(value.size() - 8);
  const bool is_one = (token.system.empty() || token.system == system) &&
                      (token.code.empty() || std::ranges::equal(code, token.code, {}, LowerCase));
  return is_one == token.is_wanted;
}

void EncodeFlag(bool flag, ValueSink* sink) {
  AddToken({}, flag ? "true" : "false", sink);
}

const SearchTypeSpec kTokenType = {.name = "token",
                                   .type = SearchType::kToken,
                                   .encoder_for = &EncoderFor,
                                   .parse = &Parse,
                                   .modifiers = kModifiers,
                                   .sort_tags = "\x01",
                                   .revision = 2,
                                   .modifier_fits = &ModifierFits,
                                   .operators = kOperators,
                                   .compare = &Compare};

}  // namespace fhir::search
