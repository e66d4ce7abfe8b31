// load-testing/generator/population.h
//
// A made-up population in the likeness of Synthea's: as many resources of each
// type for a patient, as large, with its codes and the spread of its values.
// The same seed makes the same bytes, whichever 64-bit machine and compiler.
#pragma once

#include <cstdint>
#include <vector>

#include "load-testing/generator/bundle_writer.h"
#include "load-testing/generator/sites.h"
#include "load-testing/generator/vocabulary.h"

namespace load_testing {

// Owner: main. Thread-safety: immutable.
class Population {
 public:
  // `sites`: how many organizations, at least 1.
  Population(std::uint64_t seed, std::size_t sites) : seed_(seed), sites_(sites) {}

  // What patients refer to: batches that must be stored before any of them.
  std::vector<Bundle> SiteBundles() const { return sites_.Bundles(vocabulary_); }

  // Writes the transaction of one patient, whichever others are made, over what `bundle` held.
  void WritePatient(std::uint64_t index, Bundle* bundle) const;

 private:
  std::uint64_t seed_;
  Vocabulary vocabulary_;
  Sites sites_;
};

}  // namespace load_testing
