// tests/reference/naive_path.cc -- the published expressions, read as text for every resource.
#include <cctype>
#include <map>
#include <span>

#include "fhir/base/check.h"
#include "tests/reference/naive_search.h"

namespace reference {
namespace {

using fhir::json::Value;

std::string_view Trim(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

// Splits at `separator` outside of parentheses and quotes.
std::vector<std::string> Split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  std::string part;
  int depth = 0;
  bool quoted = false;
  for (const char c : text) {
    if (c == '\'') quoted = !quoted;
    if (!quoted && c == '(') ++depth;
    if (!quoted && c == ')') --depth;
    if (c == separator && depth == 0 && !quoted) {
      parts.emplace_back(Trim(part));
      part.clear();
    } else {
      part += c;
    }
  }
  parts.emplace_back(Trim(part));
  return parts;
}

void AddFlattened(const Value& value, const std::string& choice_type, std::vector<Found>* out) {
  if (value.IsArray()) {
    for (const Value item : value.Children()) AddFlattened(item, choice_type, out);
  } else if (!value.IsNone() && value.GetKind() != fhir::json::Kind::kNull) {
    out->push_back({value, choice_type});
  }
}

void AddMember(const Value& object, const std::string& name, std::vector<Found>* out) {
  if (!object.IsObject()) return;
  if (const Value direct = object.Find(name); !direct.IsNone()) {
    AddFlattened(direct, "", out);
    return;
  }
  for (const Value child : object.Children()) {
    const std::string_view member = child.Name();
    if (member.size() > name.size() && member.starts_with(name) &&
        std::isupper(static_cast<unsigned char>(member[name.size()])) != 0) {
      AddFlattened(child, std::string(member.substr(name.size())), out);
    }
  }
}

bool IsOfType(const Found& found, std::string type) {
  type[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(type[0])));
  return found.choice_type.empty() || found.choice_type == type;
}

bool WhereHolds(const Found& found, std::string_view condition) {
  if (condition.starts_with("resolve() is ")) {
    const std::string prefix = std::string(condition.substr(13)) + "/";
    return found.value.IsObject() &&
           found.value.Find("reference").StringOrEmpty().starts_with(prefix);
  }
  const std::size_t equals = condition.find('=');
  FHIR_CHECK(equals != std::string_view::npos, "where() of a known shape");
  std::string_view literal = Trim(condition.substr(equals + 1));
  literal = literal.substr(1, literal.size() - 2);
  return found.value.IsObject() &&
         found.value.Find(Trim(condition.substr(0, equals))).StringOrEmpty() == literal;
}

std::vector<Found> Apply(const std::string& segment, const std::vector<Found>& from) {
  std::vector<Found> out;
  if (segment.starts_with("as(")) {
    const std::string type = segment.substr(3, segment.size() - 4);
    for (const Found& found : from) {
      if (IsOfType(found, type)) out.push_back(found);
    }
  } else if (segment.starts_with("where(")) {
    const std::string condition = segment.substr(6, segment.size() - 7);
    for (const Found& found : from) {
      if (WhereHolds(found, condition)) out.push_back(found);
    }
  } else {
    const std::size_t bracket = segment.find('[');
    const std::string name = segment.substr(0, bracket);
    for (const Found& found : from) AddMember(found.value, name, &out);
    if (bracket != std::string::npos && out.size() > 1) out.resize(1);
  }
  return out;
}

// The segments of one alternative: "(A.b as T).c" is "A.b.as(T).c".
std::vector<std::string> SegmentsOf(std::string flat) {
  if (flat.starts_with("(")) {
    const std::size_t close = flat.find(')');
    std::string inner = flat.substr(1, close - 1);
    if (const std::size_t as = inner.find(" as "); as != std::string::npos) {
      inner = inner.substr(0, as) + ".as(" + inner.substr(as + 4) + ")";
    }
    flat = inner + flat.substr(close + 1);
  } else if (const std::size_t as = flat.find(" as "); as != std::string::npos) {
    flat = flat.substr(0, as) + ".as(" + flat.substr(as + 4) + ")";
  }
  const bool deceased = flat.find(".exists() and ") != std::string::npos;
  if (deceased) flat = flat.substr(0, flat.find(".exists() and "));
  return Split(flat, '.');
}

// Alternatives as segments. The same expressions are asked for over and over.
const std::vector<std::vector<std::string>>& Parsed(std::string_view expression) {
  static std::map<std::string, std::vector<std::vector<std::string>>, std::less<>> known;
  if (const auto found = known.find(expression); found != known.end()) return found->second;
  auto& alternatives = known[std::string(expression)];
  for (const std::string& text : Split(expression, '|')) alternatives.push_back(SegmentsOf(text));
  return alternatives;
}

std::vector<Found> EvaluateAlternative(std::span<const std::string> segments, const Value& resource,
                                       std::string_view resource_type) {
  const std::string& first = segments.front();
  std::vector<Found> found = {{resource, ""}};
  if (std::isupper(static_cast<unsigned char>(first[0])) != 0) {
    if (first != resource_type && first != "Resource" && first != "DomainResource") return {};
    segments = segments.subspan(1);
  }
  for (const std::string& segment : segments) found = Apply(segment, found);
  return found;
}

}  // namespace

std::vector<Found> Evaluate(std::string_view expression, const Value& resource,
                            std::string_view resource_type) {
  std::vector<Found> all;
  for (const std::vector<std::string>& segments : Parsed(expression)) {
    for (Found& found : EvaluateAlternative(segments, resource, resource_type)) {
      all.push_back(std::move(found));
    }
  }
  return all;
}

}  // namespace reference
