// fhir/search/path.h
//
// The nine shapes of R4's search expressions, compiled to a walk over JSON
// members: a path, (x as T), .as(T), where(resolve() is T), where(p='s') with
// or without a tail, entry[0].resource, exists() and != false. Full FHIRPath
// is not needed for them. Own search parameters may write ofType(T) for as(T)
// and extension('u') for extension.where(url='u').
//
// Thread-safety: free functions and values.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fhir/base/result.h"
#include "fhir/definitions/definitions.h"
#include "fhir/json/document.h"

namespace fhir::search {

struct Step {
  std::string name;         // JSON member ("valueQuantity" for value as Quantity).
  int item = -1;            // [0]: only that item of the array; -1: all.
  std::string where_name;   // where(system='phone'): member …
  std::string where_value;  // … and its value. Empty name: no condition.
  definitions::TypeId type = definitions::kNoType;  // What the step yields.
  std::string_view system;                          // Element::system of what it yields.
};

struct Path {
  std::vector<Step> steps;     // Empty: where it starts.
  std::string resolve_is;      // where(resolve() is Patient): only references to that type.
  bool from_resource = false;  // %resource: a component's path that starts at the resource.
  // "X.exists() and X != false": one step, which names a member or a choice ("deceased"). One
  // boolean.
  bool exists_and_true = false;
  std::string text;  // Normalised, without resolve_is, for IndexSpec::key.
};

// All paths that `expression` means for resources of `resource_type` (alternatives on other types
// are left out; a choice without a type yields one path per type it can take). Errors: Invalid, for
// what is not one of the nine shapes or names no element.
Result<std::vector<Path>> CompilePaths(std::string_view expression, std::string_view resource_type);

// The same for a composite's component, relative to an element of type `base` in a resource of type
// `resource`.
Result<std::vector<Path>> CompileRelativePaths(std::string_view expression,
                                               definitions::TypeId base,
                                               definitions::TypeId resource);

// True if `value` fulfils the step's where().
inline bool FulfilsWhere(const Step& step, const json::Value& value) {
  return step.where_name.empty() || value.Find(step.where_name).StringOrEmpty() == step.where_value;
}

// Calls visit(Value) for every value that the steps yield from `from`. Nulls of arrays are left
// out.
template <class Visit>
void WalkSteps(std::span<const Step> steps, const json::Value& from, const Visit& visit) {
  if (steps.empty()) {
    visit(from);
    return;
  }
  const Step& step = steps.front();
  const auto go_on = [&](const json::Value& value) {
    if (value.GetKind() == json::Kind::kNull || !FulfilsWhere(step, value)) return;
    WalkSteps(steps.subspan(1), value, visit);
  };
  const json::Value found = from.Find(step.name);
  if (found.IsNone()) return;
  if (!found.IsArray()) {
    if (step.item <= 0) go_on(found);
    return;
  }
  int item = 0;
  for (const json::Value child : found.Children()) {
    if (step.item < 0 || step.item == item) go_on(child);
    ++item;
  }
}

}  // namespace fhir::search
