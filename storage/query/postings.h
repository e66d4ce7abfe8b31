// storage/query/postings.h
//
// Reads the column family `posting`: the documents with one value, with any of
// many values, or with a value in a range.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fhir/search/expression.h"
#include "storage/key_layout.h"
#include "storage/posting/chunk_set.h"
#include "storage/query/chunk_iterator.h"
#include "storage/query/work.h"
#include "storage/snapshot.h"

namespace storage {

// An index of one type at one snapshot.
struct IndexView {
  const Snapshot* snapshot;
  TypeNumber type;
  IndexNumber index;
  std::uint32_t chunk_count;  // Chunks are below.
  Work* work;
};

// The documents that have exactly this value, in any version.
ChunkIteratorPtr MakePosting(const IndexView& index, std::string_view value);

// Adds the documents that have one of `values`. REQUIRES: `values` are sorted.
void AddExactPostings(const IndexView& index, std::span<const std::string> values,
                      ChunkSetBuilder* documents);
// Adds the documents that have a value in one of `ranges`, which are not exact. Those in order of
// their values are read the faster.
void AddRanges(const IndexView& index, std::span<const fhir::search::ValueRange* const> ranges,
               ChunkSetBuilder* documents);

// Calls visit(value, chunk, posting) for every key whose value begins with `prefix`, in order,
// until it returns false.
using VisitPosting =
    std::function<bool(std::string_view value, std::uint32_t chunk, std::string_view posting)>;
void WalkPrefix(const IndexView& index, std::string_view prefix, const VisitPosting& visit);

// Adds a posting, or fails the work if it is damaged.
bool AddChecked(std::uint32_t chunk, std::string_view posting, ChunkSetBuilder* documents,
                Work* work);

}  // namespace storage
