// server/runtime/offload.h
//
// The one place where a request leaves its I/O thread and comes back.
#pragma once

#include <exception>
#include <utility>

#include <boost/asio/bind_executor.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/thread_pool.hpp>

#include "fhir/base/result.h"
#include "server/runtime/async.h"

namespace server {

// Runs `work`, which returns some fhir::Result, on `pool` and resumes the caller on its own
// executor with what it returned. `pool` outlives the call. A third party's exception becomes
// Internal.
//
// bind_executor is what moves us: a bare co_await post(pool) resumes on the caller's executor, so
// the work would run on the I/O thread after all.
template <class Work>
auto AsyncOffload(net::thread_pool* pool, Work work) -> Awaitable<decltype(work())> {
  auto home = co_await net::this_coro::executor;
  co_await net::post(net::bind_executor(pool->get_executor(), kUseAwaitable));
  decltype(work()) result = [&work]() -> decltype(work()) {
    try {
      return work();
    } catch (const std::exception& e) {
      return fhir::Fail(fhir::Internal(std::string("exception in a worker: ") + e.what()));
    }
  }();
  co_await net::post(net::bind_executor(home, kUseAwaitable));
  co_return result;
}

}  // namespace server
