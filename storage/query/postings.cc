#include "storage/query/postings.h"

#include <algorithm>
#include <utility>

#include "fhir/base/bytes.h"
#include "storage/posting/posting_value.h"
#include "storage/posting/posting_view.h"

namespace storage {
namespace {

// With so few chunks, a Get each, which the filter answers for a value that nobody has, is cheaper
// than an iterator.
constexpr std::uint32_t kGetChunks = 3;

fhir::Error DamagedPosting() {
  return fhir::Internal("a posting is damaged");
}

// The lowest key above all postings of a value.
std::string EndOfValue(const IndexView& index, std::string prefix) {
  fhir::AppendU32(&prefix, index.chunk_count);
  return prefix;
}

class PostingIterator final : public ChunkIterator {
 public:
  PostingIterator(const IndexView& index, std::string_view value)
      : index_(index), prefix_(PostingPrefix(index.type, index.index)) {
    prefix_.append(value);
  }

  std::uint64_t Cost() override {
    if (!Seek(0)) return 0;
    // As if the chunks to come were like the first.
    return Count() * (index_.chunk_count - Chunk());
  }

 protected:
  bool DoSeek(std::uint32_t chunk) override {
    if (index_.chunk_count <= kGetChunks) return GetFrom(chunk);
    return WalkFrom(chunk);
  }
  const Bitmap* Decode() const override {
    bitmap_ = Bitmap();
    // One that is damaged has no documents.
    if (!AddPosting(posting_, &bitmap_)) index_.work->Fail(DamagedPosting());
    return &bitmap_;
  }

 private:
  std::string KeyOf(std::uint32_t chunk) const {
    std::string key = prefix_;
    fhir::AppendU32(&key, chunk);
    return key;
  }

  bool GetFrom(std::uint32_t chunk) {
    for (; chunk < index_.chunk_count && index_.work->Spend(); ++chunk) {
      value_ = rocks::PinnedValue();
      auto found = index_.snapshot->Database().Get(Family::kPosting, KeyOf(chunk), &value_,
                                                   index_.snapshot->At());
      if (!index_.work->Accept(found)) return false;
      if (*found) return Take(chunk, value_.View());
    }
    return false;
  }

  bool WalkFrom(std::uint32_t chunk) {
    if (!keys_) {
      keys_ = index_.snapshot->Database().NewIterator(
          Family::kPosting,
          {.at = index_.snapshot->At(), .upper_bound = EndOfValue(index_, prefix_)});
    }
    MoveTo(KeyOf(chunk));
    for (; keys_.Valid(); keys_.Next()) {
      if (!index_.work->Spend()) return false;
      // Longer values that begin with these bytes may lie in between.
      if (keys_.Key().size() != prefix_.size() + kChunkSuffixSize) continue;
      return Take(ChunkOfKey(keys_.Key()), keys_.Value());
    }
    auto check = keys_.Check();
    index_.work->Accept(check);
    return false;
  }

  // To the first key at or after `wanted`, which is above the one that the walk is at.
  void MoveTo(const std::string& wanted) {
    if (is_walking_ && keys_.Valid()) keys_.Next();  // Often it is the next.
    if (!is_walking_ || !keys_.Valid() || keys_.Key() < wanted) keys_.Seek(wanted);
    is_walking_ = true;
  }

  bool Take(std::uint32_t chunk, std::string_view posting) {
    const auto view = ViewPosting(posting);
    if (!view || view->count == 0) {
      index_.work->Fail(DamagedPosting());
      return false;
    }
    posting_ = posting;
    chunk_ = chunk;
    count_ = view->count;
    documents_ = nullptr;
    return true;
  }

  IndexView index_;
  std::string prefix_;  // Key without the chunk.
  rocks::Iterator keys_;
  bool is_walking_ = false;  // keys_ has been placed.
  rocks::PinnedValue value_;
  std::string_view posting_;  // In keys_ or value_.
  mutable Bitmap bitmap_;     // What posting_ holds, once it was asked for.
};

// Values that are a beginning of `to` are below it, but their keys are not if the chunk's bytes
// reach what follows in `to`. Only short values at the edge of a range: read one by one.
std::vector<std::string> ValuesPastTheBound(const fhir::search::ValueRange& range,
                                            std::uint32_t chunk_count) {
  std::vector<std::string> values;
  for (std::size_t size = 0; size < range.to.size(); ++size) {
    const std::string_view value = std::string_view(range.to).substr(0, size);
    std::string next = range.to.substr(size, kChunkSuffixSize);
    next.resize(kChunkSuffixSize, '\0');
    const bool reached = fhir::ReadU32(next.data()) < chunk_count;
    if (reached && fhir::search::Accepts(range, value)) values.emplace_back(value);
  }
  return values;
}

}  // namespace

ChunkIteratorPtr MakePosting(const IndexView& index, std::string_view value) {
  return std::make_unique<PostingIterator>(index, value);
}

bool AddChecked(std::uint32_t chunk, std::string_view posting, ChunkSetBuilder* documents,
                Work* work) {
  if (documents->AddPosting(chunk, posting)) return true;
  work->Fail(DamagedPosting());
  return false;
}

void AddExactPostings(const IndexView& index, std::span<const std::string> values,
                      ChunkSetBuilder* documents) {
  rocks::Iterator keys = index.snapshot->Database().NewIterator(
      Family::kPosting, {.at = index.snapshot->At(), .upper_bound = {}});
  const std::string index_prefix = PostingPrefix(index.type, index.index);
  for (const std::string& value : values) {
    const std::string prefix = index_prefix + value;
    const std::string end = EndOfValue(index, prefix);
    const bool is_before = keys.Valid() && keys.Key() < prefix;
    if (is_before) keys.Next();  // Often the next value's.
    if (!keys.Valid() || keys.Key() < prefix || !is_before) keys.Seek(prefix);
    for (; keys.Valid() && keys.Key() < end; keys.Next()) {
      if (!index.work->Spend()) return;
      if (keys.Key().size() != prefix.size() + kChunkSuffixSize) continue;
      if (!AddChecked(ChunkOfKey(keys.Key()), keys.Value(), documents, index.work)) return;
    }
    if (!index.work->Spend()) return;
  }
  auto check = keys.Check();
  index.work->Accept(check);
}

void AddRanges(const IndexView& index, std::span<const fhir::search::ValueRange* const> ranges,
               ChunkSetBuilder* documents) {
  const std::string prefix = PostingPrefix(index.type, index.index);
  const std::string index_end = fhir::search::PrefixEnd(prefix);
  // One range is read no further than it goes; of many, the next is often near.
  const bool is_one = ranges.size() == 1 && !ranges.front()->to.empty();
  rocks::Iterator keys = index.snapshot->Database().NewIterator(
      Family::kPosting, {.at = index.snapshot->At(),
                         .upper_bound = is_one ? prefix + ranges.front()->to : index_end});
  for (const fhir::search::ValueRange* range : ranges) {
    const std::string end = range->to.empty() ? index_end : prefix + range->to;
    for (keys.Seek(prefix + range->from); keys.Valid() && keys.Key() < end; keys.Next()) {
      if (!index.work->Spend()) return;
      const std::string_view key = keys.Key();
      if (key.size() < kPostingPrefixSize + kChunkSuffixSize) continue;
      if (!fhir::search::Accepts(*range, ValueOfPostingKey(key))) continue;
      if (!AddChecked(ChunkOfKey(key), keys.Value(), documents, index.work)) return;
    }
    auto check = keys.Check();
    if (!index.work->Accept(check) || !index.work->Spend()) return;
    const std::vector<std::string> rest = ValuesPastTheBound(*range, index.chunk_count);
    if (!rest.empty()) AddExactPostings(index, rest, documents);
  }
}

void WalkPrefix(const IndexView& index, std::string_view prefix, const VisitPosting& visit) {
  const std::string start = PostingPrefix(index.type, index.index) + std::string(prefix);
  rocks::Iterator keys = index.snapshot->Database().NewIterator(
      Family::kPosting,
      {.at = index.snapshot->At(), .upper_bound = fhir::search::PrefixEnd(start)});
  for (keys.Seek(start); keys.Valid(); keys.Next()) {
    if (!index.work->Spend()) return;
    const std::string_view key = keys.Key();
    if (key.size() < start.size() + kChunkSuffixSize) continue;
    if (!visit(ValueOfPostingKey(key), ChunkOfKey(key), keys.Value())) return;
  }
  auto check = keys.Check();
  index.work->Accept(check);
}

}  // namespace storage
