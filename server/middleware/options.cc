#include "server/middleware/steps.h"

namespace server {

std::optional<Reply> AnswerOptions(const Incoming& incoming) {
  if (incoming.request->verb != Verb::kOptions) return std::nullopt;
  Reply reply;
  reply.status = 204;
  reply.headers.emplace_back("Allow", "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS");
  return reply;
}

}  // namespace server
