// server/http/shard.h
//
// One I/O thread's connections, its coarse clock, and the timeouts that one timer
// keeps for all of them (re-arming a timer each costs 0.7 us a request).
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <boost/asio/ip/tcp.hpp>

#include "server/http/admission.h"
#include "server/runtime/async.h"

namespace server {

using Socket = net::basic_stream_socket<net::ip::tcp, IoExecutor>;

// What the shard knows of a connection. Owner: the connection's coroutine.
struct ConnectionState {
  enum class Phase {
    kIdle,     // Between requests: closed at once when the server stops.
    kReading,  // A request comes in.
    kRunning,  // A handler works; no deadline of the connection's own.
    kWriting,
  };

  explicit ConnectionState(Socket taken) : socket(std::move(taken)) {}

  Socket socket;
  Phase phase = Phase::kIdle;
  std::int64_t deadline_s = 0;            // On the shard's clock; not looked at while kRunning.
  std::atomic<bool> client_gone = false;  // Request::cancelled.
  std::size_t index = 0;                  // In the shard's list.
};

// Shared: by its connections, which are destroyed with the io_context, after the listener.
// Thread-safety: confined to its I/O thread, but for the constructor.
class Shard {
 public:
  // `context` outlives the shard's work.
  Shard(net::io_context* context, std::shared_ptr<Admission> admission);

  IoExecutor Executor() const { return executor_; }
  Admission* GetAdmission() { return admission_.get(); }

  // Counted by TryAddConnection before; Remove counts it off.
  void Add(ConnectionState* connection);
  void Remove(ConnectionState* connection);

  std::int64_t NowSeconds() const { return now_s_; }
  // The value of the Date field.
  std::string_view Date();
  bool IsDraining() const { return draining_; }

  // Once a second, until the shard stops.
  void Tick();
  // Closes idle connections; the others close after the request they are in.
  void Drain();
  // Closes all connections and cancels what they run.
  void Abort();

 private:
  void Expire(ConnectionState* connection);

  IoExecutor executor_;
  std::shared_ptr<Admission> admission_;
  std::vector<ConnectionState*> connections_;
  std::int64_t now_s_ = 0;
  std::string date_;  // Of date_unix_s_.
  std::int64_t date_unix_s_ = 0;
  bool draining_ = false;
};

// Calls Tick once a second, for as long as the io_context runs.
Awaitable<> AsyncTick(std::shared_ptr<Shard> shard);

}  // namespace server
