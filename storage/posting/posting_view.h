// storage/posting/posting_view.h
//
// A posting read where it lies: its size, and its documents as bits, without making a bitmap of it.
// Knows the portable format of Roaring bitmaps (RoaringFormatSpec) for one container, which is all
// that a chunk has.
//
// Thread-safety: free functions.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "storage/posting/bitmap.h"

namespace storage {

struct PostingView {
  enum class Form : std::uint8_t {
    kList,   // u16, big-endian
    kArray,  // u16
    kBits,   // 65,536 bits
    kRuns,   // first: u16, more behind it: u16
  };
  Form form;
  std::uint32_t count;    // Documents.
  std::string_view data;  // Little-endian but for kList.
};

// Nothing if `value` is damaged.
std::optional<PostingView> ViewPosting(std::string_view value);

// The documents of a chunk, a bit each: what many postings are brought together in.
inline constexpr std::size_t kChunkWords = 1'024;
using ChunkBits = std::array<std::uint64_t, kChunkWords>;

void AddBits(const PostingView& posting, ChunkBits* bits);
void AddBits(const Bitmap& documents, ChunkBits* bits);
Bitmap BitmapOf(const ChunkBits& bits);

}  // namespace storage
