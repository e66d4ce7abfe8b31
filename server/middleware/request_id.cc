#include <algorithm>
#include <cctype>

#include "server/middleware/steps.h"

namespace server {
namespace {

constexpr std::size_t kMaxRequestIdBytes = 64;

bool IsTokenCharacter(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
         std::string_view("-._~:/+=").find(c) != std::string_view::npos;
}

bool IsPlain(std::string_view id) {
  return id.size() <= kMaxRequestIdBytes && std::ranges::all_of(id, IsTokenCharacter);
}

}  // namespace

std::optional<Reply> KeepPlainRequestId(const Incoming& incoming) {
  std::string& id = incoming.request->headers.request_id;
  if (!IsPlain(id)) id.clear();
  return std::nullopt;
}

void EchoRequestId(const Request& request, Reply* reply) {
  // Checked again: an early reply's request did not pass KeepPlainRequestId.
  if (request.headers.request_id.empty() || !IsPlain(request.headers.request_id)) return;
  reply->headers.emplace_back("X-Request-Id", request.headers.request_id);
}

}  // namespace server
