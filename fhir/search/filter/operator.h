// fhir/search/filter/operator.h
//
// The operators of `_filter` (R4 3.1.3.2). Which of them a search type has stands in its
// SearchTypeSpec; all have `pr`.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace fhir::search {

enum class FilterOperator : std::uint8_t {
  kEq,  // Some value of the set is equal.
  kNe,  // Some value of the set is unequal: not the same as `not (… eq …)`.
  kCo,  // Some value contains.
  kSw,  // Some value starts with.
  kEw,  // Some value ends with.
  kGt,
  kLt,
  kGe,
  kLe,
  kAp,
  kSa,
  kEb,
  kPr,  // The set is not empty (true), or is (false).
  kPo,  // Some period of the set overlaps.
  kSs,  // Subsumes a concept of the set.
  kSb,  // Is subsumed by a concept of the set.
  kIn,  // Some concept is in the value set.
  kNi,  // No concept is in the value set.
  kRe,  // Some reference points there.
};

// "eq"
std::string_view CodeOf(FilterOperator op);
// Nothing if there is no such operator.
std::optional<FilterOperator> FindFilterOperator(std::string_view code);

// Those that search prefixes (fhir/search/prefix.h) have, with the same meaning.
inline constexpr FilterOperator kPrefixOperators[] = {
    FilterOperator::kEq, FilterOperator::kNe, FilterOperator::kGt,
    FilterOperator::kLt, FilterOperator::kGe, FilterOperator::kLe,
    FilterOperator::kSa, FilterOperator::kEb, FilterOperator::kAp};
bool IsPrefixOperator(FilterOperator op);

}  // namespace fhir::search
