// server/operations/operation.h
//
// An operation describes itself: where it is called and how it is answered. The
// router and the CapabilityStatement both read the list.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "server/interactions/target.h"
#include "server/routing/handler.h"

namespace server {

enum class Level : std::uint8_t { kSystem, kType, kInstance };

struct Operation {
  std::string_view code;           // Without '$'.
  std::string_view definition;     // URL of its OperationDefinition.
  std::string_view resource_type;  // Empty at system level.
  Level level = Level::kSystem;
  bool affects_state = false;  // If not, it may be called by GET too (R4 3.2.0.2).
  Handler handler;
};

// Every operation, each defined in its own file (registry.cc).
std::span<const Operation* const> Operations();

// Null if there is none of that code for that target.
const Operation* FindOperation(const Target& target);

}  // namespace server
