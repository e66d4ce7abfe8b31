#include "server/middleware/steps.h"
#include "server/runtime/log.h"

namespace server {

// At debug only: a line costs as much as a quarter of a cached read. The query stays out, for it
// holds names and identifiers of patients.
void LogAccess(const Request& request, Reply* reply) {
  if (!IsDebugLogged()) return;
  LogDebug(std::string(ToString(request.verb)) + " /" + request.path + " " +
           std::to_string(reply->status) + " " + std::to_string(reply->body.Size()) + " bytes " +
           request.headers.request_id);
}

}  // namespace server
