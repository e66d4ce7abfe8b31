#include "storage/posting/posting_view.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <string>

#include "fhir/base/bytes.h"
#include "storage/posting/posting_value.h"

namespace storage {
namespace {

static_assert(std::endian::native == std::endian::little, "Roaring's format is read in place");

using Form = PostingView::Form;

constexpr char kList = 0;
constexpr char kBitmap = 1;
constexpr std::uint32_t kCookie = 12'346;      // | containers: u32 | key, size - 1 | offset: u32
constexpr std::uint32_t kRunsCookie = 12'347;  // | which have runs: a byte | key, size - 1
constexpr std::size_t kPlainHeader = 16;
constexpr std::size_t kRunsHeader = 9;
constexpr std::uint32_t kMaxArray = 4'096;  // More documents are bits.
constexpr std::size_t kBitsBytes = kChunkWords * sizeof(std::uint64_t);

// REQUIRES: `bytes` are long enough.
template <class Number>
Number ReadAt(std::string_view bytes, std::size_t offset) {
  Number number;
  std::memcpy(&number, bytes.data() + offset, sizeof number);
  return number;
}
std::uint32_t Read16(std::string_view bytes, std::size_t offset) {
  return ReadAt<std::uint16_t>(bytes, offset);
}
std::uint32_t Read32(std::string_view bytes, std::size_t offset) {
  return ReadAt<std::uint32_t>(bytes, offset);
}

// `data` without what may stand behind it, if it is long enough.
std::optional<PostingView> Cut(Form form, std::uint32_t count, std::string_view data,
                               std::size_t size) {
  if (data.size() < size) return std::nullopt;
  return PostingView{form, count, data.substr(0, size)};
}

std::optional<PostingView> ViewPlain(std::uint32_t count, std::string_view data) {
  if (count > kMaxArray) return Cut(Form::kBits, count, data, kBitsBytes);
  return Cut(Form::kArray, count, data, count * sizeof(std::uint16_t));
}

std::optional<PostingView> ViewBitmap(std::string_view bytes) {
  if (bytes.size() < kRunsHeader) return std::nullopt;
  const std::uint32_t cookie = Read32(bytes, 0);
  if (cookie == kCookie) {
    const bool is_one = bytes.size() >= kPlainHeader && Read32(bytes, 4) == 1;
    if (!is_one || Read16(bytes, 8) != 0) return std::nullopt;
    return ViewPlain(Read16(bytes, 10) + 1U, bytes.substr(kPlainHeader));
  }
  // The upper half of the cookie is the number of containers less one.
  if (cookie != kRunsCookie || Read16(bytes, 5) != 0) return std::nullopt;
  const std::uint32_t count = Read16(bytes, 7) + 1U;
  std::string_view data = bytes.substr(kRunsHeader);
  const bool has_runs = (bytes[4] & 1) != 0;
  if (!has_runs) return ViewPlain(count, data);
  if (data.size() < sizeof(std::uint16_t)) return std::nullopt;
  const std::size_t runs = Read16(data, 0);
  data.remove_prefix(sizeof(std::uint16_t));
  return Cut(Form::kRuns, count, data, runs * 2 * sizeof(std::uint16_t));
}

void AddBit(std::uint32_t low, ChunkBits* bits) {
  (*bits)[low / 64] |= std::uint64_t{1} << (low % 64);
}

// Sets [first, last].
void AddRun(std::uint32_t first, std::uint32_t last, ChunkBits* bits) {
  const std::uint64_t from = ~std::uint64_t{0} << (first % 64);
  const std::uint64_t to = ~std::uint64_t{0} >> (63 - last % 64);
  if (first / 64 == last / 64) {
    (*bits)[first / 64] |= from & to;
    return;
  }
  (*bits)[first / 64] |= from;
  for (std::uint32_t word = first / 64 + 1; word < last / 64; ++word) (*bits)[word] = ~0ULL;
  (*bits)[last / 64] |= to;
}

}  // namespace

std::optional<PostingView> ViewPosting(std::string_view value) {
  if (value.empty()) return std::nullopt;
  const std::string_view data = value.substr(1);
  if (value.front() == kBitmap) return ViewBitmap(data);
  if (value.front() != kList || data.size() > 2 * kMaxListed) return std::nullopt;
  return PostingView{Form::kList, static_cast<std::uint32_t>(data.size() / 2), data};
}

void AddBits(const PostingView& posting, ChunkBits* bits) {
  const std::string_view data = posting.data;
  switch (posting.form) {
    case Form::kList:
      for (std::size_t i = 0; i + 1 < data.size(); i += 2) {
        AddBit(fhir::ReadU16(data.data() + i), bits);
      }
      return;
    case Form::kArray:
      for (std::size_t i = 0; i < data.size(); i += 2) AddBit(Read16(data, i), bits);
      return;
    case Form::kBits:
      for (std::size_t i = 0; i < kChunkWords; ++i) {
        (*bits)[i] |= ReadAt<std::uint64_t>(data, i * sizeof(std::uint64_t));
      }
      return;
    case Form::kRuns:
      for (std::size_t i = 0; i < data.size(); i += 4) {
        const std::uint32_t first = Read16(data, i);
        AddRun(first, std::min(first + Read16(data, i + 2), 0xFFFFU), bits);
      }
      return;
  }
}

void AddBits(const Bitmap& documents, ChunkBits* bits) {
  for (const std::uint32_t low : documents) AddBit(low & 0xFFFF, bits);
}

Bitmap BitmapOf(const ChunkBits& bits) {
  std::uint32_t count = 0;
  for (const std::uint64_t word : bits) count += static_cast<std::uint32_t>(std::popcount(word));
  if (count == 0) return {};
  std::string bytes;
  bytes.reserve(kPlainHeader + kBitsBytes);
  const auto append = [&](const auto& value) {
    bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
  };
  append(kCookie);
  append(std::uint32_t{1});
  append(std::uint16_t{0});
  append(static_cast<std::uint16_t>(count - 1));
  append(static_cast<std::uint32_t>(kPlainHeader));
  if (count > kMaxArray) {
    append(bits);
    return Bitmap::read(bytes.data(), /*portable=*/true);
  }
  for (std::uint32_t i = 0; i < kChunkWords; ++i) {
    for (std::uint64_t word = bits[i]; word != 0; word &= word - 1) {
      append(
          static_cast<std::uint16_t>(i * 64 + static_cast<std::uint32_t>(std::countr_zero(word))));
    }
  }
  return Bitmap::read(bytes.data(), /*portable=*/true);
}

}  // namespace storage
