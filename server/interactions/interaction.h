// server/interactions/interaction.h
//
// An interaction describes itself: which requests it answers and how. The
// router and the CapabilityStatement both read the list.
#pragma once

#include <span>
#include <string_view>

#include "server/interactions/target.h"
#include "server/routing/handler.h"

namespace server {

struct Interaction {
  Verb verb;  // kGet answers HEAD too.
  PathShape shape;
  Handler handler;
  // As CapabilityStatement.rest.interaction.code spells it, or rest.resource.interaction.code if it
  // is about one type; empty: not listed there.
  std::string_view listed_as;
};

inline bool IsOfSystem(const Interaction& interaction) {
  return interaction.shape == PathShape::kBase || interaction.shape == PathShape::kSystemHistory;
}

// Every interaction, each defined in its own file (registry.cc).
std::span<const Interaction* const> Interactions();

// Null if no interaction answers such requests.
const Interaction* FindInteraction(Verb verb, PathShape shape);

}  // namespace server
