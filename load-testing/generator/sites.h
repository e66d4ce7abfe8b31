// load-testing/generator/sites.h
//
// Where patients are treated and by whom: each site is an organization, its
// location and a practitioner with a role. They are the same whatever the seed,
// so that populations can be loaded one after another: they are created only
// if their identifiers are not there yet, and referred to by these.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "load-testing/generator/bundle_writer.h"
#include "load-testing/generator/vocabulary.h"

namespace load_testing {

// References as JSON, by identifier.
struct SiteReferences {
  std::string organization;
  std::string location;
  std::string practitioner;
  std::string bare_practitioner;  // Without display.
  std::string name;               // Of the organization, quoted.
};

// Owner: Population. Thread-safety: immutable.
class Sites {
 public:
  // `count`: at least 1. Beyond those of the table, names come again with a number.
  explicit Sites(std::size_t count);

  std::size_t Count() const { return references_.size(); }
  const SiteReferences& At(std::size_t site) const { return references_[site]; }

  // The batches that create all of them.
  std::vector<Bundle> Bundles(const Vocabulary& vocabulary) const;

 private:
  std::vector<SiteReferences> references_;
};

}  // namespace load_testing
