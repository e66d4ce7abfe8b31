#include "server/runtime/broad_lane.h"

#include <utility>

namespace server {

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
