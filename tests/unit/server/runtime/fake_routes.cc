#include "tests/unit/server/runtime/fake_routes.h"

#include <map>

namespace server {
namespace {

std::map<std::string, const Handler*, std::less<>>& Routes() {
  static std::map<std::string, const Handler*, std::less<>> routes;
  return routes;
}

}  // namespace

void SetFakeRoute(const std::string& name, const Handler* handler) {
  Routes()[name] = handler;
}

fhir::Result<Route> FindRoute(const Request& request) {
  const std::string_view path = request.path;
  const std::string_view name = path.substr(0, path.find('/'));
  const auto found = Routes().find(name);
  if (found == Routes().end()) return fhir::Fail(fhir::NotFound("no such route"));
  Route route;
  route.handler = found->second;
  if (name.size() < path.size()) route.parameters.id = path.substr(name.size() + 1);
  return route;
}

// The statuses of the entries, one after the other.
Reply BatchResponse(std::vector<Reply> replies) {
  Reply reply;
  for (const Reply& entry : replies) {
    reply.body.Append(std::to_string(entry.status) + ":" + entry.body.Flatten() + " ");
  }
  return reply;
}

}  // namespace server
