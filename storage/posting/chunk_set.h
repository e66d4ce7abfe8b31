// storage/posting/chunk_set.h
//
// A set of documents of one type in memory: bitmaps by chunk.
//
// Owner: the search that made it. Thread-safety: thread-compatible.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string_view>
#include <vector>

#include "storage/key_layout.h"
#include "storage/posting/bitmap.h"
#include "storage/posting/posting_view.h"

namespace storage {

class ChunkSet {
 public:
  struct Chunk {
    std::uint32_t number;
    Bitmap documents;
  };

  // REQUIRES: `number` is above that of the last chunk.
  void Append(std::uint32_t number, Bitmap documents) {
    chunks_.push_back({number, std::move(documents)});
  }

  const std::vector<Chunk>& Chunks() const { return chunks_; }
  std::uint64_t Cardinality() const;
  bool Contains(std::uint64_t document) const;
  // Null if the set has nothing there.
  Bitmap* Find(std::uint32_t number);
  const Bitmap* Find(std::uint32_t number) const;
  // All documents, ascending.
  std::vector<std::uint64_t> Documents() const;

 private:
  std::vector<Chunk> chunks_;  // By number.
};

// Collects documents in any order.
class ChunkSetBuilder {
 public:
  // False if `value` is damaged.
  bool AddPosting(std::uint32_t chunk, std::string_view value);
  void Add(std::uint64_t document);
  ChunkSet Finish();

 private:
  // A chunk that few documents were added to, or one to which adding has to be cheap.
  struct Growing {
    Bitmap few;
    std::size_t added = 0;
    std::unique_ptr<ChunkBits> many;  // Null: they are in `few`.
  };

  Growing* At(std::uint32_t chunk);
  // Counts documents to be added, and goes over to bits when there are many.
  static void Expect(std::size_t count, Growing* growing);

  std::map<std::uint32_t, Growing> chunks_;
  std::uint32_t last_chunk_ = 0;
  Growing* last_ = nullptr;  // In chunks_: neighbours often share a chunk.
};

// Appends `chunk`'s documents to `out`, ascending.
void AppendDocuments(std::uint32_t chunk, const Bitmap& documents, std::vector<std::uint64_t>* out);

}  // namespace storage
