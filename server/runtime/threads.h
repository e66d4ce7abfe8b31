// server/runtime/threads.h
//
// The process's threads: I/O threads with an io_context each, and the two pools
// of workers that a request may be handed to.
#pragma once

#include <memory>
#include <span>
#include <thread>
#include <vector>

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/thread_pool.hpp>

#include "server/runtime/async.h"

namespace server {

// One io_context a thread: a shared one costs a fifth more CPU a request.
//
// Owner: main(). Must outlive the store and the pools, whose last callbacks are posted here.
// Thread-safety: Start and Stop on one thread.
class IoThreads {
 public:
  // REQUIRES: count >= 1.
  explicit IoThreads(std::size_t count);
  ~IoThreads() { Stop(); }
  IoThreads(const IoThreads&) = delete;
  IoThreads& operator=(const IoThreads&) = delete;

  void Start();
  // Returns when all threads ended. What still waits is dropped with the contexts. Idempotent.
  void Stop();

  std::size_t Size() const { return contexts_.size(); }
  net::io_context* At(std::size_t index) { return contexts_[index].get(); }

 private:
  std::vector<std::unique_ptr<net::io_context>> contexts_;
  std::vector<net::executor_work_guard<IoExecutor>> guards_;
  std::vector<std::thread> threads_;
};

// Owner: main(). Thread-safety: the pools are thread-safe; Join on one thread.
class WorkerPools {
 public:
  WorkerPools(std::size_t resource_store_threads, std::size_t indexer_threads)
      : resource_store_(resource_store_threads), indexer_(indexer_threads) {}

  net::thread_pool* ResourceStore() { return &resource_store_; }  // Blocking reads, searches.
  net::thread_pool* Indexer() { return &indexer_; }               // Parse, validate, index.

  // Finishes what runs, drops what waits, and returns when all threads ended.
  void Join();

 private:
  net::thread_pool resource_store_;
  net::thread_pool indexer_;
};

}  // namespace server
