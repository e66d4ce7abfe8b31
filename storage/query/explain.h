// storage/query/explain.h
//
// How an expression is evaluated: its nodes with what was estimated and what
// counting each of them by itself found.
//
// Blocking: reads the disk. Cost: a search for each node.
#pragma once

#include "fhir/base/result.h"
#include "fhir/search/expression.h"
#include "storage/snapshot.h"
#include "storage/store.h"

namespace storage {

// More nodes than this are counted by nobody who reads the answer.
inline constexpr std::size_t kMaxPlanNodes = 500;

// Errors: as FindPage.
fhir::Result<SearchPlanNodes> ExplainSearch(const Snapshot& snapshot, TypeNumber type,
                                            const fhir::search::Expression& where,
                                            const Budget& budget);

}  // namespace storage
