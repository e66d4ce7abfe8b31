#include "storage/posting/chunk_set.h"

#include <algorithm>
#include <utility>

#include "storage/posting/posting_value.h"

namespace storage {
namespace {

// Adding to a bitmap of fewer moves little; bits are 8 KiB to clear and to count.
constexpr std::size_t kManyFrom = 256;

}  // namespace

std::uint64_t ChunkSet::Cardinality() const {
  std::uint64_t sum = 0;
  for (const Chunk& chunk : chunks_) sum += chunk.documents.cardinality();
  return sum;
}

const Bitmap* ChunkSet::Find(std::uint32_t number) const {
  const auto found = std::lower_bound(
      chunks_.begin(), chunks_.end(), number,
      [](const Chunk& chunk, std::uint32_t wanted) { return chunk.number < wanted; });
  return found != chunks_.end() && found->number == number ? &found->documents : nullptr;
}

Bitmap* ChunkSet::Find(std::uint32_t number) {
  return const_cast<Bitmap*>(std::as_const(*this).Find(number));
}

bool ChunkSet::Contains(std::uint64_t document) const {
  const Bitmap* chunk = Find(ChunkOf(document));
  return chunk != nullptr && chunk->contains(LowOf(document));
}

std::vector<std::uint64_t> ChunkSet::Documents() const {
  std::vector<std::uint64_t> documents;
  documents.reserve(Cardinality());
  for (const Chunk& chunk : chunks_) AppendDocuments(chunk.number, chunk.documents, &documents);
  return documents;
}

bool ChunkSetBuilder::AddPosting(std::uint32_t chunk, std::string_view value) {
  const auto posting = ViewPosting(value);
  if (!posting) return false;
  Growing* growing = At(chunk);
  Expect(posting->count, growing);
  if (growing->many == nullptr) return storage::AddPosting(value, &growing->few);
  AddBits(*posting, growing->many.get());
  return true;
}

void ChunkSetBuilder::Add(std::uint64_t document) {
  Growing* growing = At(ChunkOf(document));
  Expect(1, growing);
  const std::uint16_t low = LowOf(document);
  if (growing->many == nullptr) return growing->few.add(low);
  (*growing->many)[low / 64] |= std::uint64_t{1} << (low % 64);
}

ChunkSetBuilder::Growing* ChunkSetBuilder::At(std::uint32_t chunk) {
  if (last_ == nullptr || last_chunk_ != chunk) {
    last_ = &chunks_[chunk];
    last_chunk_ = chunk;
  }
  return last_;
}

void ChunkSetBuilder::Expect(std::size_t count, Growing* growing) {
  if (growing->many != nullptr) return;
  growing->added += count;
  if (growing->added <= kManyFrom) return;
  growing->many = std::make_unique<ChunkBits>();
  AddBits(growing->few, growing->many.get());
}

ChunkSet ChunkSetBuilder::Finish() {
  ChunkSet set;
  for (auto& [number, growing] : chunks_) {
    Bitmap documents = growing.many != nullptr ? BitmapOf(*growing.many) : std::move(growing.few);
    if (!documents.isEmpty()) set.Append(number, std::move(documents));
  }
  chunks_.clear();
  last_ = nullptr;
  return set;
}

void AppendDocuments(std::uint32_t chunk, const Bitmap& documents,
                     std::vector<std::uint64_t>* out) {
  std::vector<std::uint32_t> lows(documents.cardinality());
  documents.toUint32Array(lows.data());
  for (const std::uint32_t low : lows) out->push_back(DocumentOf(chunk, low));
}

}  // namespace storage
