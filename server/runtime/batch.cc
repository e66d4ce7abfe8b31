#include "server/runtime/batch.h"

#include <algorithm>
#include <exception>
#include <functional>
#include <memory>
#include <utility>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/this_coro.hpp>

#include "server/runtime/dispatch.h"
#include "server/runtime/log.h"

namespace server {
namespace {

// Thread-safety: confined to one I/O thread; every lane resumes there.
struct BatchRun {
  const Dispatcher* dispatcher;
  BatchPlan plan;
  std::vector<Reply> replies;
  std::size_t reply_bytes = 0;    // Of all bodies so far.
  std::size_t next = 0;           // The first entry that no lane has taken.
  std::size_t running_lanes = 0;  // The last one resumes the batch.
};

// Shared: when the server stops, a lane may be dropped after the batch that waits for it.
using BatchRunPtr = std::shared_ptr<BatchRun>;

bool IsRead(const Request& request) {
  return request.verb == Verb::kGet || request.verb == Verb::kHead ||
         request.path.ends_with("/_search");
}

Awaitable<> AsyncLane(BatchRunPtr run) {
  auto home = co_await net::this_coro::executor;
  while (run->next < run->plan.entries.size()) {
    const std::size_t index = run->next++;
    BatchPlan::Entry& entry = run->plan.entries[index];
    if (entry.error) {
      run->replies[index] = ReplyOf(*entry.error);
      continue;
    }
    // Let the other connections of this thread in between: cached reads do not suspend.
    co_await net::post(home, kUseAwaitable);
    if (run->reply_bytes > kMaxBundleReplyBytes && IsRead(entry.request)) {
      run->replies[index] = ReplyOf(fhir::TooCostly("The answers to the batch are too long."));
      continue;
    }
    run->replies[index] = co_await run->dispatcher->AsyncDispatchEntry(&entry.request);
    if (entry.request.verb == Verb::kHead && run->replies[index].status < 400) {
      run->replies[index].body = {};
    }
    run->reply_bytes += run->replies[index].body.Size();
    entry.request = Request();
  }
}

class StartLanes {
 public:
  StartLanes(BatchRunPtr run, IoExecutor home) : run_(std::move(run)), home_(home) {}

  template <class Handler>
  void operator()(Handler handler) {
    auto shared = std::make_shared<Handler>(std::move(handler));
    // Counted before the first starts: it may end at once.
    const std::size_t lanes = std::clamp<std::size_t>(run_->plan.entries.size(), 1, kBatchLanes);
    run_->running_lanes = lanes;
    for (std::size_t i = 0; i < lanes; ++i) {
      net::co_spawn(home_, AsyncLane(run_),
                    [run = run_, home = home_, shared](const std::exception_ptr& failure) {
                      if (failure) LogError("a lane of a batch ended with an exception");
                      if (--run->running_lanes > 0) return;
                      net::post(home, [shared] { std::move (*shared)(); });
                    });
    }
  }

 private:
  BatchRunPtr run_;
  IoExecutor home_;
};

}  // namespace

Awaitable<std::vector<Reply>> AsyncRunBatch(const Dispatcher* dispatcher, BatchPlan plan) {
  auto run = std::make_shared<BatchRun>();
  run->dispatcher = dispatcher;
  run->plan = std::move(plan);
  run->replies.resize(run->plan.entries.size());
  StartLanes start(run, co_await net::this_coro::executor);
  co_await net::async_initiate<const net::use_awaitable_t<IoExecutor>, void()>(std::move(start),
                                                                               kUseAwaitable);
  co_return std::move(run->replies);
}

}  // namespace server
