// tests/random/query_maker.h
//
// Random searches over what a store holds. Most values are drawn from resources, so that most
// searches find something.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tests/fuzz/random.h"
#include "tests/random/terminology_maker.h"
#include "tests/random/value_maker.h"
#include "tests/reference/naive_store.h"

namespace random_search {

struct Query {
  std::string kind;         // For the tally: "chain", "compartment" …
  std::string compartment;  // "Patient"; empty: none.
  std::string compartment_id;
  std::vector<std::string> types;
  bool names_types = false;  // By _type; else there is one type, which the path names.
  bool all_of_compartment = false;
  std::vector<reference::Condition> conditions;
  std::vector<reference::Include> includes;
  std::string sort;  // A parameter, or empty.
  bool descending = false;
};

// "Observation?code=x", without a question mark if there are no parameters.
std::string UrlOf(const Query& query);

class QueryMaker {
 public:
  // All outlive it.
  QueryMaker(reference::NaiveStore* store, const TerminologyMaker* terminology,
             fuzz::Random* random);

  Query Next();

 private:
  using Parameter = const fhir::definitions::SearchParameterDefinition*;

  // Conditions on resources of `type` that resource `at` mostly fulfils. Nothing: none came to mind.
  std::optional<reference::Condition> MakeCondition(const std::string& type, std::size_t at,
                                                    int depth);
  std::optional<reference::Condition> MakeValues(const std::string& type, std::size_t at);
  std::optional<reference::Condition> MakeText(const std::string& type, std::size_t at);
  std::optional<reference::Condition> MakeChain(const std::string& type, std::size_t at, int depth);
  std::optional<reference::Condition> MakeHas(const std::string& type, int depth);
  bool MayLeaveOutType(Parameter reference, const std::string& target,
                       const reference::Condition& next) const;

  void MakeSystem(Query* query);
  void MakeCompartment(Query* query);
  void AddIncludes(Query* query);
  void AddSort(Query* query);
  // A reference parameter of `type` with a literal reference in resource `at`, and its target.
  struct Reference {
    Parameter parameter;
    std::string type;
    std::string id;
  };
  std::optional<Reference> FindReference(const std::string& type, std::size_t at);
  const std::vector<Parameter>& ParametersOf(const std::string& type);
  std::size_t AnyOf(const std::string& type);

  reference::NaiveStore* store_;
  fuzz::Random* random_;
  ValueMaker values_;
  std::vector<std::string> types_;
  std::map<std::string, std::vector<Parameter>> parameters_;
};

}  // namespace random_search
