// storage/query/search.h
//
// Runs a search: a page of documents, a count, or the first few.
//
// Blocking: reads the disk.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "fhir/base/result.h"
#include "fhir/search/query.h"
#include "storage/snapshot.h"
#include "storage/store.h"

namespace storage {

// Errors: timeout (503) or TooCostly when `budget` is used up.
fhir::Result<Page> FindPage(const Snapshot& snapshot, TypeNumber type,
                            const fhir::search::Expression& where,
                            std::span<const fhir::search::SortKey> sort, const PageRequest& request,
                            const Budget& budget);
fhir::Result<std::uint64_t> CountMatches(const Snapshot& snapshot, TypeNumber type,
                                         const fhir::search::Expression& where,
                                         const Budget& budget);
// The first matches in commit order, at most `limit`, those for which `skip` is true not counted.
fhir::Result<std::vector<std::uint64_t>> FindFirst(const Snapshot& snapshot, TypeNumber type,
                                                   const fhir::search::Expression& where,
                                                   std::size_t limit,
                                                   const std::function<bool(std::uint64_t)>& skip,
                                                   const Budget& budget);

}  // namespace storage
