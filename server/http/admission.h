// server/http/admission.h
//
// How many connections and how many bytes of request bodies and answers the
// whole server holds, and their bounds.
//
// Thread-safety: thread-safe.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <mutex>

namespace server {

class Admission {
 public:
  Admission(std::size_t max_connections, std::size_t max_body_bytes)
      : max_connections_(max_connections), max_body_bytes_(max_body_bytes) {}

  // False: there are too many.
  bool TryAddConnection();
  void RemoveConnection();
  // Returns true as soon as there is no connection, false after `patience`. Blocking.
  bool WaitForNoConnection(std::chrono::milliseconds patience);

  // False, and nothing is counted: bodies hold too much memory.
  bool TryAddBody(std::size_t bytes);
  void RemoveBody(std::size_t bytes) { body_bytes_.fetch_sub(bytes, std::memory_order_relaxed); }

  // False, and nothing is counted: answers would hold more than `max_bytes`.
  bool TryAddReply(std::size_t bytes, std::size_t max_bytes);
  void RemoveReply(std::size_t bytes) { reply_bytes_.fetch_sub(bytes, std::memory_order_relaxed); }

 private:
  const std::size_t max_connections_;
  const std::size_t max_body_bytes_;

  std::atomic<std::size_t> body_bytes_ = 0;
  std::atomic<std::size_t> reply_bytes_ = 0;

  std::mutex mu_;
  std::condition_variable none_;
  // Guarded by mu_:
  std::size_t connections_ = 0;
};

}  // namespace server
