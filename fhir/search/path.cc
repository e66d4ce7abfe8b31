#include "fhir/search/path.h"

#include <optional>
#include <utility>

namespace fhir::search {
namespace {

using definitions::Element;
using definitions::TypeId;

Error NotAShape(std::string_view expression) {
  return Invalid("search expression is not supported: " + std::string(expression));
}

std::string_view Trim(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

// Splits at `separator` outside parentheses and quotes.
std::vector<std::string_view> SplitOutside(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  int depth = 0;
  bool quoted = false;
  std::size_t start = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\'') quoted = !quoted;
    if (quoted) continue;
    if (c == '(') ++depth;
    if (c == ')') --depth;
    if (c == separator && depth == 0) {
      parts.push_back(Trim(text.substr(start, i - start)));
      start = i + 1;
    }
  }
  parts.push_back(Trim(text.substr(start)));
  return parts;
}

// "where(x)" -> "x" for name "where". Nothing if `segment` is not a call of `name`.
std::optional<std::string_view> ArgumentOf(std::string_view segment, std::string_view name) {
  if (!segment.starts_with(name) || !segment.ends_with(')')) return std::nullopt;
  segment.remove_prefix(name.size());
  if (!segment.starts_with('(')) return std::nullopt;
  return Trim(segment.substr(1, segment.size() - 2));
}

// Where the parenthesis that opens `text` closes; npos if it does not.
std::size_t FindClosing(std::string_view text) {
  int depth = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\'') quoted = !quoted;
    if (quoted) continue;
    if (text[i] == '(') ++depth;
    if (text[i] == ')' && --depth == 0) return i;
  }
  return std::string_view::npos;
}

// Where " as " stands outside parentheses and quotes; npos if it does not.
std::size_t FindAs(std::string_view text) {
  constexpr std::string_view kAs = " as ";
  int depth = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\'') quoted = !quoted;
    if (quoted) continue;
    if (text[i] == '(') ++depth;
    if (text[i] == ')') --depth;
    if (depth == 0 && text.substr(i).starts_with(kAs)) return i;
  }
  return std::string_view::npos;
}

// "(a.b as T).c" and "a.b as T" -> "a.b.as(T).c".
std::string WithoutOperator(std::string_view expression) {
  std::string_view tail;
  if (expression.starts_with('(')) {
    const std::size_t close = FindClosing(expression);
    if (close == std::string_view::npos) return std::string(expression);
    tail = expression.substr(close + 1);
    expression = Trim(expression.substr(1, close - 1));
  }
  const std::size_t as = FindAs(expression);
  if (as == std::string_view::npos) return std::string(expression) + std::string(tail);
  return std::string(Trim(expression.substr(0, as))) + ".as(" +
         std::string(Trim(expression.substr(as + 4))) + ")" + std::string(tail);
}

// One alternative of an expression on its way: all paths that its segments so far mean.
class PathBuilder {
 public:
  // REQUIRES: `start_text` is what Path::text begins with (empty for a relative path).
  PathBuilder(TypeId start, std::string start_text, bool from_resource) : start_(start) {
    Path path;
    path.text = std::move(start_text);
    path.from_resource = from_resource;
    paths_.push_back(std::move(path));
  }

  // False if it is not one of the shapes or names no element.
  bool Take(std::string_view segment) {
    // resolve() leads elsewhere: nothing comes behind it.
    for (const Path& path : paths_) {
      if (!path.resolve_is.empty()) return false;
    }
    if (const auto type = ArgumentOf(segment, "as")) return CastTo(*type);
    if (const auto type = ArgumentOf(segment, "ofType")) return CastTo(*type);
    if (const auto condition = ArgumentOf(segment, "where")) return Where(*condition);
    if (const auto url = ArgumentOf(segment, "extension")) {
      return Member("extension") && Where("url = " + std::string(*url));
    }
    return Member(segment);
  }

  std::vector<Path> Finish() && { return std::move(paths_); }

 private:
  TypeId TypeOf(const Path& path) const {
    return path.steps.empty() ? start_ : path.steps.back().type;
  }

  bool Member(std::string_view segment) {
    int item = -1;
    if (segment.ends_with("[0]")) {
      item = 0;
      segment.remove_suffix(3);
    }
    std::vector<Path> next;
    for (const Path& path : paths_) {
      for (const Element& element : definitions::ElementsOf(TypeOf(path))) {
        if (element.name != segment && (element.choice.empty() || element.choice != segment)) {
          continue;
        }
        next.push_back(Extended(path, element, item));
      }
    }
    paths_ = std::move(next);
    return !paths_.empty();
  }

  static Path Extended(const Path& path, const Element& element, int item) {
    Path extended = path;
    Step step;
    step.name = element.name;
    step.item = item;
    step.type = element.type;
    step.system = element.system;
    extended.steps.push_back(std::move(step));
    if (!extended.text.empty()) extended.text += '.';
    extended.text += element.name;
    if (item >= 0) extended.text += "[" + std::to_string(item) + "]";
    return extended;
  }

  bool CastTo(std::string_view type) {
    std::erase_if(
        paths_, [&](const Path& path) { return definitions::GetType(TypeOf(path)).name != type; });
    return !paths_.empty();
  }

  bool Where(std::string_view condition) {
    constexpr std::string_view kResolve = "resolve() is ";
    if (condition.starts_with(kResolve)) {
      if (!definitions::IsResourceType(Trim(condition.substr(kResolve.size())))) return false;
      for (Path& path : paths_) path.resolve_is = Trim(condition.substr(kResolve.size()));
      return true;
    }
    const std::size_t equals = condition.find('=');
    if (equals == std::string_view::npos) return false;
    const std::string_view name = Trim(condition.substr(0, equals));
    std::string_view value = Trim(condition.substr(equals + 1));
    if (value.size() < 2 || !value.starts_with('\'') || !value.ends_with('\'')) return false;
    value = value.substr(1, value.size() - 2);
    // "a' and b = 'c": a condition of another shape; an escape: another text than stands there.
    if (value.find_first_of("'\\") != std::string_view::npos) return false;
    for (Path& path : paths_) {
      if (path.steps.empty() || definitions::FindElement(TypeOf(path), name) == nullptr)
        return false;
      // A step has one condition.
      if (!path.steps.back().where_name.empty()) return false;
      path.steps.back().where_name = name;
      path.steps.back().where_value = value;
      path.text += ".where(" + std::string(name) + "='" + std::string(value) + "')";
    }
    return true;
  }

  const TypeId start_;
  std::vector<Path> paths_;
};

// "X.exists() and X != false", X one member of the resource. Nothing if it is not this shape.
std::optional<Path> CompileExists(std::string_view expression, std::string_view resource_type) {
  constexpr std::string_view kAnd = ".exists() and ";
  constexpr std::string_view kNotFalse = " != false";
  const std::size_t at = expression.find(kAnd);
  if (at == std::string_view::npos || !expression.ends_with(kNotFalse)) return std::nullopt;
  std::string_view subject = expression.substr(0, at);
  std::string_view again = expression.substr(at + kAnd.size());
  again.remove_suffix(kNotFalse.size());
  if (Trim(again) != subject || !subject.starts_with(resource_type)) return std::nullopt;
  subject.remove_prefix(resource_type.size());
  if (!subject.starts_with('.')) return std::nullopt;
  Path path;
  path.steps.emplace_back().name = subject.substr(1);
  path.steps.back().type = definitions::FindType("boolean");
  path.exists_and_true = true;
  path.text = std::string(expression.substr(0, at)) + ".exists()";
  return path;
}

// Appends what one alternative means for `resource_type`.
Result<void> CompileAlternative(std::string_view alternative, std::string_view resource_type,
                                std::vector<Path>* paths) {
  if (auto exists = CompileExists(alternative, resource_type)) {
    paths->push_back(*std::move(exists));
    return {};
  }
  const std::string dotted = WithoutOperator(alternative);
  const std::vector<std::string_view> segments = SplitOutside(dotted, '.');
  const TypeId type = definitions::FindType(resource_type);
  if (segments[0] != resource_type && segments[0] != "Resource" &&
      segments[0] != "DomainResource") {
    if (definitions::FindType(segments[0]) != definitions::kNoType) return {};
    return Fail(NotAShape(alternative));
  }
  PathBuilder builder(type, std::string(resource_type), /*from_resource=*/false);
  for (std::size_t i = 1; i < segments.size(); ++i) {
    if (!builder.Take(segments[i])) return Fail(NotAShape(alternative));
  }
  for (Path& path : std::move(builder).Finish()) paths->push_back(std::move(path));
  return {};
}

}  // namespace

Result<std::vector<Path>> CompilePaths(std::string_view expression,
                                       std::string_view resource_type) {
  std::vector<Path> paths;
  for (const std::string_view alternative : SplitOutside(expression, '|')) {
    FHIR_TRY_VOID(CompileAlternative(alternative, resource_type, &paths));
  }
  return paths;
}

Result<std::vector<Path>> CompileRelativePaths(std::string_view expression, TypeId base,
                                               TypeId resource) {
  std::vector<Path> paths;
  for (const std::string_view alternative : SplitOutside(expression, '|')) {
    const std::string dotted = WithoutOperator(alternative);
    std::vector<std::string_view> segments = SplitOutside(dotted, '.');
    const bool from_resource = segments[0] == "%resource";
    if (from_resource) segments.erase(segments.begin());
    PathBuilder builder(from_resource ? resource : base, from_resource ? "%resource" : "",
                        from_resource);
    for (const std::string_view segment : segments) {
      if (!builder.Take(segment)) return Fail(NotAShape(alternative));
    }
    for (Path& path : std::move(builder).Finish()) paths.push_back(std::move(path));
  }
  return paths;
}

}  // namespace fhir::search
