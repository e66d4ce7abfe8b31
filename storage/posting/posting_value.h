// storage/posting/posting_value.h
//
// The value of a posting: which documents of one chunk. Two forms, told apart
// by the first byte:
//
//   0 | low: u16, ascending, up to kMaxListed of them     a rare value
//   1 | a Roaring bitmap in its portable format           a common one
//
// Thread-safety: free functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "storage/posting/bitmap.h"

namespace storage {

inline constexpr std::size_t kMaxListed = 8;

// REQUIRES: `lows` ascends without repetition.
void AppendPosting(std::string* out, std::span<const std::uint16_t> lows);
void AppendPosting(std::string* out, const Bitmap& lows);

// Adds the documents of a posting to `bitmap`. False if `value` is damaged.
bool AddPosting(std::string_view value, Bitmap* bitmap);

// True if the posting is a list; then the documents are in `lows`.
bool ListPosting(std::string_view value, std::uint16_t (&lows)[kMaxListed], std::size_t* count);

// Appends the union. False if one of `values` is damaged.
bool UnionPostings(std::span<const std::string_view> values, std::string* out);

}  // namespace storage
