// tests/random/terminology_maker.h
//
// Code systems and value sets over the codes that a store's resources have, made at random, and
// what each of them means.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "tests/fuzz/random.h"
#include "tests/reference/naive_store.h"

namespace random_search {

class TerminologyMaker {
 public:
  // Codes that stand in `code` parameters.
  TerminologyMaker(reference::NaiveStore* store, fuzz::Random* random);

  // JSON of the CodeSystem and ValueSet resources.
  const std::vector<std::string>& Resources() const { return resources_; }

  using Meaning = std::shared_ptr<const reference::Concepts>;
  // By URL, those that hold the system; none for a system without codes.
  const std::map<std::string, Meaning>& ValueSetsOf(const std::string& system) const;
  // Null: not a code of the system.
  Meaning Below(const std::string& system, const std::string& code) const;
  Meaning Above(const std::string& system, const std::string& code) const;

 private:
  // The hierarchy of a system is a heap: the parent of code i is code (i - 1) / kWidth.
  struct System {
    std::vector<std::string> codes;
    std::map<std::string, Meaning> value_sets;
  };
  static constexpr std::size_t kWidth = 3;

  void AddCodeSystem(const std::string& url, const System& system);
  void AddValueSets(const std::string& url, System* system, fuzz::Random* random);
  std::string ConceptJson(const System& system, std::size_t at) const;
  static void AddBelow(const std::string& url, const System& system, std::size_t at,
                       reference::Concepts* concepts);
  const System* Find(const std::string& url, const std::string& code, std::size_t* at) const;

  std::map<std::string, System> systems_;
  std::vector<std::string> resources_;
};

}  // namespace random_search
