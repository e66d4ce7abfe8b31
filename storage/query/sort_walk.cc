#include "storage/query/sort_walk.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "storage/posting/posting_value.h"

namespace storage {
namespace {

using fhir::search::SortKey;
using fhir::search::SortRange;

// The postings of one range, in one direction.
class RangeCursor {
 public:
  RangeCursor(const IndexView& view, const SortRange& range, bool descending)
      : descending_(descending), work_(view.work) {
    const std::string start = PostingPrefix(view.type, view.index) + range.prefix;
    order_offset_ = start.size();
    const std::string end = fhir::search::PrefixEnd(start);
    start_ = start;
    keys_ = view.snapshot->Database().NewIterator(Family::kPosting,
                                                  {.at = view.snapshot->At(), .upper_bound = end});
    if (descending_) {
      keys_.SeekToLast();
    } else {
      keys_.Seek(start);
    }
    Settle();
  }

  bool IsAtEnd() const { return is_at_end_; }
  // What the order goes by. Valid until Step.
  std::string_view Order() const {
    const std::string_view key = keys_.Key();
    return key.substr(order_offset_, key.size() - order_offset_ - kChunkSuffixSize);
  }
  std::uint32_t Chunk() const { return ChunkOfKey(keys_.Key()); }
  std::string_view Posting() const { return keys_.Value(); }
  void Step() {
    Move();
    Settle();
  }

 private:
  void Move() {
    if (descending_) {
      keys_.Prev();
    } else {
      keys_.Next();
    }
  }

  // Passes over keys that are too short to hold a chunk after the prefix.
  void Settle() {
    for (; keys_.Valid(); Move()) {
      const std::string_view key = keys_.Key();
      if (!key.starts_with(start_) || !work_->Spend()) break;
      if (key.size() >= order_offset_ + kChunkSuffixSize) return;
    }
    is_at_end_ = true;
    auto check = keys_.Check();
    work_->Accept(check);
  }

  bool descending_;
  Work* work_;
  std::string start_;
  std::size_t order_offset_ = 0;
  rocks::Iterator keys_;
  bool is_at_end_ = false;
};

// Moves the documents that are in the posting from `remaining` to `group`.
bool TakePosting(std::uint32_t chunk, std::string_view posting, ChunkSet* remaining,
                 std::vector<std::uint64_t>* group) {
  Bitmap* wanted = remaining->Find(chunk);
  if (wanted == nullptr) return true;
  std::uint16_t lows[kMaxListed];
  std::size_t count = 0;
  if (ListPosting(posting, lows, &count)) {
    for (std::size_t i = 0; i < count; ++i) {
      if (wanted->removeChecked(lows[i])) group->push_back(DocumentOf(chunk, lows[i]));
    }
    return true;
  }
  Bitmap found;
  if (!AddPosting(posting, &found)) return false;
  found &= *wanted;
  *wanted -= found;
  AppendDocuments(chunk, found, group);
  return true;
}

RangeCursor* FirstOf(std::vector<RangeCursor>& cursors, bool descending) {
  RangeCursor* first = nullptr;
  for (RangeCursor& cursor : cursors) {
    if (cursor.IsAtEnd()) continue;
    const bool is_before = first == nullptr || (descending ? cursor.Order() > first->Order()
                                                           : cursor.Order() < first->Order());
    if (is_before) first = &cursor;
  }
  return first;
}

void WalkIndexes(Evaluator* evaluator, TypeNumber type, const SortKey& key, ChunkSet* remaining,
                 const TakeGroup& take, Work* work) {
  std::vector<RangeCursor> cursors;
  for (const SortRange& range : key.ranges) {
    const IndexView view = evaluator->ViewOf(type, range.index);
    if (view.index == 0) return;
    cursors.emplace_back(view, range, key.descending);
  }
  std::vector<std::uint64_t> group;
  std::string order;
  while (RangeCursor* cursor = FirstOf(cursors, key.descending)) {
    if (cursor->Order() != order && !group.empty()) {
      std::sort(group.begin(), group.end());
      if (!take(group)) return;
      group.clear();
    }
    order = cursor->Order();
    if (!TakePosting(cursor->Chunk(), cursor->Posting(), remaining, &group)) {
      work->Fail(fhir::Internal("a posting is damaged"));
      return;
    }
    cursor->Step();
  }
  std::sort(group.begin(), group.end());
  if (!group.empty() && !work->HasFailed()) take(group);
}

// The document of the resource whose versions the walk is at that is in `remaining`: the current
// one at the snapshot, whichever version it is.
void WalkIds(const Snapshot& snapshot, TypeNumber type, bool descending, ChunkSet* remaining,
             const TakeGroup& take, Work* work) {
  rocks::Iterator versions = snapshot.Database().NewIterator(
      Family::kVersion,
      {.at = snapshot.At(), .upper_bound = TypePrefix(static_cast<TypeNumber>(type + 1))});
  const std::string prefix = TypePrefix(type);
  if (descending) {
    versions.SeekToLast();
  } else {
    versions.Seek(prefix);
  }
  while (versions.Valid() && versions.Key().starts_with(prefix)) {
    VersionRecord record;
    if (!work->Spend()) return;
    if (!ParseVersionValue(versions.Value(), 0, &record)) {
      work->Fail(fhir::Internal("a value in version is damaged"));
      return;
    }
    Bitmap* wanted = remaining->Find(ChunkOf(record.document));
    if (wanted != nullptr && wanted->removeChecked(LowOf(record.document)) &&
        !take({record.document})) {
      return;
    }
    if (descending) {
      versions.Prev();
    } else {
      versions.Next();
    }
  }
  auto check = versions.Check();
  work->Accept(check);
}

// Documents are in commit order; those committed at the same instant are equal.
void WalkLastUpdated(const Snapshot& snapshot, TypeNumber type, bool descending,
                     ChunkSet* remaining, const TakeGroup& take, Work* work) {
  std::vector<std::uint64_t> documents = remaining->Documents();
  *remaining = ChunkSet();
  std::vector<std::int64_t> instants;
  instants.reserve(documents.size());
  DocumentReader reader(snapshot, type);
  std::uint64_t last_t = 0;
  for (const std::uint64_t document : documents) {
    auto facts = reader.Read(document);
    if (!work->Spend() || !work->Accept(facts)) return;
    if (facts->record.t == last_t) {
      instants.push_back(instants.back());
      continue;
    }
    last_t = facts->record.t;
    auto instant = ReadInstant(snapshot.Database(), last_t, snapshot.At());
    if (!work->Accept(instant)) return;
    instants.push_back(*instant);
  }
  std::vector<std::pair<std::size_t, std::size_t>> groups;  // [begin, end) of equal instants.
  for (std::size_t i = 0; i < documents.size(); ++i) {
    if (i == 0 || instants[i] != instants[i - 1]) groups.emplace_back(i, i);
    groups.back().second = i + 1;
  }
  if (descending) std::reverse(groups.begin(), groups.end());
  for (const auto& [begin, end] : groups) {
    const auto at = documents.begin();
    if (!take({at + static_cast<std::ptrdiff_t>(begin), at + static_cast<std::ptrdiff_t>(end)})) {
      return;
    }
  }
}

}  // namespace

void WalkSortKey(Evaluator* evaluator, const Snapshot& snapshot, TypeNumber type,
                 const SortKey& key, ChunkSet* remaining, const TakeGroup& take, Work* work) {
  switch (key.kind) {
    case SortKey::Kind::kIndex: WalkIndexes(evaluator, type, key, remaining, take, work); return;
    case SortKey::Kind::kId: WalkIds(snapshot, type, key.descending, remaining, take, work); return;
    case SortKey::Kind::kLastUpdated:
      WalkLastUpdated(snapshot, type, key.descending, remaining, take, work);
      return;
  }
}

}  // namespace storage
