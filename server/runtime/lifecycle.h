// server/runtime/lifecycle.h
//
// Whether the server serves or is about to stop.
//
// Owner: main(). Thread-safety: thread-safe.
#pragma once

#include <atomic>

namespace server {

class Lifecycle {
 public:
  // False until everything is open, and again from the signal to stop on.
  bool IsServing() const { return state_.load(std::memory_order_acquire) == State::kServing; }
  bool IsDraining() const { return state_.load(std::memory_order_acquire) == State::kDraining; }

  void StartServing() { state_.store(State::kServing, std::memory_order_release); }
  void StartDraining() { state_.store(State::kDraining, std::memory_order_release); }

 private:
  enum class State { kStarting, kServing, kDraining };
  std::atomic<State> state_ = State::kStarting;
};

}  // namespace server
