#include "server/runtime/commit.h"

#include <utility>

#include <boost/asio/post.hpp>
#include <boost/asio/this_coro.hpp>

namespace server {
namespace {

using Committed = fhir::Result<storage::CommitResult>;

// Starts the commit; `handler` resumes the coroutine.
class StartCommit {
 public:
  StartCommit(storage::Store* store, std::unique_ptr<storage::Transaction> transaction,
              IoExecutor home)
      : store_(store), transaction_(std::move(transaction)), home_(home) {}

  template <class Handler>
  void operator()(Handler handler) {
    // Shared: the callback is a std::function, which must be copyable, and a handler is not.
    auto shared = std::make_shared<Handler>(std::move(handler));
    // On the commit thread, which must not wait for us: hand over and return.
    auto resume = [home = home_, shared](Committed result) {
      net::post(home, [shared, result = std::move(result)]() mutable {
        Handler last = std::move(*shared);
        std::move(last)(std::move(result));
      });
    };
    auto submitted = store_->Submit(std::move(transaction_), resume);
    if (!submitted) resume(fhir::Fail(std::move(submitted).error()));
  }

 private:
  storage::Store* store_;
  std::unique_ptr<storage::Transaction> transaction_;
  IoExecutor home_;
};

}  // namespace

Awaitable<Committed> AsyncCommit(storage::Store* store,
                                 std::unique_ptr<storage::Transaction> transaction) {
  StartCommit start(store, std::move(transaction), co_await net::this_coro::executor);
  Committed result =
      co_await net::async_initiate<const net::use_awaitable_t<IoExecutor>, void(Committed)>(
          std::move(start), kUseAwaitable);
  co_return result;
}

}  // namespace server
