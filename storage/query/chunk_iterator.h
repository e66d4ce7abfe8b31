// storage/query/chunk_iterator.h
//
// A set of documents of one type, read chunk by chunk in ascending order, and
// the set algebra on such. An operand is asked only for the chunks that it can
// decide: the cheapest side of an AND leads.
//
// Owner: the plan of one search. Thread-safety: single-owner. Blocking: Seek may read the disk.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "storage/posting/bitmap.h"
#include "storage/posting/chunk_set.h"
#include "storage/query/work.h"
#include "storage/snapshot.h"

namespace storage {

class ChunkIterator {
 public:
  virtual ~ChunkIterator() = default;

  // Moves to the first chunk at or after `chunk` that has documents; stays if it is there already.
  // False at the end, and when the work has failed.
  bool Seek(std::uint64_t chunk) {
    if (is_placed_ && chunk_ >= chunk) return true;
    if (is_at_end_) return false;
    is_placed_ = chunk <= 0xFFFFFFFFu && DoSeek(static_cast<std::uint32_t>(chunk));
    is_at_end_ = !is_placed_;
    return is_placed_;
  }

  // REQUIRES: the last Seek was true. Valid until the next one that moves.
  std::uint32_t Chunk() const { return chunk_; }
  const Bitmap& Documents() const {
    if (documents_ == nullptr) documents_ = Decode();
    return *documents_;
  }
  // Their number; may spare decoding them.
  std::uint64_t Count() const { return documents_ == nullptr ? count_ : documents_->cardinality(); }
  // True if the chunk is full and all of it is here: an AND can do without it.
  virtual bool HoldsAll() const { return false; }

  // About how many documents there are; what leads an AND. May read the first chunk.
  virtual std::uint64_t Cost() = 0;

 protected:
  // On success sets chunk_ and documents_ (not empty); or count_, and documents_ to null, and then
  // Decode is asked for them.
  virtual bool DoSeek(std::uint32_t chunk) = 0;
  virtual const Bitmap* Decode() const;

  std::uint32_t chunk_ = 0;
  std::uint64_t count_ = 0;
  mutable const Bitmap* documents_ = nullptr;

 private:
  bool is_placed_ = false;
  bool is_at_end_ = false;
};

using ChunkIteratorPtr = std::unique_ptr<ChunkIterator>;

// No document.
ChunkIteratorPtr MakeNothing();
// All live documents.
ChunkIteratorPtr MakeLive(TypeStatePtr state);
// The live documents numbered from `first` to before `end`.
ChunkIteratorPtr MakeLiveBetween(TypeStatePtr state, std::uint64_t first, std::uint64_t end);
// The set that `make` returns when it is first asked for; `cost` is a guess until then.
ChunkIteratorPtr MakeLazySet(std::function<ChunkSet()> make, std::uint64_t cost);
// REQUIRES: at least one child.
ChunkIteratorPtr MakeAnd(std::vector<ChunkIteratorPtr> children, Work* work);
ChunkIteratorPtr MakeOr(std::vector<ChunkIteratorPtr> children, Work* work);
// The live documents that are not in `child`.
ChunkIteratorPtr MakeNot(TypeStatePtr state, ChunkIteratorPtr child, Work* work);

// All of it.
ChunkSet Collect(ChunkIterator* iterator);

}  // namespace storage
