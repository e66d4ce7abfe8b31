// server/routing/router.cc
//
// Finds the handler for a request in the lists of interactions and operations.
#include <string>
#include <utility>

#include "server/interactions/interaction.h"
#include "server/operations/operation.h"
#include "server/routing/capabilities.h"
#include "server/routing/handler.h"

namespace server {
namespace {

constexpr Verb kVerbs[] = {Verb::kGet, Verb::kPost, Verb::kPut, Verb::kPatch, Verb::kDelete};

// Null if nothing answers this verb there.
const Handler* FindHandler(Verb verb, const Target& target) {
  if (verb == Verb::kHead) verb = Verb::kGet;
  if (target.shape == PathShape::kMetadata) {
    return verb == Verb::kGet ? &CapabilitiesHandler() : nullptr;
  }
  if (!target.operation.empty()) {
    const Operation* operation = FindOperation(target);
    if (operation == nullptr) return nullptr;
    const bool is_allowed =
        verb == Verb::kPost || (verb == Verb::kGet && !operation->affects_state);
    return is_allowed ? &operation->handler : nullptr;
  }
  const Interaction* interaction = FindInteraction(verb, target.shape);
  return interaction != nullptr ? &interaction->handler : nullptr;
}

// "GET, HEAD, POST"; empty if nothing is served there at all.
std::string AllowedAt(const Target& target) {
  std::string allowed;
  for (const Verb verb : kVerbs) {
    if (FindHandler(verb, target) == nullptr) continue;
    if (!allowed.empty()) allowed += ", ";
    allowed += ToString(verb);
    if (verb == Verb::kGet) allowed += ", HEAD";
  }
  return allowed;
}

// A reply of its own, since an Error carries no Allow (RFC 9110 15.5.6 demands it).
Reply AnswerNotAllowed(const Request& request) {
  Reply reply = ReplyOf(
      fhir::MethodNotAllowed(std::string(ToString(request.verb)) + " is not served at this path"));
  if (const auto target = ParseTarget(request.path)) {
    reply.headers.emplace_back("Allow", AllowedAt(*target));
  }
  return reply;
}

fhir::Result<Reply> NotAllowed(const Request& request, const PathParameters&, const Context&) {
  return AnswerNotAllowed(request);
}

std::optional<Reply> TryNotAllowed(const Request& request, const PathParameters&, const Context&) {
  return AnswerNotAllowed(request);
}

constexpr Handler kNotAllowed = {
    .code = "method-not-allowed", .read = &NotAllowed, .try_read = &TryNotAllowed};

fhir::Error NotServed(const Target& target) {
  if (target.operation.empty()) return fhir::NotSupported("this interaction is not supported");
  return fhir::NotFound("there is no such operation at this level");
}

}  // namespace

fhir::Result<Route> FindRoute(const Request& request) {
  FHIR_TRY(target, ParseTarget(request.path));
  if (const Handler* handler = FindHandler(request.verb, target)) {
    return Route{handler, target.parameters};
  }
  if (AllowedAt(target).empty()) return fhir::Fail(NotServed(target));
  return Route{&kNotAllowed, target.parameters};
}

}  // namespace server
