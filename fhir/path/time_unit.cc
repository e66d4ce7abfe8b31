#include "fhir/path/time_unit.h"

#include <algorithm>
#include <array>

namespace fhir::path {

namespace {

// In the order of TimeUnit.
constexpr std::array<std::string_view, 8> kWords = {"year", "month",  "week",   "day",
                                                    "hour", "minute", "second", "millisecond"};
constexpr std::array<std::string_view, 8> kCodes = {"a", "mo", "wk", "d", "h", "min", "s", "ms"};

std::optional<TimeUnit> Find(const std::array<std::string_view, 8>& names, std::string_view name) {
  const auto found = std::ranges::find(names, name);
  if (found == names.end()) return std::nullopt;
  return static_cast<TimeUnit>(found - names.begin());
}

}  // namespace

std::optional<TimeUnit> FindCalendarUnit(std::string_view word) {
  if (word.ends_with('s')) word.remove_suffix(1);
  return Find(kWords, word);
}

std::optional<TimeUnit> FindTimeUnit(std::string_view ucum) {
  const auto unit = Find(kCodes, ucum);
  return unit && *unit > TimeUnit::kMonth ? unit : std::nullopt;
}

std::string_view UcumCode(TimeUnit unit) {
  return kCodes[static_cast<std::size_t>(unit)];
}

}  // namespace fhir::path
