// fhir/search/filter/translate.h
//
// A `_filter` as an Expression: what its names, operators and values mean for a
// resource type (R4 3.1.3; docs/decisions/0015-filter.md).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "fhir/base/result.h"
#include "fhir/search/expression.h"
#include "fhir/search/filter/syntax.h"
#include "fhir/search/query.h"
#include "fhir/search/registry.h"
#include "fhir/search/types/search_type.h"

namespace fhir::search {

// Translates the filters of one search; what they may cost together is bounded here.
// Owner: ParseQuery, on the stack. Thread-safety: single-owner.
class FilterTranslator {
 public:
  // Both outlive the translator.
  FilterTranslator(const Registry& registry, const QueryOptions& options)
      : registry_(registry), options_(options) {}

  // What the filter asks of resources of type `type`.
  // Errors: Invalid or NotSupported, naming the place in the filter; TooCostly, if the filters have
  // too many values, or chains that can go too many ways.
  Result<Expression> Translate(std::string_view type, std::string_view text);

 private:
  Result<Expression> TranslateNode(std::string_view type, const FilterNode& node);
  Result<Expression> TranslateTest(std::string_view type, const FilterNode& test);
  // The resources of `type` from which path[at] and the steps behind it lead to such a value.
  Result<Expression> Follow(std::string_view type, const FilterNode& test, std::size_t at);
  Result<Expression> FollowTo(std::string_view target, const FilterNode& test, std::size_t at);
  Result<std::vector<std::string_view>> TargetsOf(const SearchParameter& parameter,
                                                  const FilterStep& step) const;
  Result<Expression> TranslateValue(const SearchParameter& parameter, const FilterNode& test);
  Result<Expression> TranslateId(const FilterNode& test) const;
  Result<Expression> TranslateLastUpdated(const FilterNode& test) const;
  Result<std::vector<ValueRange>> RangesOf(const SearchParameter& parameter,
                                           const FilterNode& test) const;
  Result<void> CheckOperator(const SearchParameter& parameter, const FilterNode& test) const;
  Result<void> CountStep(const FilterStep& step);

  SearchValue ValueOf(std::string_view text) const;
  Error Unknown(std::string_view type, const FilterStep& step);
  Error Refused(std::size_t offset, const std::string& problem) const;
  Error NoOperator(const SearchParameter& parameter, std::span<const FilterOperator> operators,
                   const FilterNode& test) const;

  const Registry& registry_;
  const QueryOptions& options_;
  std::string_view text_;
  bool unknown_ = false;  // The last error was that a type has no such parameter.
  std::string_view unknown_type_;
  std::string_view unknown_name_;
  std::size_t ranges_ = 0;
  std::size_t steps_ = 0;
};

}  // namespace fhir::search
