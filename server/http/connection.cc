#include "server/http/connection.h"

#include <chrono>
#include <exception>
#include <optional>
#include <utility>

#include <boost/asio/write.hpp>

#include "server/http/exchange.h"
#include "server/http/gather.h"
#include "server/http/limits.h"
#include "server/http/read_buffer.h"
#include "server/http/response_head.h"
#include "server/runtime/log.h"
#include "server/runtime/pretty.h"

namespace server {
namespace {

using Phase = ConnectionState::Phase;

constexpr std::string_view kContinue = "HTTP/1.1 100 Continue\r\n\r\n";

// Thread-safety: confined to the shard's thread.
class Connection {
 public:
  Connection(Socket socket, std::shared_ptr<Shard> shard, const HttpEnvironment* environment)
      : state_(std::move(socket)),
        shard_(std::move(shard)),
        environment_(environment),
        exchange_(environment, shard_->GetAdmission()),
        input_(kReadBufferBytes) {
    shard_->Add(&state_);
  }
  ~Connection() { shard_->Remove(&state_); }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  Awaitable<> AsyncServe() {
    while (co_await AsyncExchange()) {
    }
  }

 private:
  using Progress = Exchange::Progress;

  void Enter(Phase phase, std::int64_t seconds) {
    state_.phase = phase;
    state_.deadline_s = shard_->NowSeconds() + seconds;
  }

  // One request and its answer. False: the connection is to be closed.
  Awaitable<bool> AsyncExchange() {
    exchange_.Begin(&state_.client_gone);
    if (!co_await AsyncReadRequest()) co_return false;
    state_.phase = Phase::kRunning;
    std::optional<Reply> reply = exchange_.TakeAnswer();
    if (!reply) reply = co_await environment_->dispatcher->AsyncDispatch(&exchange_.GetRequest());
    if (WantsPretty(exchange_.GetRequest())) {
      reply = co_await environment_->dispatcher->AsyncMakePretty(*std::move(reply));
    }
    exchange_.Finish(&*reply);
    const bool keep = exchange_.MayContinue() && !shard_->IsDraining();
    if (!co_await AsyncWrite(*reply, keep)) co_return false;
    if (exchange_.HasUnreadInput()) co_await AsyncLinger();
    co_return keep;
  }

  // False: the client is gone or too slow.
  Awaitable<bool> AsyncReadRequest() {
    const bool idle = input_.Size() == 0;
    if (idle) {
      Enter(Phase::kIdle, shard_->IsDraining() ? kDrainingIdleSeconds : kIdleSeconds);
    } else {
      Enter(Phase::kReading, kHeadSeconds);
    }
    Progress progress = exchange_.ParseHead(&input_);
    while (progress == Progress::kNeedsMore) {
      if (!co_await AsyncFill()) co_return false;
      if (state_.phase == Phase::kIdle) Enter(Phase::kReading, kHeadSeconds);
      progress = exchange_.ParseHead(&input_);
    }
    if (progress == Progress::kDone) progress = exchange_.ParseBody(&input_);
    if (progress == Progress::kNeedsMore && exchange_.WantsContinue()) {
      const auto [failure, count] =
          co_await net::async_write(state_.socket, net::buffer(kContinue), kAsTuple);
      if (failure) co_return false;
    }
    while (progress == Progress::kNeedsMore) {
      if (exchange_.ExpectsLargeBody() && input_.Capacity() < kBodyBufferBytes) {
        input_.Resize(kBodyBufferBytes);
      }
      Enter(Phase::kReading, kBodySeconds);
      if (!co_await AsyncFill()) co_return false;
      progress = exchange_.ParseBody(&input_);
    }
    if (input_.Capacity() > kMaxHeadBytes && input_.Size() <= kReadBufferBytes) {
      input_.Resize(kReadBufferBytes);
    }
    co_return true;
  }

  // Reads what there is.
  Awaitable<bool> AsyncFill() {
    // A head longer than the usual buffer; ParseHead refuses one that is too long.
    if (input_.IsFull()) input_.Resize(input_.Capacity() * 2);
    const auto [failure, count] = co_await state_.socket.async_read_some(input_.Room(), kAsTuple);
    input_.Commit(count);
    co_return !failure;
  }

  Awaitable<bool> AsyncWrite(const Reply& reply, bool keep) {
    AppendHead(output_.Start(), reply, shard_->Date(), exchange_.PersistenceOf(keep));
    if (MayHaveBody(reply.status) && !exchange_.IsHead()) output_.SetBody(&reply.body);
    for (auto buffers = output_.Buffers(); !buffers.empty(); buffers = output_.Buffers()) {
      Enter(Phase::kWriting, kWriteSeconds);
      const auto [failure, count] = co_await state_.socket.async_write_some(buffers, kAsTuple);
      if (failure) co_return false;
      output_.Advance(count);
    }
    co_return true;
  }

  // Closing while the client still sends would reset the connection, and the client might never see
  // the answer: so stop writing, and read what comes until the client closes too.
  Awaitable<> AsyncLinger() {
    boost::system::error_code ignored;
    state_.socket.shutdown(Socket::shutdown_send, ignored);
    Enter(Phase::kWriting, kLingerSeconds);
    input_.Consume(input_.Size());
    for (;;) {
      const auto [failure, count] = co_await state_.socket.async_read_some(input_.Room(), kAsTuple);
      if (failure) co_return;
    }
  }

  ConnectionState state_;
  std::shared_ptr<Shard> shard_;
  const HttpEnvironment* environment_;
  Exchange exchange_;
  ReadBuffer input_;
  Gather output_;
};

}  // namespace

Awaitable<> AsyncServeConnection(Socket socket, std::shared_ptr<Shard> shard,
                                 const HttpEnvironment* environment) {
  try {
    Connection connection(std::move(socket), std::move(shard), environment);
    co_await connection.AsyncServe();
  } catch (const std::exception& e) {
    LogError(std::string("exception in a connection: ") + e.what());
  }
}

}  // namespace server
