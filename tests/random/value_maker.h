// tests/random/value_maker.h
//
// Search values, prefixes and modifiers that one element of a resource answers to, or nearly.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tests/fuzz/random.h"
#include "tests/random/terminology_maker.h"
#include "tests/reference/naive_store.h"

namespace random_search {

// Letters, digits and spaces, not all of them spaces: needs no escapes.
bool IsPlain(std::string_view text);
// True if the reference parameter may lead to `target`.
bool Refers(const fhir::definitions::SearchParameterDefinition& parameter,
            const std::string& target);
reference::Condition Single(std::string code, std::string modifier, std::string value);

class ValueMaker {
 public:
  // Both outlive it.
  ValueMaker(const TerminologyMaker* terminology, fuzz::Random* random)
      : terminology_(terminology), random_(random) {}

  // `found` is what `parameter` yields of a resource of `type`. Nothing: it has no values.
  std::optional<reference::Condition> Make(
      const std::string& type, const fhir::definitions::SearchParameterDefinition& parameter,
      const reference::Found& found);

 private:
  std::optional<reference::Condition> VaryToken(
      const fhir::definitions::SearchParameterDefinition& parameter, const reference::Found& found);
  std::optional<reference::Condition> VaryConcepts(const reference::Found& found);
  void VaryString(reference::Condition* condition);
  reference::Condition Vary(const fhir::definitions::SearchParameterDefinition& parameter,
                            const reference::Found& found, std::vector<std::string> examples);

  const TerminologyMaker* terminology_;
  fuzz::Random* random_;
};

}  // namespace random_search
