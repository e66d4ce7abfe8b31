#include "server/http/admission.h"

namespace server {

bool Admission::TryAddConnection() {
  const std::lock_guard lock(mu_);
  if (connections_ == max_connections_) return false;
  ++connections_;
  return true;
}

void Admission::RemoveConnection() {
  const std::lock_guard lock(mu_);
  if (--connections_ == 0) none_.notify_all();
}

bool Admission::WaitForNoConnection(std::chrono::milliseconds patience) {
  std::unique_lock lock(mu_);
  return none_.wait_for(lock, patience, [this] { return connections_ == 0; });
}

bool Admission::TryAddBody(std::size_t bytes) {
  const std::size_t before = body_bytes_.fetch_add(bytes, std::memory_order_relaxed);
  if (before + bytes <= max_body_bytes_) return true;
  RemoveBody(bytes);
  return false;
}

bool Admission::TryAddReply(std::size_t bytes, std::size_t max_bytes) {
  const std::size_t before = reply_bytes_.fetch_add(bytes, std::memory_order_relaxed);
  if (before + bytes <= max_bytes) return true;
  RemoveReply(bytes);
  return false;
}

}  // namespace server
