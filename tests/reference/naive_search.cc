// tests/reference/naive_search.cc -- R4 3.1.1.4, one value against one criterion.
#include "tests/reference/naive_search.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>

#include "fhir/base/text.h"
#include "fhir/base/time.h"
#include "tests/reference/naive_quantity.h"

namespace reference {

namespace {

using fhir::definitions::SearchParameterDefinition;
using fhir::definitions::SearchType;
using fhir::json::Value;

constexpr std::int64_t kFarPast = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kFarFuture = std::numeric_limits<std::int64_t>::max();

template <class T>
struct Span {
  T low, high;  // [low, high)
};

// The range rules that dates share with ranges of numbers: `s` is searched for, `v` is there.
template <class T>
bool RangeHolds(const std::string& prefix, const Span<T>& s, const Span<T>& v) {
  const bool equal = v.low >= s.low && v.high <= s.high;
  if (prefix == "eq") return equal;
  if (prefix == "ne") return !equal;
  if (prefix == "gt") return v.high > s.high;
  if (prefix == "lt") return v.low < s.low;
  if (prefix == "ge") return v.high > s.high || equal;
  if (prefix == "le") return v.low < s.low || equal;
  if (prefix == "sa") return v.low >= s.high;
  return v.high <= s.low;  // eb
}

// --- token -------------------------------------------------------------------------------------

bool IsContactPoint(const Value& v) {
  static const std::vector<std::string> kSystems = {"phone", "fax", "email", "pager",
                                                    "url",   "sms", "other"};
  return std::find(kSystems.begin(), kSystems.end(), Text(v, "system")) != kSystems.end();
}

}  // namespace

std::vector<Token> AllTokensOf(const Value& v) {
  if (!v.IsObject()) return {{"", std::string(v.Text()), true}};
  std::vector<Token> tokens;
  if (const Value codings = v.Find("coding"); codings.IsArray()) {
    for (const Value c : codings.Children()) tokens.push_back({Text(c, "system"), Text(c, "code")});
  } else if (!v.Find("value").IsNone()) {
    tokens.push_back({IsContactPoint(v) ? "" : Text(v, "system"), Text(v, "value")});
  } else if (!v.Find("code").IsNone()) {
    tokens.push_back({Text(v, "system"), Text(v, "code")});
  }
  return tokens;
}

namespace {

bool TokenHolds(const std::string& value, const Value& v) {
  const std::size_t bar = value.find('|');
  for (const Token& token : AllTokensOf(v)) {
    if (bar == std::string::npos) {
      if (token.code == value) return true;
      continue;
    }
    const std::string system = value.substr(0, bar);
    const std::string code = value.substr(bar + 1);
    if (token.system == system && (code.empty() || token.code == code)) return true;
  }
  return false;
}

// R4: CodeableConcept.text, Coding.display or Identifier.type.text.
bool TokenTextHolds(const std::string& value, const Value& v) {
  const std::vector<std::string> texts = TokenTexts(v);
  return std::any_of(texts.begin(), texts.end(), [&](const std::string& text) {
    return fhir::FoldText(text).starts_with(fhir::FoldText(value));
  });
}

// --- string ------------------------------------------------------------------------------------

void AddStrings(const Value& v, std::vector<std::string>* out) {
  if (v.IsString()) {
    out->emplace_back(v.Text());
  } else if (v.IsArray()) {
    for (const Value item : v.Children()) AddStrings(item, out);
  }
}

}  // namespace

std::vector<std::string> StringsOf(const Value& v) {
  std::vector<std::string> strings;
  if (!v.IsObject()) {
    AddStrings(v, &strings);
    return strings;
  }
  for (const char* part : {"family", "given", "prefix", "suffix", "text", "line", "city",
                           "district", "state", "postalCode", "country"}) {
    if (const Value member = v.Find(part); !member.IsNone()) AddStrings(member, &strings);
  }
  return strings;
}

namespace {

bool StringHolds(const std::string& modifier, const std::string& value, const Value& v) {
  const std::string folded = fhir::FoldText(value);
  for (const std::string& text : StringsOf(v)) {
    if (modifier == "exact") {
      if (text == value) return true;
    } else if (modifier == "contains") {
      if (fhir::FoldText(text).find(folded) != std::string::npos) return true;
    } else if (fhir::FoldText(text).starts_with(folded)) {
      return true;
    }
  }
  return false;
}

// --- date --------------------------------------------------------------------------------------

}  // namespace

std::optional<fhir::TimeRange> DatesOf(const Value& v) {
  const fhir::TimeZone utc = fhir::TimeZone::Utc();
  if (v.IsString()) {
    const auto range = fhir::ParseDateTime(v.Text(), utc);
    if (!range) return std::nullopt;
    return range;
  }
  if (!v.IsObject()) return std::nullopt;
  const auto start = fhir::ParseDateTime(Text(v, "start"), utc);
  const auto end = fhir::ParseDateTime(Text(v, "end"), utc);
  if (!start && !end) return std::nullopt;
  return fhir::TimeRange{start ? start->low_us : kFarPast, end ? end->high_us : kFarFuture};
}

namespace {

bool DateHolds(const std::string& value, const Value& v) {
  const Prefixed p = SplitPrefix(value);
  const auto s = fhir::ParseDateTime(p.rest, fhir::TimeZone::Utc());
  const auto span = DatesOf(v);
  return s && span &&
         RangeHolds<std::int64_t>(p.prefix, {s->low_us, s->high_us}, {span->low_us, span->high_us});
}

// --- the rest ----------------------------------------------------------------------------------

bool ReferenceHolds(const std::string& modifier, const std::string& value, const Value& v) {
  if (modifier == "identifier") return v.IsObject() && TokenHolds(value, v.Find("identifier"));
  const std::string reference = v.IsObject() ? Text(v, "reference") : std::string(v.Text());
  if (!modifier.empty()) return reference == modifier + "/" + value;
  if (reference == value) return true;
  return value.find('/') == std::string::npos && reference.find("://") == std::string::npos &&
         reference.find('/') != std::string::npos &&
         reference.substr(reference.find('/') + 1) == value;
}

bool IsBelow(const std::string& uri, const std::string& base) {
  if (uri == base) return true;
  if (!uri.starts_with(base)) return false;
  return base.ends_with('/') ||
         std::string_view("/?#|").find(uri[base.size()]) != std::string::npos;
}

bool UriHolds(const std::string& modifier, const std::string& value, const std::string& uri) {
  if (modifier == "below") return IsBelow(uri, value);
  const std::string plain = uri.substr(0, uri.find('|'));
  if (modifier == "above") return plain == value || IsBelow(value, plain);
  return uri == value || plain == value;
}

const SearchParameterDefinition* FindByUrl(std::string_view url) {
  for (const SearchParameterDefinition& p : fhir::definitions::SearchParameters()) {
    if (p.url == url) return &p;
  }
  return nullptr;
}

}  // namespace

bool ValueHolds(SearchType type, const std::string& modifier, const std::string& value,
                const Value& v) {
  switch (type) {
    case SearchType::kToken:
      if (modifier == "text") return TokenTextHolds(value, v);
      if (modifier == "of-type") {
        const std::vector<std::string> typed = TypedIdentifiers(v);
        return std::find(typed.begin(), typed.end(), value) != typed.end();
      }
      return TokenHolds(value, v);
    case SearchType::kString: return StringHolds(modifier, value, v);
    case SearchType::kDate: return DateHolds(value, v);
    case SearchType::kNumber: return !v.IsObject() && NumberHolds(value, std::string(v.Text()));
    case SearchType::kQuantity: return QuantityHolds(value, v);
    case SearchType::kReference: return ReferenceHolds(modifier, value, v);
    case SearchType::kUri: return v.IsString() && UriHolds(modifier, value, std::string(v.Text()));
    case SearchType::kComposite:
    case SearchType::kSpecial: return false;
  }
  return false;
}

namespace {

bool CompositeHolds(const SearchParameterDefinition& parameter, const std::string& value,
                    const Value& element, std::string_view resource_type) {
  std::size_t begin = 0;
  for (const auto& component : parameter.components) {
    const std::size_t end = std::min(value.find('$', begin), value.size());
    const std::string part = value.substr(begin, end - begin);
    begin = std::min(end + 1, value.size());
    const SearchParameterDefinition* definition = FindByUrl(component.definition);
    const auto found = Evaluate(component.expression, element, resource_type);
    if (std::none_of(found.begin(), found.end(), [&](const Found& f) {
          return ValueHolds(definition->type, "", part, f.value);
        })) {
      return false;
    }
  }
  return true;
}

}  // namespace

std::vector<std::pair<std::string, std::string>> TokensOf(const Value& v) {
  std::vector<std::pair<std::string, std::string>> tokens;
  for (const Token& token : AllTokensOf(v)) {
    if (!token.code_element) tokens.emplace_back(token.system, token.code);
  }
  return tokens;
}

const SearchParameterDefinition* FindParameter(std::string_view type, std::string_view code) {
  for (const SearchParameterDefinition& p : fhir::definitions::SearchParameters()) {
    if (p.code != code) continue;
    const bool is_of_all = p.base[0] == "Resource" || p.base[0] == "DomainResource";
    if (is_of_all || std::find(p.base.begin(), p.base.end(), type) != p.base.end()) return &p;
  }
  return nullptr;
}

bool IsComputed(const SearchParameterDefinition& parameter) {
  return parameter.expression.find(".exists() and ") != std::string_view::npos;
}

bool IsNegated(const Criterion& criterion) {
  return criterion.modifier == "not" || criterion.modifier == "not-in";
}

bool ValueMatches(const Criterion& criterion, const Value& value, std::string_view resource_type) {
  if (criterion.concepts != nullptr) {
    const auto tokens = TokensOf(value);
    return std::any_of(tokens.begin(), tokens.end(),
                       [&](const auto& token) { return criterion.concepts->contains(token); });
  }
  const auto& parameter = *criterion.parameter;
  return std::any_of(criterion.values.begin(), criterion.values.end(),
                     [&](const std::string& text) {
                       return parameter.type == SearchType::kComposite
                                  ? CompositeHolds(parameter, text, value, resource_type)
                                  : ValueHolds(parameter.type, criterion.modifier, text, value);
                     });
}

bool Matches(const Criterion& criterion, const Value& resource, std::string_view resource_type) {
  const auto found = Evaluate(criterion.parameter->expression, resource, resource_type);
  bool any = false;
  if (IsComputed(*criterion.parameter)) {
    const bool holds = !found.empty() && found[0].value.Text() != "false";
    for (const std::string& value : criterion.values)
      any = any || value == (holds ? "true" : "false");
  } else {
    any = std::any_of(found.begin(), found.end(), [&](const Found& f) {
      return ValueMatches(criterion, f.value, resource_type);
    });
  }
  return IsNegated(criterion) ? !any : any;
}

std::vector<std::string> ExampleValues(const SearchParameterDefinition& parameter,
                                       const Found& found, std::string_view resource_type) {
  const Value& v = found.value;
  std::vector<std::string> values;
  if (parameter.expression.find(".exists() and ") != std::string_view::npos)
    return {"true", "false"};
  switch (parameter.type) {
    case SearchType::kToken:
      for (const Token& token : AllTokensOf(v)) {
        if (!token.code.empty()) values.push_back(token.code);
        if (token.code_element) continue;
        if (!token.code.empty()) values.push_back(token.system + "|" + token.code);
        if (!token.system.empty()) values.push_back(token.system + "|");
      }
      break;
    case SearchType::kString: values = StringsOf(v); break;
    case SearchType::kDate:
      if (v.IsString()) values.emplace_back(v.Text());
      if (v.IsObject()) values = {Text(v, "start"), Text(v, "end")};
      break;
    case SearchType::kNumber:
      if (!v.IsObject()) values.emplace_back(v.Text());
      break;
    case SearchType::kQuantity:
      if (v.IsObject() && !v.Find("value").IsNone()) {
        values = QuantityExamples(v);
      }
      break;
    case SearchType::kReference:
      // "#x" is no reference that can be searched for.
      if (!v.IsObject() || Text(v, "reference").starts_with('#')) break;
      values.push_back(Text(v, "reference"));
      if (values[0].find('/') != std::string::npos) {
        values.push_back(values[0].substr(values[0].find('/') + 1));
      }
      break;
    case SearchType::kUri:
      if (v.IsString()) values.emplace_back(v.Text());
      break;
    case SearchType::kComposite: {
      values.emplace_back();
      for (const auto& component : parameter.components) {
        const SearchParameterDefinition* definition = FindByUrl(component.definition);
        const auto parts = Evaluate(component.expression, v, resource_type);
        if (parts.empty() || values.empty()) return {};
        auto examples = ExampleValues(*definition, parts[0], resource_type);
        // "system|" is no part of a tuple.
        std::erase_if(examples, [](const std::string& e) { return e.ends_with('|'); });
        if (examples.empty()) return {};
        if (!values[0].empty()) values[0] += '$';
        values[0] += examples[v.Index() % examples.size()];
      }
      break;
    }
    case SearchType::kSpecial: break;
  }
  std::erase_if(values, [&](const std::string& value) {
    return value.empty() || value.find_first_of(",\\") != std::string::npos ||
           (parameter.type != SearchType::kComposite && value.find('$') != std::string::npos);
  });
  return values;
}

bool IsWhole(const SearchParameterDefinition& composite, const Value& element,
             std::string_view resource_type) {
  return std::all_of(
      composite.components.begin(), composite.components.end(), [&](const auto& component) {
        const SearchParameterDefinition* definition = FindByUrl(component.definition);
        const auto parts = Evaluate(component.expression, element, resource_type);
        return std::any_of(parts.begin(), parts.end(), [&](const Found& part) {
          auto examples = ExampleValues(*definition, part, resource_type);
          std::erase_if(examples, [](const std::string& e) { return e.ends_with('|'); });
          return !examples.empty();
        });
      });
}

}  // namespace reference
