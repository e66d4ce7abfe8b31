#include "storage/query/chunk_iterator.h"

#include <algorithm>
#include <utility>

#include "fhir/base/check.h"

namespace storage {
namespace {

constexpr std::uint64_t kChunkSize = 65'536;

class NothingIterator final : public ChunkIterator {
 public:
  std::uint64_t Cost() override { return 0; }

 protected:
  bool DoSeek(std::uint32_t /*chunk*/) override { return false; }
};

class LiveIterator final : public ChunkIterator {
 public:
  explicit LiveIterator(TypeStatePtr state) : state_(std::move(state)) {}
  std::uint64_t Cost() override { return state_->live_count; }
  bool HoldsAll() const override { return documents_->cardinality() == kChunkSize; }

 protected:
  bool DoSeek(std::uint32_t chunk) override {
    for (; chunk < state_->ChunkCount(); ++chunk) {
      const Bitmap* live = state_->live[chunk].get();
      if (live == nullptr || live->isEmpty()) continue;
      chunk_ = chunk;
      documents_ = live;
      return true;
    }
    return false;
  }

 private:
  TypeStatePtr state_;
};

class LiveBetweenIterator final : public ChunkIterator {
 public:
  LiveBetweenIterator(TypeStatePtr state, std::uint64_t first, std::uint64_t end)
      : state_(std::move(state)), first_(first), end_(end) {}
  std::uint64_t Cost() override { return std::min(state_->live_count, end_ - first_); }

 protected:
  bool DoSeek(std::uint32_t chunk) override {
    if (first_ >= end_) return false;
    chunk = std::max(chunk, ChunkOf(first_));
    for (; chunk < state_->ChunkCount() && chunk <= ChunkOf(end_ - 1); ++chunk) {
      const Bitmap* live = state_->live[chunk].get();
      if (live == nullptr) continue;
      const std::uint64_t low = chunk == ChunkOf(first_) ? LowOf(first_) : 0;
      const std::uint64_t last = chunk == ChunkOf(end_ - 1) ? LowOf(end_ - 1) : 0xFFFF;
      within_ = Bitmap();
      within_.addRange(low, last + 1);
      within_ &= *live;
      if (within_.isEmpty()) continue;
      chunk_ = chunk;
      documents_ = &within_;
      return true;
    }
    return false;
  }

 private:
  TypeStatePtr state_;
  std::uint64_t first_;
  std::uint64_t end_;
  Bitmap within_;
};

class LazySetIterator final : public ChunkIterator {
 public:
  LazySetIterator(std::function<ChunkSet()> make, std::uint64_t cost)
      : make_(std::move(make)), cost_(cost) {}
  std::uint64_t Cost() override { return cost_; }

 protected:
  bool DoSeek(std::uint32_t chunk) override {
    if (make_) {
      set_ = make_();
      make_ = nullptr;
    }
    const auto& chunks = set_.Chunks();
    while (next_ < chunks.size() && chunks[next_].number < chunk) ++next_;
    if (next_ == chunks.size()) return false;
    chunk_ = chunks[next_].number;
    documents_ = &chunks[next_].documents;
    return true;
  }

 private:
  std::function<ChunkSet()> make_;  // Empty once it has run.
  std::uint64_t cost_;
  ChunkSet set_;
  std::size_t next_ = 0;
};

class AndIterator final : public ChunkIterator {
 public:
  AndIterator(std::vector<ChunkIteratorPtr> children, Work* work)
      : children_(std::move(children)), work_(work) {}
  std::uint64_t Cost() override { return children_.front()->Cost(); }

 protected:
  bool DoSeek(std::uint32_t from) override {
    std::uint64_t chunk = from;
    while (work_->Spend() && Agree(&chunk)) {
      if (Intersect()) {
        chunk_ = static_cast<std::uint32_t>(chunk);
        return true;
      }
      ++chunk;
    }
    return false;
  }
  const Bitmap* Decode() const override { return &only_->Documents(); }

 private:
  // Sets the documents that all children have in this chunk. False: none.
  bool Intersect() {
    only_ = nullptr;
    documents_ = nullptr;
    for (const ChunkIteratorPtr& child : children_) {
      if (child->HoldsAll()) continue;
      if (only_ == nullptr) {
        only_ = child.get();
        continue;
      }
      if (documents_ == nullptr) {
        common_ = only_->Documents() & child->Documents();
      } else {
        common_ &= child->Documents();
      }
      documents_ = &common_;
      if (common_.isEmpty()) return false;
    }
    if (only_ == nullptr) only_ = children_.front().get();
    count_ = only_->Count();
    return true;
  }

  // Moves all children to the first chunk at or after *chunk that all have.
  bool Agree(std::uint64_t* chunk) {
    for (std::size_t i = 0; i < children_.size();) {
      if (!children_[i]->Seek(*chunk)) return false;
      const bool agrees = children_[i]->Chunk() == *chunk;
      *chunk = children_[i]->Chunk();
      // One that is further on sends the leader there first.
      i = agrees || i == 0 ? i + 1 : 0;
    }
    return true;
  }

  std::vector<ChunkIteratorPtr> children_;  // At least two; the cheapest first.
  Work* work_;
  Bitmap common_;
  const ChunkIterator* only_ = nullptr;  // All others hold all of the chunk.
};

class OrIterator final : public ChunkIterator {
 public:
  OrIterator(std::vector<ChunkIteratorPtr> children, Work* work)
      : children_(std::move(children)), work_(work) {}
  std::uint64_t Cost() override {
    std::uint64_t sum = 0;
    for (const ChunkIteratorPtr& child : children_) sum += child->Cost();
    return sum;
  }

 protected:
  bool DoSeek(std::uint32_t from) override {
    if (!work_->Spend()) return false;
    std::erase_if(children_, [&](ChunkIteratorPtr& child) { return !child->Seek(from); });
    if (children_.empty() || work_->HasFailed()) return false;
    const auto first =
        std::min_element(children_.begin(), children_.end(),
                         [](const auto& a, const auto& b) { return a->Chunk() < b->Chunk(); });
    chunk_ = (*first)->Chunk();
    documents_ = &(*first)->Documents();
    bool is_copied = false;
    for (auto child = first + 1; child != children_.end(); ++child) {
      if ((*child)->Chunk() != chunk_) continue;
      if (!is_copied) either_ = *documents_;
      is_copied = true;
      either_ |= (*child)->Documents();
    }
    if (is_copied) documents_ = &either_;
    return true;
  }

 private:
  std::vector<ChunkIteratorPtr> children_;  // Those that are not at their end.
  Work* work_;
  Bitmap either_;
};

class NotIterator final : public ChunkIterator {
 public:
  NotIterator(TypeStatePtr state, ChunkIteratorPtr child, Work* work)
      : live_(std::move(state)), child_(std::move(child)), work_(work) {}
  std::uint64_t Cost() override { return live_.Cost(); }

 protected:
  bool DoSeek(std::uint32_t from) override {
    for (std::uint64_t chunk = from; work_->Spend() && live_.Seek(chunk); ++chunk) {
      chunk = live_.Chunk();
      const bool meets = child_->Seek(chunk) && child_->Chunk() == chunk;
      if (work_->HasFailed()) return false;
      chunk_ = live_.Chunk();
      documents_ = &live_.Documents();
      if (!meets) return true;
      rest_ = live_.Documents() - child_->Documents();
      documents_ = &rest_;
      if (!rest_.isEmpty()) return true;
    }
    return false;
  }

 private:
  LiveIterator live_;
  ChunkIteratorPtr child_;
  Work* work_;
  Bitmap rest_;
};

}  // namespace

const Bitmap* ChunkIterator::Decode() const {
  FHIR_CHECK(false, "an iterator that sets no documents decodes them");
}

ChunkIteratorPtr MakeNothing() {
  return std::make_unique<NothingIterator>();
}

ChunkIteratorPtr MakeLive(TypeStatePtr state) {
  return std::make_unique<LiveIterator>(std::move(state));
}

ChunkIteratorPtr MakeLiveBetween(TypeStatePtr state, std::uint64_t first, std::uint64_t end) {
  return std::make_unique<LiveBetweenIterator>(std::move(state), first, std::max(first, end));
}

ChunkIteratorPtr MakeLazySet(std::function<ChunkSet()> make, std::uint64_t cost) {
  return std::make_unique<LazySetIterator>(std::move(make), cost);
}

ChunkIteratorPtr MakeAnd(std::vector<ChunkIteratorPtr> children, Work* work) {
  if (children.size() == 1) return std::move(children.front());
  std::vector<std::pair<std::uint64_t, ChunkIteratorPtr>> by_cost;
  for (ChunkIteratorPtr& child : children) {
    const std::uint64_t cost = child->Cost();
    by_cost.emplace_back(cost, std::move(child));
  }
  std::sort(by_cost.begin(), by_cost.end(),
            [](const auto& a, const auto& b) { return a.first < b.first; });
  children.clear();
  for (auto& [cost, child] : by_cost) children.push_back(std::move(child));
  return std::make_unique<AndIterator>(std::move(children), work);
}

ChunkIteratorPtr MakeOr(std::vector<ChunkIteratorPtr> children, Work* work) {
  if (children.size() == 1) return std::move(children.front());
  return std::make_unique<OrIterator>(std::move(children), work);
}

ChunkIteratorPtr MakeNot(TypeStatePtr state, ChunkIteratorPtr child, Work* work) {
  return std::make_unique<NotIterator>(std::move(state), std::move(child), work);
}

ChunkSet Collect(ChunkIterator* iterator) {
  ChunkSet set;
  for (std::uint64_t chunk = 0; iterator->Seek(chunk); ++chunk) {
    chunk = iterator->Chunk();
    set.Append(iterator->Chunk(), iterator->Documents());
  }
  return set;
}

}  // namespace storage
