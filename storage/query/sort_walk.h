// storage/query/sort_walk.h
//
// One sort key: the documents of a result in groups of equal value, in order.
//
// Blocking: reads the disk.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "fhir/search/query.h"
#include "storage/posting/chunk_set.h"
#include "storage/query/evaluator.h"
#include "storage/query/work.h"

namespace storage {

// Gets the documents of one value, ascending; returns false when it has enough.
using TakeGroup = std::function<bool(const std::vector<std::uint64_t>&)>;

// Walks the groups of one key. What was in a group is taken out of `remaining`; what is left there
// at the end has no value. Errors are in `work`.
void WalkSortKey(Evaluator* evaluator, const Snapshot& snapshot, TypeNumber type,
                 const fhir::search::SortKey& key, ChunkSet* remaining, const TakeGroup& take,
                 Work* work);

}  // namespace storage
