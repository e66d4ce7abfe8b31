// server/interactions/registry.cc
//
// The list of interactions. A new one is a file of its own and a line here.
#include "server/interactions/interaction.h"

namespace server {

extern const Interaction kRead;
extern const Interaction kVread;
extern const Interaction kInstanceHistory;
extern const Interaction kTypeHistory;
extern const Interaction kSystemHistory;
extern const Interaction kSearchType;
extern const Interaction kPostSearch;
extern const Interaction kSearchSystem;
extern const Interaction kPostSearchSystem;
extern const Interaction kSearchCompartment;
extern const Interaction kPostSearchCompartment;
extern const Interaction kCreate;
extern const Interaction kUpdate;
extern const Interaction kConditionalUpdate;
extern const Interaction kPatch;
extern const Interaction kDelete;
extern const Interaction kConditionalPatch;
extern const Interaction kConditionalDelete;
extern const Interaction kBundle;

namespace {

// The most frequent first: the router looks from the front.
constexpr const Interaction* kInteractions[] = {
    &kRead,
    &kSearchType,
    &kBundle,
    &kCreate,
    &kUpdate,
    &kPatch,
    &kDelete,
    &kVread,
    &kPostSearch,
    &kSearchCompartment,
    &kSearchSystem,
    &kPostSearchSystem,
    &kPostSearchCompartment,
    &kInstanceHistory,
    &kTypeHistory,
    &kSystemHistory,
    &kConditionalUpdate,
    &kConditionalPatch,
    &kConditionalDelete,
};

}  // namespace

std::span<const Interaction* const> Interactions() {
  return kInteractions;
}

const Interaction* FindInteraction(Verb verb, PathShape shape) {
  if (verb == Verb::kHead) verb = Verb::kGet;
  for (const Interaction* interaction : kInteractions) {
    if (interaction->verb == verb && interaction->shape == shape) return interaction;
  }
  return nullptr;
}

}  // namespace server
