// storage/query/sort.h
//
// Brings a result into the order that _sort asks for. A key's postings are
// walked in order, and what is in the result is kept: the first value met
// decides for a resource that has several. Resources without a value come last
// in either direction; ties go by document number.
//
// Blocking: reads the disk.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "fhir/search/query.h"
#include "storage/posting/chunk_set.h"
#include "storage/query/evaluator.h"
#include "storage/query/work.h"

namespace storage {

// The first `count` documents of `result` in order of `keys` (at least one). Errors are in `work`.
std::vector<std::uint64_t> SortDocuments(Evaluator* evaluator, const Snapshot& snapshot,
                                         TypeNumber type, const ChunkSet& result,
                                         std::span<const fhir::search::SortKey> keys,
                                         std::uint64_t count, Work* work);

}  // namespace storage
