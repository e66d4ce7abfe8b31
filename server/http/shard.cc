#include "server/http/shard.h"

#include <chrono>

#include <boost/asio/steady_timer.hpp>
#include <poll.h>

#include "fhir/base/time.h"
#include "server/http/limits.h"

namespace server {
namespace {

std::int64_t UnixSeconds() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::seconds>(now).count();
}

std::int64_t SteadySeconds() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::seconds>(now).count();
}

// Nobody reads while a request runs, so the end of the connection has to be looked for.
bool IsClosedByPeer(Socket* socket) {
  pollfd poll_socket{.fd = socket->native_handle(), .events = POLLRDHUP, .revents = 0};
  return poll(&poll_socket, 1, 0) == 1;
}

void Close(ConnectionState* connection) {
  boost::system::error_code ignored;
  connection->socket.close(ignored);
}

}  // namespace

Shard::Shard(net::io_context* context, std::shared_ptr<Admission> admission)
    : executor_(context->get_executor()),
      admission_(std::move(admission)),
      now_s_(SteadySeconds()) {}

// Formatted once a second: that costs four times as much as looking at the clock. The coarse clock
// would do, but for a Last-Modified that is later than Date (RFC 9110 8.8.2.1).
std::string_view Shard::Date() {
  const std::int64_t now = UnixSeconds();
  if (now != date_unix_s_) {
    date_unix_s_ = now;
    date_ = fhir::FormatHttpDate(now * 1'000);
  }
  return date_;
}

void Shard::Add(ConnectionState* connection) {
  connection->index = connections_.size();
  connections_.push_back(connection);
}

void Shard::Remove(ConnectionState* connection) {
  connections_.back()->index = connection->index;
  connections_[connection->index] = connections_.back();
  connections_.pop_back();
  admission_->RemoveConnection();
}

void Shard::Tick() {
  now_s_ = SteadySeconds();
  for (ConnectionState* connection : connections_) Expire(connection);
}

void Shard::Expire(ConnectionState* connection) {
  if (!connection->socket.is_open()) return;
  if (connection->phase == ConnectionState::Phase::kRunning) {
    if (IsClosedByPeer(&connection->socket)) connection->client_gone = true;
  } else if (connection->deadline_s < now_s_) {
    Close(connection);
  }
}

void Shard::Drain() {
  draining_ = true;
  for (ConnectionState* connection : connections_) {
    if (connection->phase != ConnectionState::Phase::kIdle) continue;
    // A request may have arrived that nobody has looked at yet: it is still answered.
    boost::system::error_code ignored;
    connection->deadline_s = now_s_ + kDrainingIdleSeconds;
    if (connection->socket.available(ignored) == 0) Close(connection);
  }
}

void Shard::Abort() {
  draining_ = true;
  for (ConnectionState* connection : connections_) {
    connection->client_gone = true;
    Close(connection);
  }
}

Awaitable<> AsyncTick(std::shared_ptr<Shard> shard) {
  net::basic_waitable_timer<std::chrono::steady_clock, net::wait_traits<std::chrono::steady_clock>,
                            IoExecutor>
      timer(shard->Executor());
  for (;;) {
    timer.expires_after(std::chrono::seconds(1));
    const auto [failure] = co_await timer.async_wait(kAsTuple);
    if (failure) co_return;
    shard->Tick();
  }
}

}  // namespace server
