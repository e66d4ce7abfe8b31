#include "storage/posting/posting_value.h"

#include <algorithm>

#include "fhir/base/bytes.h"

namespace storage {
namespace {

constexpr char kList = 0;
constexpr char kBitmap = 1;
// Looking for runs costs a pass; below this a bitmap is small in any form.
constexpr std::uint64_t kOptimizeFrom = 64;

void AppendList(std::string* out, std::span<const std::uint16_t> lows) {
  out->push_back(kList);
  for (const std::uint16_t low : lows) fhir::AppendU16(out, low);
}

void AppendBitmap(std::string* out, const Bitmap& bitmap) {
  const std::size_t start = out->size();
  out->resize(start + 1 + bitmap.getSizeInBytes(true));
  (*out)[start] = kBitmap;
  bitmap.write(out->data() + start + 1, true);
}

// The union of lists that together still is one. False if it is not.
bool UnionLists(std::span<const std::string_view> values, std::string* out) {
  std::uint16_t lows[kMaxListed];
  std::size_t count = 0;
  for (const std::string_view value : values) {
    std::uint16_t listed[kMaxListed];
    std::uint16_t merged[2 * kMaxListed];
    std::size_t listed_count = 0;
    if (!ListPosting(value, listed, &listed_count)) return false;
    const auto* end = std::set_union(lows, lows + count, listed, listed + listed_count, merged);
    count = static_cast<std::size_t>(end - merged);
    if (count > kMaxListed) return false;
    std::copy_n(merged, count, lows);
  }
  AppendList(out, {lows, count});
  return true;
}

}  // namespace

void AppendPosting(std::string* out, std::span<const std::uint16_t> lows) {
  if (lows.size() <= kMaxListed) {
    AppendList(out, lows);
    return;
  }
  Bitmap bitmap;
  for (const std::uint16_t low : lows) bitmap.add(low);
  AppendPosting(out, bitmap);
}

void AppendPosting(std::string* out, const Bitmap& lows) {
  const std::uint64_t count = lows.cardinality();
  if (count <= kMaxListed) {
    std::uint32_t wide[kMaxListed];
    std::uint16_t narrow[kMaxListed];
    lows.toUint32Array(wide);
    std::transform(wide, wide + count, narrow,
                   [](std::uint32_t low) { return static_cast<std::uint16_t>(low); });
    AppendList(out, {narrow, static_cast<std::size_t>(count)});
    return;
  }
  if (count >= kOptimizeFrom) {
    Bitmap optimized = lows;
    optimized.runOptimize();
    AppendBitmap(out, optimized);
    return;
  }
  AppendBitmap(out, lows);
}

bool ListPosting(std::string_view value, std::uint16_t (&lows)[kMaxListed], std::size_t* count) {
  if (value.empty() || value.front() != kList || value.size() > 1 + 2 * kMaxListed) return false;
  *count = (value.size() - 1) / 2;
  for (std::size_t i = 0; i < *count; ++i) lows[i] = fhir::ReadU16(value.data() + 1 + 2 * i);
  return true;
}

bool AddPosting(std::string_view value, Bitmap* bitmap) {
  std::uint16_t lows[kMaxListed];
  std::size_t count = 0;
  if (ListPosting(value, lows, &count)) {
    for (std::size_t i = 0; i < count; ++i) bitmap->add(lows[i]);
    return true;
  }
  if (value.empty() || value.front() != kBitmap) return false;
  roaring_bitmap_t* read =
      roaring_bitmap_portable_deserialize_safe(value.data() + 1, value.size() - 1);
  if (read == nullptr) return false;
  Bitmap added(read);
  if (bitmap->isEmpty()) {
    bitmap->swap(added);
  } else {
    *bitmap |= added;
  }
  return true;
}

bool UnionPostings(std::span<const std::string_view> values, std::string* out) {
  if (UnionLists(values, out)) return true;
  Bitmap all;
  for (const std::string_view value : values) {
    if (!AddPosting(value, &all)) return false;
  }
  AppendPosting(out, all);
  return true;
}

}  // namespace storage
