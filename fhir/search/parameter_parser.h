// fhir/search/parameter_parser.h
//
// One search parameter of a URL ("subject:Patient.name:exact" = "a,b") as an
// Expression: modifiers, :missing, alternatives, chains and _has.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "fhir/base/result.h"
#include "fhir/search/expression.h"
#include "fhir/search/query.h"
#include "fhir/search/registry.h"
#include "fhir/search/types/search_type.h"

namespace fhir::search {

// Parses the parameters of one search; what they may cost together is bounded here.
// Owner: ParseQuery, on the stack. Thread-safety: single-owner.
class ParameterParser {
 public:
  // Both outlive the parser.
  ParameterParser(const Registry& registry, const QueryOptions& options)
      : registry_(registry), options_(options) {}

  // What `name`=`text` asks of resources of type `type`. REQUIRES: `text` is not empty.
  // Errors: Invalid or NotSupported, naming the parameter; TooCostly, if the search has too many
  // values, or chains that can go too many ways.
  Result<Expression> Parse(std::string_view type, std::string_view name, std::string_view text);

  // The last error was that there is no such parameter (anywhere in a chain).
  bool FailedAsUnknown() const { return unknown_; }

 private:
  struct Name {
    std::string_view code;
    std::string_view modifier;
  };

  Result<Expression> ParseStep(std::string_view type, std::string_view name, int depth);
  Result<Expression> ParseHas(std::string_view type, std::string_view name, int depth);
  Result<Expression> ParseChain(std::string_view type, const Name& head, std::string_view rest,
                                int depth);
  Result<Expression> ParseTargets(const SearchParameter& parameter,
                                  const std::vector<std::string_view>& targets,
                                  std::string_view rest, int depth);
  Result<Expression> ParseValues(const SearchParameter& parameter, std::string_view modifier);
  Result<Expression> ParseAlternatives(const SearchParameter& parameter, std::string_view modifier);
  Result<Expression> ParseMissing(const SearchParameter& parameter);
  Result<Expression> ParseId();
  Result<Expression> ParseLastUpdated();

  // The alternatives of the value. Errors: Invalid, if there is none.
  Result<std::vector<std::string_view>> Alternatives() const;
  Result<void> CheckModifier(const SearchParameter& parameter, std::string_view modifier) const;
  Result<const SearchParameter*> FindReference(std::string_view type, std::string_view code);
  SearchValue ValueOf(std::string_view text) const;
  Error Unknown(std::string_view type, std::string_view code);
  Error BadName(std::string_view problem) const;
  Error Bad(std::string_view problem) const;  // Of the value.

  const Registry& registry_;
  const QueryOptions& options_;
  std::string_view name_;  // Of the parameter at hand, whole.
  std::string_view text_;
  bool unknown_ = false;
  std::size_t ranges_ = 0;
  std::size_t steps_ = 0;
};

// The known parameter or result parameter of the type whose spelling is nearest; empty if none is
// near.
std::string NearestName(const Registry& registry, std::string_view type, std::string_view name);

}  // namespace fhir::search
