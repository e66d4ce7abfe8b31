// storage/query/estimate.h
//
// What a search will cost, before it runs: from the numbers of live documents,
// the sizes of ranges of the family `posting`, and for chains the first chunk of
// a value. It leans low: a search that reads more than was guessed is found out by
// its budget, one that reads less would have waited for nothing.
//
// Blocking: may read the disk, a few blocks.
#pragma once

#include <span>

#include "fhir/base/result.h"
#include "fhir/search/query.h"
#include "storage/query/evaluator.h"
#include "storage/query/work.h"
#include "storage/snapshot.h"
#include "storage/store.h"

namespace storage {

// Owner: one search. Thread-safety: single-owner. Errors are in the Work.
class Estimator {
 public:
  Estimator(const Snapshot* snapshot, Work* work)
      : snapshot_(snapshot), work_(work), evaluator_(snapshot, work) {}

  enum class Detail {
    kKeys,       // `documents` is the number of all that are live where it takes a read to know.
    kDocuments,  // As near as the first postings of each range tell.
  };
  SearchEstimate Of(TypeNumber type, const fhir::search::Expression& expression, Detail detail);
  // Of bringing so many matches into order, of which `wanted` are read.
  std::uint64_t KeysOfSort(TypeNumber type, std::span<const fhir::search::SortKey> sort,
                           std::uint64_t matches, std::uint64_t wanted);

 private:
  using Expression = fhir::search::Expression;

  SearchEstimate OfValues(TypeNumber type, const Expression& expression, Detail detail);
  SearchEstimate OfChildren(TypeNumber type, const Expression& expression, Detail detail);
  SearchEstimate OfChain(TypeNumber type, const Expression& expression);
  SearchEstimate OfHas(TypeNumber type, const Expression& expression);
  std::uint64_t LiveCount(TypeNumber type);
  // Of the index's values in [from, to); an empty `to` has no upper bound.
  SearchEstimate OfRange(TypeNumber type, fhir::search::IndexId index, std::string_view from,
                         std::string_view to, Detail detail);
  std::uint64_t KeysOfReferences(TypeNumber type, const Expression& expression,
                                 std::string_view target_type);

  const Snapshot* snapshot_;
  Work* work_;
  Evaluator evaluator_;
};

// Errors: those of the search that can be told beforehand.
fhir::Result<SearchEstimate> EstimateSearch(const Snapshot& snapshot, TypeNumber type,
                                            const fhir::search::Expression& where,
                                            std::span<const fhir::search::SortKey> sort,
                                            const PageRequest& request, const Budget& budget);

}  // namespace storage
