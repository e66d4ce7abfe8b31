#include "server/runtime/broad_lane.h"

#include <future>
#include <sys/resource.h>
#include <unistd.h>

#include <boost/asio/post.hpp>
#include <gtest/gtest.h>

namespace server {
namespace {

TEST(BroadLaneTest, AsManyEnterAsRunAndWaitAndAPlaceIsFreeAgainWhenItsOwnerLeaves) {
  BroadLane lane(1, 1);
  std::optional<BroadLane::Place> first = lane.TryEnter();
  const std::optional<BroadLane::Place> second = lane.TryEnter();
  EXPECT_TRUE(first.has_value());
  EXPECT_TRUE(second.has_value());
  EXPECT_FALSE(lane.TryEnter().has_value());
  EXPECT_FALSE(lane.TryEnter().has_value());  // The refused left nothing behind.
  first.reset();
  EXPECT_TRUE(lane.TryEnter().has_value());
}

TEST(BroadLaneTest, APlaceMayOutliveTheLane) {
  std::optional<BroadLane::Place> place;
  {
    BroadLane lane(1, 0);
    std::optional<BroadLane::Place> taken = lane.TryEnter();
    ASSERT_TRUE(taken.has_value());
    place.emplace(*std::move(taken));
    lane.Join();
  }
  place.reset();
}

TEST(BroadLaneTest, ItsThreadsAreNicerThanTheOthers) {
  BroadLane lane(2, 0);
  std::promise<int> niceness;
  net::post(*lane.Pool(),
            [&] { niceness.set_value(getpriority(PRIO_PROCESS, static_cast<id_t>(gettid()))); });
  EXPECT_GT(niceness.get_future().get(), getpriority(PRIO_PROCESS, static_cast<id_t>(gettid())));
}

}  // namespace
}  // namespace server
