// server/interactions/bundle_candidates.h
//
// The resources that a transaction is about to write, searchable by criteria,
// since ifNoneExist and conditional references may find them too.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "fhir/search/expression.h"
#include "fhir/search/index_entries.h"

namespace server {

// The resources of one type. Owner: one transaction's preparation. Thread-safety: single-owner.
class BundleCandidates {
 public:
  // `id` and `entries` outlive this. `last_updated_us` is what _lastUpdated compares with.
  void Add(std::uint32_t position, std::string_view id, std::int64_t last_updated_us,
           const fhir::search::IndexEntries* entries);

  // Positions of those that match, in the order in which they were added.
  // Cost: criteria that ask for exact values look only at resources that have one of them; others
  // look at all.
  std::vector<std::uint32_t> Find(const fhir::search::Expression& where) const;

 private:
  struct Item {
    std::uint32_t position;
    fhir::search::Candidate candidate;
  };

  // Items that have one of the values; only one conjunct is looked at.
  std::vector<std::uint32_t> Narrow(std::span<const fhir::search::ValueRange> values) const;

  std::vector<Item> items_;
  // Hash of index and value -> items. Keys are hashes already; their order keeps a hostile client
  // from making buckets long.
  std::multimap<std::uint64_t, std::uint32_t> by_value_;
};

}  // namespace server
