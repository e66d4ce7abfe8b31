#include "storage/query/sort.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "storage/query/sort_walk.h"

namespace storage {
namespace {

using fhir::search::SortKey;

// Sorting by several keys holds a rank by each for the whole result in memory.
constexpr std::uint64_t kMaxRanks = 40'000'000;
constexpr std::uint32_t kNoValue = std::numeric_limits<std::uint32_t>::max();

std::vector<std::uint64_t> InCommitOrder(const ChunkSet& result, bool descending,
                                         std::uint64_t count) {
  std::vector<std::uint64_t> documents;
  const auto& chunks = result.Chunks();
  for (std::size_t i = 0; i < chunks.size() && documents.size() < count; ++i) {
    const ChunkSet::Chunk& chunk = chunks[descending ? chunks.size() - 1 - i : i];
    const auto before = static_cast<std::ptrdiff_t>(documents.size());
    AppendDocuments(chunk.number, chunk.documents, &documents);
    if (descending) std::reverse(documents.begin() + before, documents.end());
  }
  if (documents.size() > count) documents.resize(count);
  return documents;
}

std::vector<std::uint64_t> ByOneKey(Evaluator* evaluator, const Snapshot& snapshot, TypeNumber type,
                                    const ChunkSet& result, const SortKey& key, std::uint64_t count,
                                    Work* work) {
  std::vector<std::uint64_t> documents;
  ChunkSet remaining = result;
  const std::uint64_t all = result.Cardinality();
  const auto take = [&](const std::vector<std::uint64_t>& group) {
    documents.insert(documents.end(), group.begin(), group.end());
    return documents.size() < count && documents.size() < all;
  };
  WalkSortKey(evaluator, snapshot, type, key, &remaining, take, work);
  for (const ChunkSet::Chunk& chunk : remaining.Chunks()) {
    if (documents.size() >= count) break;
    AppendDocuments(chunk.number, chunk.documents, &documents);
  }
  if (documents.size() > count) documents.resize(count);
  return documents;
}

// Rank of each of `documents`, which ascend, by one key: equal values are equal ranks.
std::vector<std::uint32_t> RankBy(Evaluator* evaluator, const Snapshot& snapshot, TypeNumber type,
                                  const ChunkSet& result,
                                  const std::vector<std::uint64_t>& documents, const SortKey& key,
                                  Work* work) {
  std::vector<std::uint32_t> ranks(documents.size(), kNoValue);
  ChunkSet remaining = result;
  std::uint32_t rank = 0;
  std::size_t ranked = 0;
  const auto take = [&](const std::vector<std::uint64_t>& group) {
    for (const std::uint64_t document : group) {
      const auto found = std::lower_bound(documents.begin(), documents.end(), document);
      ranks[static_cast<std::size_t>(found - documents.begin())] = rank;
    }
    ++rank;
    ranked += group.size();
    return ranked < documents.size();
  };
  WalkSortKey(evaluator, snapshot, type, key, &remaining, take, work);
  return ranks;
}

std::vector<std::uint64_t> BySeveralKeys(Evaluator* evaluator, const Snapshot& snapshot,
                                         TypeNumber type, const ChunkSet& result,
                                         std::span<const SortKey> keys, std::uint64_t count,
                                         Work* work) {
  if (result.Cardinality() > kMaxRanks / keys.size()) {
    work->Fail(fhir::TooCostly("Too many matches to sort by several keys: narrow the search."));
    return {};
  }
  const std::vector<std::uint64_t> documents = result.Documents();
  std::vector<std::vector<std::uint32_t>> ranks;
  for (const SortKey& key : keys) {
    ranks.push_back(RankBy(evaluator, snapshot, type, result, documents, key, work));
    if (work->HasFailed()) return {};
  }
  std::vector<std::size_t> order(documents.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto is_before = [&](std::size_t a, std::size_t b) {
    for (const auto& rank : ranks) {
      if (rank[a] != rank[b]) return rank[a] < rank[b];
    }
    return a < b;
  };
  const auto end =
      order.begin() + static_cast<std::ptrdiff_t>(std::min<std::uint64_t>(count, order.size()));
  std::partial_sort(order.begin(), end, order.end(), is_before);
  std::vector<std::uint64_t> sorted;
  std::transform(order.begin(), end, std::back_inserter(sorted),
                 [&](std::size_t i) { return documents[i]; });
  return sorted;
}

}  // namespace

std::vector<std::uint64_t> SortDocuments(Evaluator* evaluator, const Snapshot& snapshot,
                                         TypeNumber type, const ChunkSet& result,
                                         std::span<const SortKey> keys, std::uint64_t count,
                                         Work* work) {
  if (keys.size() > 1) {
    return BySeveralKeys(evaluator, snapshot, type, result, keys, count, work);
  }
  const SortKey& key = keys.front();
  if (key.kind == SortKey::Kind::kLastUpdated) {
    return InCommitOrder(result, key.descending, count);
  }
  return ByOneKey(evaluator, snapshot, type, result, key, count, work);
}

}  // namespace storage
