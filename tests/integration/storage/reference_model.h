// tests/integration/storage/reference_model.h
//
// What a store must answer, worked out the slow way: every resource is looked at. Documents are
// numbered in commit order, so `sequence` is the order of an unsorted result.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "fhir/search/expression.h"
#include "fhir/search/query.h"
#include "storage/transaction.h"

namespace storage {

class ReferenceModel {
 public:
  struct Resource {
    fhir::search::IndexEntries entries;
    std::uint64_t sequence = 0;
    std::int64_t instant_ms = 0;
  };

  void Apply(const std::vector<Write>& writes, std::int64_t instant_ms);

  // Ids of the matches, in commit order.
  std::vector<std::string> Find(const std::string& type,
                                const fhir::search::Expression& where) const;
  // The same, sorted.
  std::vector<std::string> FindSorted(const std::string& type,
                                      const fhir::search::Expression& where,
                                      const std::vector<fhir::search::SortKey>& sort) const;
  const std::map<std::string, Resource>& Of(const std::string& type) const;

 private:
  bool Matches(const std::string& type, const std::string& id, const Resource& resource,
               const fhir::search::Expression& where) const;

  std::map<std::string, std::map<std::string, Resource>> types_;
  std::uint64_t next_ = 0;
};

}  // namespace storage
