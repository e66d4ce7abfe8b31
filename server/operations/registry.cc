// server/operations/registry.cc
//
// The list of operations. A new one is a file of its own and a line here.
#include <optional>

#include "server/operations/operation.h"

namespace server {

extern const Operation kIndexStatus;
extern const Operation kPatientEverything;

namespace {

constexpr const Operation* kOperations[] = {&kPatientEverything, &kIndexStatus};

std::optional<Level> LevelOf(PathShape shape) {
  switch (shape) {
    case PathShape::kSystemOperation: return Level::kSystem;
    case PathShape::kTypeOperation: return Level::kType;
    case PathShape::kInstanceOperation: return Level::kInstance;
    case PathShape::kBase:
    case PathShape::kMetadata:
    case PathShape::kSystemSearch:
    case PathShape::kSystemHistory:
    case PathShape::kType:
    case PathShape::kTypeSearch:
    case PathShape::kTypeHistory:
    case PathShape::kInstance:
    case PathShape::kInstanceHistory:
    case PathShape::kVersion:
    case PathShape::kCompartment:
    case PathShape::kCompartmentSearch: break;
  }
  return std::nullopt;
}

}  // namespace

std::span<const Operation* const> Operations() {
  return kOperations;
}

const Operation* FindOperation(const Target& target) {
  const std::optional<Level> level = LevelOf(target.shape);
  for (const Operation* operation : kOperations) {
    if (operation->code == target.operation && operation->level == level &&
        operation->resource_type == target.parameters.type) {
      return operation;
    }
  }
  return nullptr;
}

}  // namespace server
