#include "server/middleware/cors.h"

namespace server {

void AllowOrigin(const std::string& origin, Verb verb, Reply* reply) {
  if (origin.empty()) return;
  auto& headers = reply->headers;
  headers.emplace_back("Access-Control-Allow-Origin", origin);
  if (verb != Verb::kOptions) {
    headers.emplace_back("Access-Control-Expose-Headers",
                         "Content-Location, ETag, Last-Modified, Link, Location, Retry-After, "
                         "X-Request-Id");
    return;
  }
  headers.emplace_back("Access-Control-Allow-Methods", "GET, HEAD, POST, PUT, PATCH, DELETE");
  // Authorization is for the proxy that asks for it. A `*` would not stand for it.
  headers.emplace_back("Access-Control-Allow-Headers",
                       "Accept, Authorization, Content-Type, If-Match, If-Modified-Since, "
                       "If-None-Exist, If-None-Match, Prefer, X-Request-Id, X-Requested-With");
  headers.emplace_back("Access-Control-Max-Age", "600");
}

}  // namespace server
