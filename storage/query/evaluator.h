// storage/query/evaluator.h
//
// Turns an expression into chunk iterators over one type at one snapshot.
// Errors end up in the Work, and then the iterators end early: whoever reads
// one to its end asks Work::Outcome.
//
// Owner: one search; does not outlive the snapshot or the expression. Thread-safety: single-owner.
// Blocking: reads the disk.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "fhir/search/expression.h"
#include "storage/query/chunk_iterator.h"
#include "storage/query/postings.h"
#include "storage/query/work.h"
#include "storage/reader.h"
#include "storage/snapshot.h"

namespace storage {

class Evaluator {
 public:
  Evaluator(const Snapshot* snapshot, Work* work)
      : snapshot_(snapshot), work_(work), finder_(snapshot) {}

  // The live documents of `type` that match. `expression` must outlive the iterator.
  ChunkIteratorPtr Plan(TypeNumber type, const fhir::search::Expression& expression);

  // An index of `type`, to read postings from. Fails the work, and has number 0, if it cannot be
  // searched: it is unknown or lacks older resources.
  IndexView ViewOf(TypeNumber type, fhir::search::IndexId index);

 private:
  using Expression = fhir::search::Expression;

  // Without the intersection with what is live.
  ChunkIteratorPtr PlanNode(TypeNumber type, const Expression& expression);
  ChunkIteratorPtr PlanChildren(TypeNumber type, const Expression& expression);
  ChunkIteratorPtr PlanValues(TypeNumber type, const Expression& expression);
  ChunkIteratorPtr PlanLastUpdated(TypeNumber type, const Expression& expression);
  TypeStatePtr StateOf(TypeNumber type);

  ChunkSet FindIds(TypeNumber type, std::span<const std::string> ids);
  ChunkSet ReadValues(TypeNumber type, const Expression& expression);

  // evaluate_references.cc
  ChunkSet FollowChain(TypeNumber type, const Expression& expression);
  ChunkSet FollowHas(TypeNumber type, const Expression& expression);
  std::vector<std::string> IdsOf(TypeNumber type, const ChunkSet& documents);
  void AddReferrers(TypeNumber type, const Expression& expression,
                    const std::vector<std::string>& target_ids, ChunkSetBuilder* documents);
  void ScanReferrers(TypeNumber type, const Expression& expression,
                     const std::vector<std::string>& target_ids, ChunkSetBuilder* documents);

  const Snapshot* snapshot_;
  Work* work_;
  VersionFinder finder_;
};

}  // namespace storage
