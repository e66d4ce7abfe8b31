#include <future>

#include <gtest/gtest.h>

#include "storage/commit/queue.h"

namespace storage {
namespace {

using std::chrono::milliseconds;

void Push(CommitQueue* queue) {
  ASSERT_TRUE(queue->Push(std::make_unique<Transaction>(), [](CommitResult) {}));
}

TEST(CommitQueueTest, TakesAllThatWait) {
  CommitQueue queue(10);
  for (int i = 0; i < 3; ++i) Push(&queue);
  EXPECT_EQ(queue.TakeGroup().size(), 3u);
}

TEST(CommitQueueTest, CountsWhatIsBeingCommittedAsInFlight) {
  CommitQueue queue(2);
  Push(&queue);
  Push(&queue);
  EXPECT_EQ(queue.TakeGroup().size(), 2u);
  EXPECT_EQ(queue.Push(std::make_unique<Transaction>(), nullptr).error().http_status, 503);
  queue.Complete(2, {});
  Push(&queue);
}

TEST(CommitQueueTest, GathersAsManyAsWereAnsweredAndWaited) {
  CommitQueue queue(10, std::chrono::hours(1));
  Push(&queue);
  Push(&queue);
  ASSERT_EQ(queue.TakeGroup().size(), 2u);
  Push(&queue);
  queue.Complete(2, std::chrono::hours(10));
  auto group = std::async(std::launch::async, [&] { return queue.TakeGroup().size(); });
  Push(&queue);
  EXPECT_EQ(group.wait_for(milliseconds(20)), std::future_status::timeout);
  Push(&queue);
  EXPECT_EQ(group.get(), 3u);
}

TEST(CommitQueueTest, OneClientNeverWaits) {
  CommitQueue queue(10, std::chrono::hours(1));
  Push(&queue);
  ASSERT_EQ(queue.TakeGroup().size(), 1u);
  queue.Complete(1, std::chrono::hours(10));
  Push(&queue);
  EXPECT_EQ(queue.TakeGroup().size(), 1u);
}

TEST(CommitQueueTest, StopsGatheringAfterATenthOfTheSync) {
  CommitQueue queue(10);
  Push(&queue);
  Push(&queue);
  ASSERT_EQ(queue.TakeGroup().size(), 2u);
  queue.Complete(2, milliseconds(50));
  Push(&queue);
  EXPECT_EQ(queue.TakeGroup().size(), 1u);
}

TEST(CommitQueueTest, ALargeTransactionHasAGroupOfItsOwn) {
  CommitQueue queue(10);
  const auto push_large = [&] {
    auto large = std::make_unique<Transaction>();
    large->writes.resize(1);
    large->writes[0].form.json.assign(std::size_t{17} << 20, 'x');
    ASSERT_TRUE(queue.Push(std::move(large), nullptr));
  };
  Push(&queue);
  push_large();
  push_large();
  Push(&queue);
  EXPECT_EQ(queue.TakeGroup().size(), 1u);
  EXPECT_EQ(queue.TakeGroup().size(), 1u);
  EXPECT_EQ(queue.TakeGroup().size(), 1u);
  EXPECT_EQ(queue.TakeGroup().size(), 1u);
}

TEST(CommitQueueTest, AClosedQueueIsDrainedAndThenEmpty) {
  CommitQueue queue(10);
  Push(&queue);
  queue.Close();
  EXPECT_EQ(queue.TakeGroup().size(), 1u);
  EXPECT_TRUE(queue.TakeGroup().empty());
}

}  // namespace
}  // namespace storage
