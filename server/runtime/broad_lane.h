// server/runtime/broad_lane.h
//
// Where broad searches run: threads of their own, a few, so that reads and narrow
// searches never wait behind them, and a queue that ends. The threads are nicer than
// the others: where all cores are taken, the others go first.
//
// Owner: main(); outlives the dispatcher. Thread-safety: thread-safe; Join on one thread.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <optional>
#include <utility>

#include <boost/asio/thread_pool.hpp>

namespace server {

namespace net = boost::asio;

class BroadLane {
  struct Occupancy {
    std::atomic<std::size_t> count = 0;
  };

 public:
  // A search's place, running or waiting, until this is destroyed.
  class Place {
   public:
    explicit Place(std::shared_ptr<Occupancy> occupancy) : occupancy_(std::move(occupancy)) {}
    Place(Place&&) noexcept = default;
    Place& operator=(Place&&) = delete;
    ~Place() {
      if (occupancy_) occupancy_->count.fetch_sub(1, std::memory_order_relaxed);
    }

   private:
    // Shared: when the server stops, a place may be dropped after the lane.
    std::shared_ptr<Occupancy> occupancy_;
  };

  // REQUIRES: threads >= 1.
  BroadLane(std::size_t threads, std::size_t max_waiting);

  // Nothing if as many wait as may.
  std::optional<Place> TryEnter();
  // Whoever runs there without a place is not counted.
  net::thread_pool* Pool() { return &pool_; }

  // Finishes what runs, drops what waits, and returns when all threads ended.
  void Join();

 private:
  const std::size_t max_places_;
  std::shared_ptr<Occupancy> occupancy_ = std::make_shared<Occupancy>();
  net::thread_pool pool_;
};

}  // namespace server
