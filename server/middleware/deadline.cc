#include "server/middleware/steps.h"

namespace server {
namespace {

constexpr std::chrono::seconds kRequestTimeout{60};

}  // namespace

std::optional<Reply> SetDeadline(const Incoming& incoming) {
  incoming.request->deadline = std::chrono::steady_clock::now() + kRequestTimeout;
  return std::nullopt;
}

}  // namespace server
