// storage/maintenance/build_step.h
//
// One step of the background build of indexes, on its way to the commit thread.
//
// Owner: moved along with its transaction. Thread-safety: single-owner.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "fhir/search/index_entries.h"

namespace storage {

struct IndexProgress {
  fhir::search::IndexId index = 0;
  std::uint64_t from = 0;   // The step counts only if the index is built up to here,
  std::uint64_t built = 0;  // and brings it up to here.
  std::string problem{};    // Why the build cannot go on; empty if it can.
};

struct BuildStep {
  std::vector<std::pair<std::string, std::string>> postings;  // Keys, ascending, with operands.
  std::vector<IndexProgress> progress;
};

}  // namespace storage
