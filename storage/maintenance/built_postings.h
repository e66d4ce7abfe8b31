// storage/maintenance/built_postings.h
//
// The postings of one step of an index build, brought together by key.
//
// Owner: the index builder. Thread-safety: single-owner.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "fhir/search/index_entries.h"
#include "storage/number_registry.h"

namespace storage {

class BuiltPostings {
 public:
  // `numbers` outlives this.
  BuiltPostings(TypeNumber type, const NumberRegistry& numbers) : type_(type), numbers_(numbers) {}

  // REQUIRES: `entries` are finished.
  void Add(const fhir::search::IndexEntries& entries, std::uint64_t document);
  // Of the keys so far.
  std::size_t Bytes() const { return bytes_; }
  // Keys, ascending, with what is merged into them.
  std::vector<std::pair<std::string, std::string>> Finish() &&;

 private:
  const TypeNumber type_;
  const NumberRegistry& numbers_;
  std::size_t bytes_ = 0;
  std::vector<std::pair<std::string, std::uint16_t>> posted_;  // Key and low half.
};

}  // namespace storage
