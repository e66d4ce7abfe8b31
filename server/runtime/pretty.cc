#include "server/runtime/pretty.h"

#include <algorithm>
#include <string>
#include <utility>

#include "fhir/json/indent.h"

namespace server {
namespace {

bool SaysPretty(std::string_view parameters) {
  while (!parameters.empty()) {
    const std::size_t end = std::min(parameters.find('&'), parameters.size());
    if (parameters.substr(0, end) == "_pretty=true") return true;
    parameters.remove_prefix(std::min(end + 1, parameters.size()));
  }
  return false;
}

}  // namespace

bool WantsPretty(const Request& request) {
  if (!request.query.empty() && SaysPretty(request.query)) return true;
  return request.verb == Verb::kPost && request.path.ends_with("_search") &&
         SaysPretty(request.body);
}

void MakePretty(Reply* reply) {
  if (reply->body.Size() == 0 || reply->content_type.find("json") == std::string_view::npos) return;
  std::string pretty;
  pretty.reserve(reply->body.Size() * 2);
  fhir::json::Indenter indenter(&pretty);
  for (const Body::Piece& piece : reply->body.Pieces()) indenter.Append(piece.bytes);
  reply->body = Body();
  reply->body.Append(std::move(pretty));
}

}  // namespace server
