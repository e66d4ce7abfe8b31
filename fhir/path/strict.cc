#include "fhir/path/strict.h"

#include <string>

#include "fhir/definitions/definitions.h"
#include "fhir/path/element.h"
#include "fhir/path/token.h"

namespace fhir::path {

namespace {

bool IsUnordered(const Node& node) {
  return node.kind == NodeKind::kFunction &&
         (node.name == "children" || node.name == "descendants");
}

// The type that `node` narrows its items to, or none.
definitions::TypeId NarrowedType(const Node& node) {
  const bool narrows =
      node.kind == NodeKind::kAs ||
      (node.kind == NodeKind::kFunction && node.function->takes_type && node.name != "is");
  if (!narrows || node.type.type_namespace == "System") return definitions::kNoType;
  return definitions::FindType(node.type.name);
}

}  // namespace

Result<void> CheckStrict(const Ast& ast) {
  for (const Node& node : ast.nodes) {
    if (node.target == kNoNode) continue;
    const Node& target = ast.nodes[node.target];
    const bool needs_order = node.kind == NodeKind::kIndexer ||
                             (node.kind == NodeKind::kFunction && node.function->needs_order);
    if (needs_order && IsUnordered(target)) {
      return Fail(PathError(node.position, target.name + "() is not in any order"));
    }
    const definitions::TypeId type = NarrowedType(target);
    if (node.kind == NodeKind::kMember && type != definitions::kNoType &&
        !HasMember(type, node.name)) {
      return Fail(
          PathError(node.position, "there is no element " + node.name + " in " + target.type.name));
    }
  }
  return {};
}

}  // namespace fhir::path
