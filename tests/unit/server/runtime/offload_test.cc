#include "server/runtime/offload.h"

#include <future>
#include <stdexcept>
#include <thread>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/use_future.hpp>
#include <gtest/gtest.h>

#include "server/runtime/threads.h"

namespace server {
namespace {

struct Trace {
  std::thread::id before;
  std::thread::id work;
  std::thread::id after;
};

Awaitable<Trace> AsyncTrace(net::thread_pool* pool) {
  Trace trace;
  trace.before = std::this_thread::get_id();
  auto work = []() -> fhir::Result<std::thread::id> { return std::this_thread::get_id(); };
  const auto worked = co_await AsyncOffload(pool, work);
  trace.work = *worked;
  trace.after = std::this_thread::get_id();
  co_return trace;
}

Awaitable<fhir::Result<int>> AsyncThrow(net::thread_pool* pool) {
  auto work = []() -> fhir::Result<int> { throw std::runtime_error("third party"); };
  co_return co_await AsyncOffload(pool, work);
}

class OffloadTest : public testing::Test {
 protected:
  OffloadTest() : io_(1), pools_(1, 1) { io_.Start(); }
  ~OffloadTest() override {
    pools_.Join();
    io_.Stop();
  }

  IoThreads io_;
  WorkerPools pools_;
};

TEST_F(OffloadTest, TheWorkRunsOnThePoolAndTheCallerGoesOnAtHome) {
  const Trace trace =
      net::co_spawn(*io_.At(0), AsyncTrace(pools_.Indexer()), net::use_future).get();
  EXPECT_EQ(trace.before, trace.after);
  EXPECT_NE(trace.before, trace.work);
}

TEST_F(OffloadTest, AnExceptionBecomesAnInternalError) {
  const auto result =
      net::co_spawn(*io_.At(0), AsyncThrow(pools_.Indexer()), net::use_future).get();
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().http_status, 500);
}

}  // namespace
}  // namespace server
