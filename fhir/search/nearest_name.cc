// The suggestion in the error for an unknown search parameter.
#include <algorithm>
#include <numeric>

#include "fhir/search/parameter_parser.h"

namespace fhir::search {
namespace {

constexpr std::size_t kMaxNameBytes = 64;
constexpr std::string_view kResultParameters[] = {
    "__explain", "_count",      "_elements", "_filter",  "_format", "_has",
    "_include",  "_revinclude", "_sort",     "_summary", "_total"};

// Insertions, deletions and replacements from `a` to `b`.
std::size_t EditDistance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row.back();
}

}  // namespace

std::string NearestName(const Registry& registry, std::string_view type, std::string_view name) {
  if (name.size() > kMaxNameBytes) return {};
  std::string nearest;
  std::size_t least = std::max<std::size_t>(2, name.size() / 3) + 1;
  const auto consider = [&](std::string_view known) {
    const std::size_t distance = EditDistance(name, known);
    if (distance >= least) return;
    least = distance;
    nearest = known;
  };
  for (const SearchParameter& parameter : registry.ParametersOf(type)) consider(parameter.code);
  for (const std::string_view known : kResultParameters) consider(known);
  return nearest;
}

}  // namespace fhir::search
