#include "fhir/validation/element_path.h"

#include "fhir/validation/structure.h"

namespace fhir::validation {

std::string ElementPath::ToString() const {
  std::string text(root_);
  for (const Step& step : steps_) {
    if (!step.name.empty()) text.append(".").append(step.name);
    if (step.index != kNoIndex) text.append("[").append(std::to_string(step.index)).append("]");
  }
  return text;
}

std::string ExpressionOf(const json::Value& resource, std::uint32_t node) {
  ElementPath path;
  const std::string_view type = resource.Find("resourceType").StringOrEmpty();
  path.SetRoot(type.empty() ? "Resource" : type);
  json::Value parent = resource;
  if (!parent.IsObject()) return path.ToString();
  while (parent.Index() < node) {
    // The child that `node` is or lies in: the last one that begins no later.
    json::Value child;
    std::uint32_t index = 0;
    for (const json::Value candidate : parent.Children()) {
      if (candidate.Index() > node) break;
      if (!child.IsNone()) ++index;
      child = candidate;
    }
    if (child.IsNone()) break;  // A node outside of the resource.
    if (parent.IsArray()) {
      path.SetIndex(index);
      if (child.IsArray()) path.Push({});
    } else {
      // The value's own sibling has the value's path (R4 2.6.2.3).
      std::string_view name = child.Name();
      if (name.starts_with('_')) name.remove_prefix(1);
      path.Push(name);
    }
    parent = child;
  }
  return path.ToString();
}

}  // namespace fhir::validation
