#include "storage/commit/queue.h"

#include <algorithm>
#include <utility>

namespace storage {
namespace {

// A group's bytes, so that it holds up others no longer than it takes to write them.
constexpr std::size_t kMaxGroupBytes = std::size_t{16} << 20;
constexpr int kGatherFraction = 10;  // Of the last sync's time.

std::size_t BytesOf(const Transaction& transaction) {
  constexpr std::size_t kEntryBytes = 40;  // A key and its share of a posting.
  std::size_t bytes = 0;
  for (const Write& write : transaction.writes) {
    bytes +=
        write.form.json.size() + write.entries.Bytes() + kEntryBytes * write.entries.List().size();
  }
  if (!transaction.build_step) return bytes;
  for (const auto& [key, operand] : transaction.build_step->postings) {
    bytes += key.size() + operand.size();
  }
  return bytes;
}

}  // namespace

bool CommitQueue::IsFull() const {
  return waiting_bytes_ >= kMaxGroupBytes;
}

fhir::Result<void> CommitQueue::Push(std::unique_ptr<Transaction> transaction,
                                     CommitCallback done) {
  const std::size_t bytes = BytesOf(*transaction);
  {
    const std::lock_guard lock(mu_);
    if (in_flight_ >= capacity_) {
      return fhir::Fail(fhir::TooBusy("Too many transactions wait to be committed."));
    }
    ++in_flight_;
    waiting_bytes_ += bytes;
    waiting_.push_back({std::move(transaction), std::move(done), bytes});
    // Waking the commit thread for each would cost a switch each.
    if (waiting_.size() != 1 && !HasEnough()) return {};
  }
  changed_.notify_one();
  return {};
}

std::vector<Pending> CommitQueue::TakeGroup() {
  std::unique_lock lock(mu_);
  changed_.wait(lock, [&] { return is_closed_ || !waiting_.empty(); });
  changed_.wait_until(lock, gather_until_, [&] { return HasEnough(); });
  std::vector<Pending> group;
  std::size_t bytes = 0;
  while (!waiting_.empty() && (group.empty() || bytes + waiting_.front().bytes <= kMaxGroupBytes)) {
    bytes += waiting_.front().bytes;
    group.push_back(std::move(waiting_.front()));
    waiting_.pop_front();
  }
  waiting_bytes_ -= bytes;
  return group;
}

void CommitQueue::Complete(std::size_t size, Clock::duration sync_time) {
  const std::lock_guard lock(mu_);
  in_flight_ -= size;
  target_ = size + waiting_.size();
  gather_until_ = Clock::now() + std::min(sync_time / kGatherFraction, max_gather_);
}

void CommitQueue::Close() {
  {
    const std::lock_guard lock(mu_);
    is_closed_ = true;
  }
  changed_.notify_one();
}

}  // namespace storage
