#include "fhir/search/parameter_expressions.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "fhir/search/types/reference.h"

namespace fhir::search {
namespace {

Expression Between(std::int64_t from_us, std::int64_t to_us) {
  Expression expression;
  expression.kind = Expression::Kind::kLastUpdated;
  expression.from_us = from_us;
  expression.to_us = to_us;
  return expression;
}

}  // namespace

Expression LastUpdatedIn(const DateText& date) {
  constexpr std::int64_t kMin = std::numeric_limits<std::int64_t>::min();
  constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
  const auto [low, high] = date.range;
  switch (date.prefix) {
    case Prefix::kEq:
    case Prefix::kAp: return Between(low, high);
    case Prefix::kNe: return Expression::Not(Between(low, high));
    case Prefix::kGt:
    case Prefix::kSa: return Between(high, kMax);
    case Prefix::kGe: return Between(low, kMax);
    case Prefix::kLt:
    case Prefix::kEb: return Between(kMin, low);
    case Prefix::kLe: return Between(kMin, high);
  }
  return Expression::None();
}

Expression PresenceOf(const SearchParameter& parameter) {
  if (parameter.indexes.empty()) return Expression::All();
  std::vector<ValueRange> ranges;
  for (const IndexId index : parameter.indexes) {
    ValueRange range;
    // The index holds references to other types too.
    if (!parameter.only_type.empty()) {
      range = PrefixRange(LocalReferencePrefix(parameter.only_type));
    }
    range.index = index;
    ranges.push_back(std::move(range));
  }
  return Expression::Values(std::move(ranges));
}

bool CanBeFollowed(const Registry& registry, const SearchParameter& parameter) {
  return std::all_of(parameter.indexes.begin(), parameter.indexes.end(), [&](IndexId index) {
    const std::vector<Step>& steps = registry.IndexAt(index).path.steps;
    if (steps.empty()) return false;
    const std::string_view type = definitions::GetType(steps.back().type).name;
    return type != "canonical" && type != "uri";
  });
}

bool ModifierFits(const Registry& registry, const SearchParameter& parameter,
                  std::string_view modifier) {
  const auto fits = parameter.rules->modifier_fits;
  if (fits == nullptr) return true;
  return std::any_of(parameter.indexes.begin(), parameter.indexes.end(), [&](IndexId index) {
    const std::vector<Step>& steps = registry.IndexAt(index).path.steps;
    return !steps.empty() && fits(modifier, steps.back());
  });
}

}  // namespace fhir::search
