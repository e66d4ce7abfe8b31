#include "server/runtime/dispatch.h"

#include <atomic>
#include <exception>
#include <optional>
#include <utility>

#include "server/runtime/batch.h"
#include "server/runtime/commit.h"
#include "server/runtime/log.h"
#include "server/runtime/offload.h"
#include "server/runtime/pretty.h"

namespace server {
namespace {

// How often a write is prepared again because others changed what it relied on.
constexpr int kMaxPreparations = 16;
constexpr int kBroadRetrySeconds = 5;

bool IsAbandoned(const Request& request) {
  return request.cancelled != nullptr && request.cancelled->load(std::memory_order_relaxed);
}

}  // namespace

Awaitable<Reply> Dispatcher::AsyncDispatch(const Request* request) const {
  return AsyncGuard(request, Nesting::kTopLevel);
}

Awaitable<Reply> Dispatcher::AsyncDispatchEntry(const Request* request) const {
  return AsyncGuard(request, Nesting::kEntry);
}

Awaitable<Reply> Dispatcher::AsyncMakePretty(Reply reply) const {
  // It may be long: not on the I/O thread.
  auto work = [&reply]() -> fhir::Result<Reply> {
    MakePretty(&reply);
    return std::move(reply);
  };
  fhir::Result<Reply> pretty = co_await AsyncOffload(indexer_, std::move(work));
  co_return pretty ? *std::move(pretty) : ReplyOf(pretty.error());
}

Awaitable<Reply> Dispatcher::AsyncGuard(const Request* request, Nesting nesting) const {
  fhir::Error error;
  try {
    fhir::Result<Reply> reply = co_await AsyncAnswer(request, nesting);
    if (reply) co_return *std::move(reply);
    error = std::move(reply).error();
  } catch (const std::exception& e) {
    error = fhir::Internal(std::string("exception in a request: ") + e.what());
  }
  co_return ReplyToError(*request, std::move(error));
}

Awaitable<fhir::Result<Reply>> Dispatcher::AsyncAnswer(const Request* request,
                                                       Nesting nesting) const {
  // The base, in any spelling.
  const bool is_bundle =
      request->verb == Verb::kPost && request->path.find_first_not_of('/') == std::string::npos;
  if (nesting == Nesting::kEntry && is_bundle) {
    co_return fhir::Fail(fhir::NotSupported("Nested bundles are not supported."));
  }
  FHIR_CO_TRY(route, FindRoute(*request));
  if (route.handler->read == nullptr) co_return co_await AsyncWrite(request, std::move(route));
  if (route.handler->try_read != nullptr) {
    if (auto reply = route.handler->try_read(*request, route.parameters, *context_)) {
      co_return *std::move(reply);
    }
  }
  co_return co_await AsyncRead(request, std::move(route));
}

Awaitable<fhir::Result<Reply>> Dispatcher::AsyncRead(const Request* request, Route route) const {
  if (route.handler->read_narrow != nullptr) {
    auto narrow = [request, route, context = context_] {
      return route.handler->read_narrow(*request, route.parameters, *context);
    };
    FHIR_CO_TRY(reply, co_await AsyncOffload(resource_store_, std::move(narrow)));
    if (reply) co_return *std::move(reply);
    co_return co_await AsyncReadBroad(request, std::move(route));
  }
  auto work = [request, route, context = context_] {
    return route.handler->read(*request, route.parameters, *context);
  };
  co_return co_await AsyncOffload(resource_store_, std::move(work));
}

Awaitable<fhir::Result<Reply>> Dispatcher::AsyncReadBroad(const Request* request,
                                                          Route route) const {
  const std::optional<BroadLane::Place> place = broad_lane_->TryEnter();
  if (!place) {
    co_return fhir::Fail(
        fhir::TooBusy("As many broad searches wait as the server allows (SEARCH_BROAD_QUEUE): "
                      "retry later, or narrow this one.",
                      kBroadRetrySeconds));
  }
  auto work = [request, route, context = context_]() -> fhir::Result<Reply> {
    // It may have waited for longer than its client did.
    if (IsAbandoned(*request)) return fhir::Fail(fhir::TooBusy("The client is gone."));
    return route.handler->read(*request, route.parameters, *context);
  };
  co_return co_await AsyncOffload(broad_lane_->Pool(), std::move(work));
}

Awaitable<fhir::Result<Reply>> Dispatcher::AsyncWrite(const Request* request, Route route) const {
  for (int i = 0; i < kMaxPreparations; ++i) {
    auto prepare = [request, route, context = context_] {
      return route.handler->prepare(*request, route.parameters, *context);
    };
    FHIR_CO_TRY(prepared, co_await AsyncOffload(indexer_, std::move(prepare)));
    if (auto* reply = std::get_if<Reply>(&prepared)) co_return std::move(*reply);
    if (auto* plan = std::get_if<BatchPlan>(&prepared)) {
      co_return co_await AsyncBatch(request, std::move(*plan));
    }
    auto& write = std::get<PreparedWrite>(prepared);
    FHIR_CO_TRY(committed, co_await AsyncCommit(context_->store, std::move(write.transaction)));
    if (committed.status != storage::CommitResult::Status::kStale) {
      co_return co_await AsyncFinish(std::move(write), std::move(committed));
    }
  }
  co_return fhir::Fail(fhir::TooBusy("Others keep changing what this request depends on."));
}

Awaitable<fhir::Result<Reply>> Dispatcher::AsyncFinish(PreparedWrite write,
                                                       storage::CommitResult committed) const {
  if (!write.answer_blocks && !write.answer_searches) co_return write.answer(committed);
  auto work = [&write, &committed] { return write.answer(committed); };
  // What is committed is answered, however many wait.
  net::thread_pool* pool = write.answer_searches ? broad_lane_->Pool() : resource_store_;
  co_return co_await AsyncOffload(pool, std::move(work));
}

Awaitable<fhir::Result<Reply>> Dispatcher::AsyncBatch(const Request* request,
                                                      BatchPlan plan) const {
  for (BatchPlan::Entry& entry : plan.entries) {
    entry.request.base_url = request->base_url;
    entry.request.received_ms = request->received_ms;
    entry.request.deadline = request->deadline;
    entry.request.cancelled = request->cancelled;
    entry.request.headers.request_id = request->headers.request_id;
  }
  std::vector<Reply> replies = co_await AsyncRunBatch(this, std::move(plan));
  // Large answers are copied together: not on the I/O thread.
  auto assemble = [&replies]() -> fhir::Result<Reply> { return BatchResponse(std::move(replies)); };
  co_return co_await AsyncOffload(indexer_, std::move(assemble));
}

Reply Dispatcher::ReplyToError(const Request& request, fhir::Error error) const {
  Reply reply = ReplyOf(error);
  if (IsAbandoned(request)) {
    LogInfo(std::string(ToString(request.verb)) + " /" + request.path +
            " stopped: its client is gone");
  }
  if (error.log_detail.empty()) return reply;
  std::string id = request.headers.request_id;
  if (id.empty()) {
    id = context_->ids->Next(request.received_ms);
    reply.headers.emplace_back("X-Request-Id", id);
  }
  LogError("request " + id + ": " + std::string(ToString(request.verb)) + " answered " +
           std::to_string(error.http_status) + ": " + error.log_detail);
  return reply;
}

}  // namespace server
