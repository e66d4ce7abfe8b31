// tests/reference/naive_filter.cc -- R4 3.1.3.
#include "tests/reference/naive_filter.h"

#include <algorithm>
#include <cctype>
#include <map>

#include "fhir/base/text.h"

namespace reference {
namespace {

using fhir::definitions::SearchType;
using fhir::json::Value;
using Kind = Filter::Kind;

const std::map<SearchType, std::vector<std::string>> kOperators = {
    {SearchType::kString, {"eq", "ne", "co", "sw", "ew", "gt", "lt", "ge", "le", "pr"}},
    {SearchType::kToken, {"eq", "ne", "pr"}},
    {SearchType::kDate, {"eq", "ne", "gt", "lt", "ge", "le", "sa", "eb", "co", "po", "pr"}},
    {SearchType::kNumber, {"eq", "ne", "gt", "lt", "ge", "le", "sa", "eb", "pr"}},
    {SearchType::kQuantity, {"eq", "ne", "gt", "lt", "ge", "le", "sa", "eb", "pr"}},
    {SearchType::kReference, {"re", "pr"}},
    {SearchType::kUri, {"eq", "ne", "pr"}}};

std::string Lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

// The bytes of the first character.
std::string FirstOf(const std::string& text) {
  std::size_t size = 1;
  while (size < text.size() && (text[size] & '\xC0') == '\x80') ++size;
  return text.substr(0, size);
}

bool StringHolds(const std::string& op, const std::string& value, const std::string& text) {
  const std::string v = fhir::FoldText(value);
  const std::string t = fhir::FoldText(text);
  if (op == "eq") return t == v;
  if (op == "ne") return t != v;
  if (op == "co") return t.find(v) != std::string::npos;
  if (op == "sw") return t.starts_with(v);
  if (op == "ew") return t.ends_with(v);
  const int order = FirstOf(t).compare(v);
  if (op == "gt") return order > 0;
  if (op == "lt") return order < 0;
  return op == "ge" ? order >= 0 : order <= 0;
}

bool TokenIs(const std::string& value, const Token& token) {
  const std::size_t bar = value.find('|');
  if (bar == std::string::npos) return Lower(token.code) == Lower(value);
  const std::string code = value.substr(bar + 1);
  return token.system == value.substr(0, bar) && (code.empty() || Lower(token.code) == Lower(code));
}

bool DateHolds(const std::string& op, const std::string& value, const Value& v) {
  const auto s = fhir::ParseDateTime(value, fhir::TimeZone::Utc());
  const auto r = DatesOf(v);
  if (!s || !r) return false;
  if (op == "co") return r->low_us <= s->low_us && r->high_us >= s->high_us;
  return r->low_us < s->high_us && r->high_us > s->low_us;
}

bool ElementHolds(const Filter& test, const Value& v) {
  const SearchType type = test.parameter->type;
  const std::string& op = test.op;
  if (type == SearchType::kString) {
    const auto texts = StringsOf(v);
    return std::ranges::any_of(
        texts, [&](const std::string& text) { return StringHolds(op, test.value, text); });
  }
  if (type == SearchType::kToken) {
    const auto tokens = AllTokensOf(v);
    return std::ranges::any_of(tokens, [&](const Token& token) {
      return (!token.code.empty() || op == "eq") && TokenIs(test.value, token) == (op == "eq");
    });
  }
  if (type == SearchType::kDate && (op == "co" || op == "po")) return DateHolds(op, test.value, v);
  if (type == SearchType::kUri) return v.IsString() && (v.Text() == test.value) == (op == "eq");
  return ValueHolds(type, "", op == "re" ? test.value : op + test.value, v);
}

bool TestHolds(const Filter& test, const Value& resource, std::string_view type) {
  const auto found = Evaluate(test.parameter->expression, resource, type);
  if (test.op == "pr") return found.empty() == (test.value == "false");
  return std::ranges::any_of(found,
                             [&](const Found& one) { return ElementHolds(test, one.value); });
}

std::string Quoted(const std::string& text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted.push_back('\\');
    quoted.push_back(c);
  }
  return quoted + "\"";
}

}  // namespace

std::string TextOf(const Filter& filter) {
  if (filter.kind == Kind::kNot) return "not (" + TextOf(filter.children[0]) + ")";
  if (filter.kind == Kind::kTest) {
    const bool needs_quotes = filter.value.find_first_of(" )]\"\\") != std::string::npos;
    return std::string(filter.parameter->code) + " " + filter.op + " " +
           (needs_quotes || filter.value.size() % 3 == 0 ? Quoted(filter.value) : filter.value);
  }
  std::string text;
  for (const Filter& child : filter.children) {
    const bool is_first = text.empty();
    if (!is_first) text += filter.kind == Kind::kAnd ? " and " : " or ";
    const bool is_group = child.kind == Kind::kAnd || child.kind == Kind::kOr;
    text += is_group && !is_first ? "(" + TextOf(child) + ")" : TextOf(child);
  }
  return text;
}

bool Matches(const Filter& filter, const Value& resource, std::string_view resource_type) {
  const auto matches = [&](const Filter& child) { return Matches(child, resource, resource_type); };
  switch (filter.kind) {
    case Kind::kTest: return TestHolds(filter, resource, resource_type);
    case Kind::kAnd: return std::ranges::all_of(filter.children, matches);
    case Kind::kOr: return std::ranges::any_of(filter.children, matches);
    case Kind::kNot: return !matches(filter.children[0]);
  }
  return false;
}

Filter RandomFilter::Next(int levels) {
  if (levels == 0 || Pick(4) == 0) return Test();
  Filter filter;
  filter.kind = Pick(4) == 0 ? Kind::kNot : Pick(2) == 0 ? Kind::kAnd : Kind::kOr;
  const std::size_t count = filter.kind == Kind::kNot ? 1 : 2 + Pick(2);
  for (std::size_t i = 0; i < count; ++i) filter.children.push_back(Next(levels - 1));
  return filter;
}

Filter RandomFilter::Test() {
  while (true) {
    Filter test;
    test.parameter = parameters_[Pick(parameters_.size())];
    const auto operators = kOperators.find(test.parameter->type);
    const bool is_flag =
        test.parameter->expression.find(".exists() and ") != std::string_view::npos;
    if (operators == kOperators.end() || is_flag) continue;
    test.op = operators->second[Pick(operators->second.size())];
    const Value& resource = resources_[Pick(resources_.size())].second;
    const auto found = Evaluate(test.parameter->expression, resource, type_);
    if (test.op == "pr") {
      test.value = Pick(2) == 0 ? "true" : "false";
    } else if (!found.empty()) {
      test.value = ValueFor(*test.parameter, found[Pick(found.size())], test.op);
    }
    if (!test.value.empty()) return test;
  }
}

std::string RandomFilter::ValueFor(const fhir::definitions::SearchParameterDefinition& parameter,
                                   const Found& found, const std::string& op) {
  const auto examples = ExampleValues(parameter, found, type_);
  if (examples.empty()) return "";
  std::string value = examples[Pick(examples.size())];
  if (parameter.type == SearchType::kReference && value.find('/') == std::string::npos) return "";
  if (parameter.type == SearchType::kDate && value.size() > 4 && Pick(2) == 0) {
    value.resize(Pick(2) == 0 ? 4 : 7);
  }
  if (parameter.type == SearchType::kToken && Pick(2) == 0) {
    const std::size_t code = value.find('|') == std::string::npos ? 0 : value.find('|') + 1;
    for (std::size_t i = code; i < value.size(); ++i) {
      value[i] = static_cast<char>(std::toupper(static_cast<unsigned char>(value[i])));
    }
  }
  if (parameter.type != SearchType::kString) return value;
  const bool is_order = op == "gt" || op == "lt" || op == "ge" || op == "le";
  if (is_order) value = FirstOf(fhir::FoldText(value));
  // Whole characters only.
  const bool is_ascii = std::ranges::all_of(value, [](char c) { return (c & '\x80') == 0; });
  if (!is_order && is_ascii && value.size() > 4 && op.ends_with('w')) {
    value = op == "sw" ? value.substr(0, 3) : value.substr(value.size() - 3);
  }
  if (op == "co" && is_ascii && value.size() > 4) value = value.substr(1, 3);
  return fhir::FoldText(value).empty() ? "" : value;
}

}  // namespace reference
