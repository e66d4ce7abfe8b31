// Set algebra on chunks against sets of numbers, with chunks that are full.
#include "storage/query/chunk_iterator.h"

#include <algorithm>
#include <iterator>
#include <memory>
#include <random>
#include <set>
#include <utility>

#include <gtest/gtest.h>

#include "storage/store.h"

namespace storage {
namespace {

using Documents = std::set<std::uint64_t>;

constexpr std::uint32_t kChunks = 4;
constexpr std::uint64_t kChunkSize = 65'536;
constexpr std::uint64_t kEnded = 2 * kChunkSize + 17;

// The first two chunks are full; in the third a document has ended; the last has just begun.
Documents AllLive() {
  Documents live;
  for (std::uint64_t document = 0; document < 3 * kChunkSize + 100; ++document) {
    if (document != kEnded) live.insert(live.end(), document);
  }
  return live;
}

ChunkSet SetOf(const Documents& documents) {
  ChunkSetBuilder builder;
  for (const std::uint64_t document : documents) builder.Add(document);
  return builder.Finish();
}

TypeStatePtr StateOf(const Documents& live) {
  auto state = std::make_shared<TypeState>();
  state->live.resize(kChunks);
  const ChunkSet chunks = SetOf(live);
  for (const ChunkSet::Chunk& chunk : chunks.Chunks()) {
    state->live[chunk.number] = std::make_shared<const Bitmap>(chunk.documents);
  }
  state->live_count = live.size();
  return state;
}

Documents Random(std::mt19937* random) {
  Documents documents = {kEnded};
  const unsigned sizes[] = {0, 3, 500, 20'000};
  for (unsigned left = sizes[(*random)() % 4]; left > 0; --left) {
    documents.insert((*random)() % (kChunks * kChunkSize));
  }
  return documents;
}

Documents Common(const Documents& a, const Documents& b) {
  Documents common;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(),
                        std::inserter(common, common.end()));
  return common;
}

// Reads all of it, and compares the counts on the way.
Documents Read(ChunkIterator* iterator) {
  Documents documents;
  for (std::uint64_t chunk = 0; iterator->Seek(chunk); ++chunk) {
    chunk = iterator->Chunk();
    const std::uint64_t count = iterator->Count();
    EXPECT_EQ(count, iterator->Documents().cardinality());
    EXPECT_EQ(count, iterator->Count());
    for (const std::uint32_t low : iterator->Documents()) {
      documents.insert(DocumentOf(iterator->Chunk(), low));
    }
  }
  return documents;
}

class ChunkIteratorTest : public testing::Test {
 protected:
  ChunkIteratorPtr Make(const Documents& documents) {
    return MakeLazySet([documents] { return SetOf(documents); }, documents.size());
  }
  ChunkIteratorPtr And(std::vector<ChunkIteratorPtr> children) {
    return MakeAnd(std::move(children), &work_);
  }
  ChunkIteratorPtr And(ChunkIteratorPtr a, ChunkIteratorPtr b) {
    std::vector<ChunkIteratorPtr> both;
    both.push_back(std::move(a));
    both.push_back(std::move(b));
    return And(std::move(both));
  }

  const Documents live_ = AllLive();
  const TypeStatePtr state_ = StateOf(live_);
  const Budget budget_;
  Work work_{&budget_};
};

TEST_F(ChunkIteratorTest, AnAndWithWhatIsLiveHoldsNothingElse) {
  std::mt19937 random(1);
  for (int round = 0; round < 12; ++round) {
    const Documents a = Random(&random);
    const Documents b = Random(&random);
    EXPECT_EQ(Read(And(Make(a), MakeLive(state_)).get()), Common(a, live_));
    EXPECT_EQ(Read(And(And(Make(a), Make(b)), MakeLive(state_)).get()),
              Common(Common(a, b), live_));
    std::vector<ChunkIteratorPtr> three;
    three.push_back(Make(a));
    three.push_back(MakeLive(state_));
    three.push_back(Make(b));
    EXPECT_EQ(Read(And(std::move(three)).get()), Common(Common(a, b), live_));
  }
  EXPECT_FALSE(work_.HasFailed());
}

TEST_F(ChunkIteratorTest, AnAndOfAllThatIsLiveIsAllThatIsLive) {
  EXPECT_EQ(Read(And(MakeLive(state_), MakeLive(state_)).get()), live_);
}

TEST_F(ChunkIteratorTest, OnlyAFullChunkHoldsAll) {
  const ChunkIteratorPtr live = MakeLive(state_);
  for (std::uint32_t chunk = 0; chunk < kChunks; ++chunk) {
    ASSERT_TRUE(live->Seek(chunk));
    EXPECT_EQ(live->HoldsAll(), chunk < 2);
  }
}

}  // namespace
}  // namespace storage
