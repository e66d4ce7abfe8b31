#include "fhir/search/filter/operator.h"

#include <algorithm>
#include <cstddef>
#include <iterator>

namespace fhir::search {
namespace {

// In the order of the enumeration.
constexpr std::string_view kCodes[] = {"eq", "ne", "co", "sw", "ew", "gt", "lt", "ge", "le", "ap",
                                       "sa", "eb", "pr", "po", "ss", "sb", "in", "ni", "re"};

}  // namespace

std::string_view CodeOf(FilterOperator op) {
  return kCodes[static_cast<std::size_t>(op)];
}

std::optional<FilterOperator> FindFilterOperator(std::string_view code) {
  const auto* found = std::ranges::find(kCodes, code);
  if (found == std::end(kCodes)) return std::nullopt;
  return static_cast<FilterOperator>(found - std::begin(kCodes));
}

bool IsPrefixOperator(FilterOperator op) {
  return std::ranges::find(kPrefixOperators, op) != std::end(kPrefixOperators);
}

}  // namespace fhir::search
