#include "server/http/listener.h"

#include <algorithm>
#include <exception>
#include <string>
#include <utility>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/ip/v6_only.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>

#include "server/http/limits.h"
#include "server/runtime/log.h"

namespace server {
namespace {

using boost::system::error_code;
using net::ip::tcp;

// Between two tries when the system has no file descriptor or memory left.
constexpr std::chrono::milliseconds kAcceptPause{100};
constexpr std::chrono::milliseconds kAbortPatience{2'000};

void LogFailure(std::exception_ptr failure) {
  if (!failure) return;
  try {
    std::rethrow_exception(std::move(failure));
  } catch (const std::exception& e) {
    LogError(std::string("exception in a coroutine: ") + e.what());
  }
}

template <class Acceptor>
error_code Bind(Acceptor* acceptor, const tcp::endpoint& endpoint) {
  error_code failure;
  acceptor->open(endpoint.protocol(), failure);
  if (failure) return failure;
  acceptor->set_option(net::socket_base::reuse_address(true), failure);
  if (endpoint.protocol() == tcp::v6()) {
    acceptor->set_option(net::ip::v6_only(false), failure);
    if (failure) return failure;
  }
  acceptor->bind(endpoint, failure);
  if (!failure) acceptor->listen(kListenBacklog, failure);
  return failure;
}

}  // namespace

fhir::Result<std::unique_ptr<Listener>> Listener::Open(std::uint16_t port,
                                                       HttpEnvironment environment,
                                                       IoThreads* threads) {
  Acceptor acceptor(threads->At(0)->get_executor());
  error_code failure = Bind(&acceptor, tcp::endpoint(tcp::v6(), port));
  if (failure && failure != net::error::address_in_use) {  // No IPv6 here.
    error_code ignored;
    acceptor.close(ignored);
    failure = Bind(&acceptor, tcp::endpoint(tcp::v4(), port));
  }
  if (failure) {
    return fhir::Fail(
        fhir::Internal("cannot listen on port " + std::to_string(port) + ": " + failure.message()));
  }
  return std::unique_ptr<Listener>(
      new Listener(std::move(acceptor), std::move(environment), threads));
}

Listener::Listener(Acceptor acceptor, HttpEnvironment environment, IoThreads* threads)
    : environment_(std::move(environment)),
      admission_(std::make_shared<Admission>(
          kMaxConnections,
          std::max<std::size_t>(kMaxBufferedBodyBytes, 4 * environment_.max_body_bytes))),
      acceptor_(std::move(acceptor)) {
  for (std::size_t i = 0; i < threads->Size(); ++i) {
    shards_.push_back(std::make_shared<Shard>(threads->At(i), admission_));
  }
}

std::uint16_t Listener::Port() const {
  return acceptor_.local_endpoint().port();
}

void Listener::Start() {
  for (const auto& shard : shards_) {
    net::co_spawn(shard->Executor(), AsyncTick(shard), &LogFailure);
  }
  net::co_spawn(acceptor_.get_executor(), AsyncAccept(this), &LogFailure);
}

Awaitable<> Listener::AsyncAccept(Listener* listener) {
  net::basic_waitable_timer<std::chrono::steady_clock, net::wait_traits<std::chrono::steady_clock>,
                            IoExecutor>
      pause(listener->acceptor_.get_executor());
  for (std::size_t i = 0; listener->acceptor_.is_open(); ++i) {
    const auto& shard = listener->shards_[i % listener->shards_.size()];
    auto [failure, socket] = co_await listener->acceptor_.async_accept(shard->Executor(), kAsTuple);
    if (!failure) {
      listener->Take(std::move(socket), shard);
    } else if (failure == net::error::no_descriptors || failure == net::error::no_memory ||
               failure == net::error::no_buffer_space) {
      LogWarning("cannot accept a connection: " + failure.message());
      pause.expires_after(kAcceptPause);
      co_await pause.async_wait(kAsTuple);
    }
  }
}

void Listener::Take(Socket socket, const std::shared_ptr<Shard>& shard) {
  if (!admission_->TryAddConnection()) return;  // Closes it.
  error_code ignored;
  socket.set_option(tcp::no_delay(true), ignored);
  net::co_spawn(shard->Executor(), AsyncServeConnection(std::move(socket), shard, &environment_),
                &LogFailure);
}

bool Listener::Stop(std::chrono::milliseconds patience) {
  net::post(acceptor_.get_executor(), [this] {
    error_code ignored;
    acceptor_.close(ignored);
  });
  for (const auto& shard : shards_) net::post(shard->Executor(), [shard] { shard->Drain(); });
  if (admission_->WaitForNoConnection(patience)) return true;
  for (const auto& shard : shards_) net::post(shard->Executor(), [shard] { shard->Abort(); });
  admission_->WaitForNoConnection(kAbortPatience);
  return false;
}

}  // namespace server
