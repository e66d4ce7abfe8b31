#include "storage/posting/chunk_set.h"

#include <algorithm>
#include <utility>

#include "storage/posting/posting_value.h"

namespace storage {

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
  return storage::AddPosting(value, At(chunk));
}

Bitmap* ChunkSetBuilder::At(std::uint32_t chunk) {
  if (last_ == nullptr || last_chunk_ != chunk) {
    last_ = &chunks_[chunk];
    last_chunk_ = chunk;
  }
  return last_;
}

ChunkSet ChunkSetBuilder::Finish() {
  ChunkSet set;
  for (auto& [number, documents] : chunks_) {
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
