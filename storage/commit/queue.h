// storage/commit/queue.h
//
// Transactions that wait for the commit thread, and how many of them it takes
// at once.
//
// Clients answered together come back together, a little apart. A group that is taken as soon as
// one waits splits them in two halves, each of which waits for the other's sync. So the commit
// thread waits until as many are there as it just answered plus those that waited already, but no
// longer than a tenth of the last sync. One client alone never waits. (Measured:
// docs/performance.md.)
//
// Owner: the committer. Thread-safety: thread-safe.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <memory>
#include <mutex>
#include <vector>

#include "fhir/base/result.h"
#include "storage/transaction.h"

namespace storage {

struct Pending {
  std::unique_ptr<Transaction> transaction;
  CommitCallback done;
  std::size_t bytes = 0;  // About what it will write.
};

class CommitQueue {
 public:
  using Clock = std::chrono::steady_clock;

  // Gathering never takes longer than `max_gather`: what a large transaction took to write says
  // nothing about the next one.
  explicit CommitQueue(std::size_t capacity,
                       Clock::duration max_gather = std::chrono::milliseconds(5))
      : capacity_(capacity), max_gather_(max_gather) {}

  // Does not block. Errors: TooBusy if `capacity` are in flight, waiting or being committed.
  fhir::Result<void> Push(std::unique_ptr<Transaction> transaction, CommitCallback done);

  // For the commit thread. Waits for a group; empty when the queue is closed and drained. Blocking.
  std::vector<Pending> TakeGroup();
  // A group of `size` is about to be answered; its sync took `sync_time`. Frees its places.
  void Complete(std::size_t size, Clock::duration sync_time);

  // TakeGroup returns what waits, then nothing. Push must not be called any more.
  void Close();

 private:
  bool HasEnough() const { return is_closed_ || waiting_.size() >= target_ || IsFull(); }
  bool IsFull() const;

  const std::size_t capacity_;
  const Clock::duration max_gather_;

  std::mutex mu_;
  std::condition_variable changed_;
  // Guarded by mu_:
  std::deque<Pending> waiting_;
  std::size_t waiting_bytes_ = 0;
  std::size_t in_flight_ = 0;         // Waiting or being committed.
  std::size_t target_ = 1;            // How many to gather,
  Clock::time_point gather_until_{};  // until then.
  bool is_closed_ = false;
};

}  // namespace storage
