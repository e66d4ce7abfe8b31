// fhir/search/types/reference.cc
//
// What a resource refers to.
//
//   0x01 | Type/id | 0x00                   a resource of this server; version and base URL dropped
//   0x02 | url | 0x00                       any other URL or URN; a canonical with its |version;
//                                           long ones are shortened (AppendUrl)
//   0x03 | value | 0x00 | system hash       Reference.identifier (as in token.cc); not in tuples
//
// These bytes are on disk. Fragments (#x) refer to nothing that can be found. An identifier does
// not say the type of what it means, so `patient:identifier` finds identifiers of other subjects
// too.
#include "fhir/model/reference.h"

#include <algorithm>
#include <utility>

#include "fhir/search/escape.h"
#include "fhir/search/extract.h"
#include "fhir/search/types/reference.h"
#include "fhir/search/types/token.h"
#include "fhir/validation/structure.h"

namespace fhir::search {
namespace {

constexpr char kUrlTag = '\x02';
constexpr char kIdentifierTag = '\x03';

void AddLocal(std::string_view type, std::string_view id, ValueSink* sink) {
  sink->Begin(kLocalReferenceTag)->append(type).append(1, '/').append(id).push_back('\0');
  sink->Add();
}

void AddText(std::string_view text, ValueSink* sink) {
  if (text.empty() || text.starts_with('#')) return;
  if (const auto local = model::ParseLiteralReference(text, sink->Options().base_url)) {
    AddLocal(local->type, local->id, sink);
    return;
  }
  std::string* out = sink->Begin(kUrlTag);
  AppendUrl(out, text);
  out->push_back('\0');
  sink->Add();
}

void AddIdentifier(const json::Value& identifier, ValueSink* sink) {
  const std::string_view value = identifier.Find("value").StringOrEmpty();
  if (value.empty() || sink->InTuple()) return;
  std::string* out = sink->Begin(kIdentifierTag);
  AppendCode(out, value);
  AppendSystem(out, sink->TextOf(identifier.Find("system")));
  sink->Add();
}

void EncodeReference(const ElementView& element, ValueSink* sink) {
  if (!element.value.IsObject()) return;
  for (const json::Value member : element.value.Children()) {
    if (member.Name() == "reference") AddText(sink->TextOf(member), sink);
    if (member.Name() == "identifier") AddIdentifier(member, sink);
  }
}

// canonical, uri.
void EncodeUri(const ElementView& element, ValueSink* sink) {
  AddText(sink->TextOf(element.value), sink);
}

// A resource inside a Bundle stands for a reference to it.
void EncodeResource(const ElementView& element, ValueSink* sink) {
  const std::string_view type = element.value.Find("resourceType").StringOrEmpty();
  const std::string_view id = element.value.Find("id").StringOrEmpty();
  if (!type.empty() && validation::IsId(id)) AddLocal(type, id, sink);
}

Encoder EncoderFor(definitions::TypeId type) {
  const std::string_view name = definitions::GetType(type).name;
  if (name == "Reference") return &EncodeReference;
  if (name == "canonical" || name == "uri") return &EncodeUri;
  if (name == "Resource") return &EncodeResource;
  return nullptr;
}

Result<std::vector<ValueRange>> ParseIdentifier(const SearchValue& value) {
  FHIR_TRY(token, SplitToken(value));
  std::string bytes(1, kIdentifierTag);
  if (token.code.empty()) {
    std::string hash;
    AppendSystem(&hash, token.system);
    ValueRange range = PrefixRange(std::move(bytes));
    std::string end = PrefixEnd(hash);
    range.conditions.push_back({.offset = -8, .from = std::move(hash), .to = std::move(end)});
    return std::vector{std::move(range)};
  }
  AppendCode(&bytes, token.code);
  if (!token.has_bar) return std::vector{PrefixRange(std::move(bytes))};
  AppendSystem(&bytes, token.system);
  return std::vector{ExactValue(std::move(bytes))};
}

// True if the reference may count for the parameter: where(resolve() is Patient), subject:Patient.
bool MayBe(const SearchValue& value, std::string_view type) {
  return (value.only_type.empty() || value.only_type == type) &&
         (value.modifier.empty() || value.modifier == type);
}

// The type that a URL of another server shows: http://h/fhir/Patient/1 -> Patient.
std::string_view TypeInUrl(std::string_view url) {
  const std::size_t history = url.find("/_history/");
  url = url.substr(0, history);
  const std::size_t id = url.rfind('/');
  if (id == std::string_view::npos) return {};
  url = url.substr(0, id);
  return url.substr(url.rfind('/') + 1);
}

Result<std::vector<ValueRange>> ParseUrl(const SearchValue& value, std::string_view url) {
  std::vector<ValueRange> ranges;
  const bool any_type = value.only_type.empty() && value.modifier.empty();
  if (!any_type && !MayBe(value, TypeInUrl(url))) return ranges;
  std::string bytes(1, kUrlTag);
  AppendUrl(&bytes, url);
  // A canonical without version is meant in any. No tuple has canonicals.
  if (!value.in_tuple && url.find('|') == std::string_view::npos) {
    ranges.push_back(PrefixRange(bytes + '|'));
  }
  bytes.push_back('\0');
  ranges.push_back(ExactValue(std::move(bytes)));
  return ranges;
}

Result<std::vector<ValueRange>> Parse(const SearchValue& value) {
  if (value.modifier == "identifier") return ParseIdentifier(value);
  const std::string text = Unescape(value.text);
  std::vector<ValueRange> ranges;
  if (const auto local = model::ParseLiteralReference(text, value.base_url)) {
    if (!local->version.empty()) {
      return Fail(NotSupported("parameter '" + std::string(value.name) +
                               "': references to a version cannot be searched"));
    }
    if (MayBe(value, local->type)) {
      ranges.push_back(ExactValue(LocalReferenceValue(local->type, local->id)));
    }
    return ranges;
  }
  if (text.find(':') != std::string::npos) return ParseUrl(value, text);
  if (!validation::IsId(text)) return Fail(BadValue(value, "is no reference (Type/id, id or URL)"));
  for (const std::string_view target : value.targets) {
    if (MayBe(value, target)) ranges.push_back(ExactValue(LocalReferenceValue(target, text)));
  }
  return ranges;
}

// What stands between a tag and the NUL at the end. Empty: the value has another tag.
std::string_view TextIn(std::string_view value, char tag) {
  if (value.size() < 2 || value.front() != tag) return {};
  return value.substr(1, value.size() - 2);
}

// A canonical has no identifier and does not say its type.
bool ModifierFits(std::string_view modifier, const Step& last) {
  const std::string_view type = definitions::GetType(last.type).name;
  return type == "Reference" || (type == "Resource" && modifier == "[type]");
}

constexpr std::string_view kModifiers[] = {"identifier", "[type]"};
constexpr FilterOperator kOperators[] = {FilterOperator::kRe};

}  // namespace

std::string LocalReferenceValue(std::string_view type, std::string_view id) {
  std::string bytes = LocalReferencePrefix(type);
  bytes.append(id).push_back('\0');
  return bytes;
}

std::string LocalReferencePrefix(std::string_view type) {
  std::string bytes(1, kLocalReferenceTag);
  bytes.append(type).push_back('/');
  return bytes;
}

std::string UrlReferenceValue(std::string_view url) {
  std::string bytes(1, kUrlTag);
  AppendText(&bytes, url);
  bytes.push_back('\0');
  return bytes;
}

std::string_view LiteralIn(std::string_view value) {
  return TextIn(value, kLocalReferenceTag);
}

std::string_view UrlIn(std::string_view value) {
  return TextIn(value, kUrlTag);
}

const SearchTypeSpec kReferenceType = {.name = "reference",
                                       .type = SearchType::kReference,
                                       .encoder_for = &EncoderFor,
                                       .parse = &Parse,
                                       .modifiers = kModifiers,
                                       .sort_tags = "\x01",
                                       .modifier_fits = &ModifierFits,
                                       .operators = kOperators};

}  // namespace fhir::search
