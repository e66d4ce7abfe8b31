#include "fhir/search/own_paths.h"

#include <algorithm>
#include <string>
#include <utility>

#include "fhir/search/types/composite.h"
#include "fhir/search/types/search_type.h"

namespace fhir::search {
namespace {

using definitions::Element;
using definitions::SearchType;
using definitions::TypeId;

// Alternatives times the types of choices. Each is an index of its own.
constexpr std::size_t kMaxPaths = 100;

Error Bad(std::string problem) {
  return Unprocessable(std::move(problem), "SearchParameter.expression");
}

// The walk over members yields what FHIRPath would. It does not where the first of a collection is
// meant and the walk takes the first of each array, nor for the id, which the server may give after
// the walk.
bool IsExact(const Path& path, TypeId type) {
  if (path.steps.empty() || path.steps.front().name == "id") return false;
  bool is_single = true;
  for (const Step& step : path.steps) {
    const Element* element = definitions::FindElement(type, step.name);
    if (element == nullptr) return path.exists_and_true && path.steps.size() == 1;
    if (step.item >= 0 && !is_single) return false;
    is_single = is_single && (!element->repeats || step.item >= 0);
    if (!step.where_name.empty()) {
      const Element* compared = definitions::FindElement(step.type, step.where_name);
      if (compared == nullptr || compared->repeats) return false;
    }
    type = step.type;
  }
  return true;
}

// "X.exists() and X != false" of an X that the type has; other uses of it say something else.
bool IsFlag(const Path& path, SearchType search_type, TypeId type) {
  const std::string& name = path.steps.front().name;
  return search_type == SearchType::kToken &&
         std::ranges::any_of(definitions::ElementsOf(type), [&](const Element& element) {
           return element.name == name || element.choice == name;
         });
}

// All or nothing: a part of the expression would be less than it says.
bool AreExact(const std::vector<Path>& paths, SearchType search_type, TypeId type) {
  return std::ranges::all_of(paths, [&](const Path& path) {
    if (path.exists_and_true && !IsFlag(path, search_type, type)) return false;
    if (!path.resolve_is.empty() && search_type != SearchType::kReference) return false;
    // The registry keeps one such type for all paths of a parameter.
    return path.resolve_is == paths.front().resolve_is && IsExact(path, type);
  });
}

bool HasValues(const Path& path, SearchType search_type) {
  return path.exists_and_true || EncoderOf(search_type, path) != nullptr;
}

// What evaluation cannot see: other resources, the clock, terminology, and the parts of meta that
// the server gives.
Result<void> CheckLocal(std::string_view expression) {
  constexpr std::string_view kBeyond[] = {
      "memberOf(", "conformsTo(", "htmlChecks(",  "now(",     "today(",       "timeOfDay(",
      "resolve(",  "trace(",      "lastUpdated", "versionId", "%terminologies", "%factory"};
  for (const std::string_view word : kBeyond) {
    if (expression.find(word) == std::string_view::npos) continue;
    std::string name(word);
    if (name.ends_with('(')) name += ')';
    return Fail(Bad("'" + name + "' is not supported in search parameters" +
                    (word == "resolve(" ? " but as where(resolve() is Type) behind a path" : "")));
  }
  return {};
}

// Finds unknown functions and types; names are looked for only where there is something.
Result<void> TryOut(const path::Expression& expression, std::string_view resource_type) {
  auto empty = json::Document::Parse(R"({"resourceType":")" + std::string(resource_type) + "\"}");
  if (!empty) return Fail(std::move(empty).error());
  path::EvaluationContext context = path::ContextFor(empty->Root());
  context.as_filters = true;
  context.strict = true;
  context.max_steps = kMaxOwnSteps;
  auto items = path::Evaluate(expression, context);
  if (items) return {};
  return Fail(Bad(items.error().issues.front().diagnostics));
}

Result<path::Expression> CompileEvaluated(const OwnParameter& parameter,
                                          std::string_view resource_type) {
  FHIR_TRY_VOID(CheckLocal(parameter.expression));
  auto compiled = path::Compile(parameter.expression);
  if (!compiled) return Fail(Bad(compiled.error().issues.front().diagnostics));
  if (parameter.type == SearchType::kReference) {
    return Fail(Bad("search parameters of type reference need paths as expressions, with at most "
                    "where(element='text') and where(resolve() is Type)"));
  }
  FHIR_TRY_VOID(TryOut(*compiled, resource_type));
  return *std::move(compiled);
}

}  // namespace

Result<OwnPaths> CompileOwn(const OwnParameter& parameter, std::string_view resource_type) {
  OwnPaths own;
  const TypeId type = definitions::FindType(resource_type);
  if (parameter.expression.find("lastUpdated") != std::string::npos ||
      parameter.expression.find("versionId") != std::string::npos) {
    FHIR_TRY_VOID(CheckLocal(parameter.expression));
  }
  auto paths = CompilePaths(parameter.expression, resource_type);
  if (paths && !paths->empty() && AreExact(*paths, parameter.type, type)) {
    std::erase_if(*paths, [&](const Path& path) { return !HasValues(path, parameter.type); });
    if (paths->empty()) {
      return Fail(Bad("the expression yields no element of " + std::string(resource_type) +
                      " that is searched as " +
                      std::string(definitions::ToString(parameter.type))));
    }
    if (paths->size() > kMaxPaths) return Fail(Bad("the expression means too many elements"));
    own.paths = *std::move(paths);
    return own;
  }
  if (paths && paths->empty()) {
    return Fail(Bad("the expression says nothing of the base type " + std::string(resource_type)));
  }
  FHIR_TRY(evaluated, CompileEvaluated(parameter, resource_type));
  own.evaluated = std::move(evaluated);
  return own;
}

}  // namespace fhir::search
