#include "server/admin/health.h"

namespace server {
namespace {

Reply Status(int status, std::string_view word) {
  Reply reply;
  reply.status = status;
  reply.content_type = "application/json";
  reply.headers.emplace_back("Cache-Control", "no-store");
  reply.body.Append(R"({"status":")" + std::string(word) + R"("})");
  return reply;
}

Reply Readiness(const Lifecycle& lifecycle) {
  if (lifecycle.IsServing()) return Status(200, "ok");
  return Status(503, lifecycle.IsDraining() ? "stopping" : "starting");
}

}  // namespace

std::optional<Reply> AnswerProbe(Verb verb, std::string_view path, const Lifecycle& lifecycle) {
  const bool alive = path == "/livez";
  if (!alive && path != "/health" && path != "/readyz") return std::nullopt;
  if (verb != Verb::kGet && verb != Verb::kHead) {
    Reply reply = Status(405, "method not allowed");
    reply.headers.emplace_back("Allow", "GET, HEAD");
    return reply;
  }
  return alive ? Status(200, "ok") : Readiness(lifecycle);
}

}  // namespace server
