// fhir/search/index_entries.h
//
// What a resource answers to searches: a list of (index, value) pairs, made once when it comes in.
// The bytes of a value are an encoding whose order is the order meant (fhir/search/types/*.cc say
// how; docs/storage-format.md lists them).
//
// An index is a path into resources of one type with the kind of value found there
// ("Observation.code" as tokens). Search parameters are unions of indexes, so that parameters that
// share a path (code and combo-code, subject and patient) share postings.
//
// Owner: the transaction being prepared. Thread-safety: thread-compatible.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace fhir::search {

// Position in Registry::Indexes(). Not stable across versions: storage keeps its own numbers by
// IndexSpec::key.
using IndexId = std::uint32_t;

// Every literal reference of any resource, whatever element holds it: "Type/id" + NUL. Serves
// referential integrity and $everything, no search parameter.
inline constexpr IndexId kReferencesIndex = 0;

class IndexEntries {
 public:
  struct Entry {
    IndexId index;
    std::uint32_t offset;
    std::uint32_t size;
  };

  void Add(IndexId index, std::string_view value) {
    entries_.push_back({index, static_cast<std::uint32_t>(bytes_.size()),
                        static_cast<std::uint32_t>(value.size())});
    bytes_.append(value);
  }
  void Clear() {
    bytes_.clear();
    entries_.clear();
  }
  // Sorts by (index, value bytes) and drops duplicates. Call once, after the last Add.
  void Finish();

  const std::vector<Entry>& List() const { return entries_; }
  // Of all values added.
  std::size_t Bytes() const { return bytes_.size(); }
  std::string_view ValueOf(const Entry& entry) const {
    return std::string_view(bytes_).substr(entry.offset, entry.size);
  }

 private:
  std::string bytes_;
  std::vector<Entry> entries_;
};

}  // namespace fhir::search
