#include "server/runtime/broad_lane.h"

#include <latch>
#include <memory>
#include <sys/resource.h>
#include <unistd.h>
#include <utility>

#include <boost/asio/post.hpp>

namespace server {
namespace {

// A thread of the server's usual niceness, 0, gets three times the share of one with this.
constexpr int kNiceness = 5;

struct Latches {
  explicit Latches(std::ptrdiff_t threads) : begun(threads), done(threads) {}

  std::latch begun;
  std::latch done;
};

}  // namespace

BroadLane::BroadLane(std::size_t threads, std::size_t max_waiting)
    : max_places_(threads + max_waiting), pool_(threads) {
  // Each thread takes one of these, as none ends before all have begun. Shared: a thread may still be
  // on its way out of the latch when this returns.
  const auto latches = std::make_shared<Latches>(static_cast<std::ptrdiff_t>(threads));
  for (std::size_t i = 0; i < threads; ++i) {
    net::post(pool_, [latches] {
      latches->begun.arrive_and_wait();
      // Where that is not allowed the lane is as nice as the others.
      (void)setpriority(PRIO_PROCESS, static_cast<id_t>(gettid()), kNiceness);
      latches->done.count_down();
    });
  }
  latches->done.wait();
}

std::optional<BroadLane::Place> BroadLane::TryEnter() {
  // Counted first: of several at once none may see the last place free that another takes.
  Place place(occupancy_);
  if (occupancy_->count.fetch_add(1, std::memory_order_relaxed) >= max_places_) return std::nullopt;
  return std::optional<Place>(std::move(place));
}

void BroadLane::Join() {
  pool_.stop();
  pool_.join();
}

}  // namespace server
