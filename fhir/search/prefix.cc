#include "fhir/search/prefix.h"

#include <utility>

namespace fhir::search {

Prefix TakePrefix(std::string_view* text) {
  static constexpr std::pair<std::string_view, Prefix> kPrefixes[] = {
      {"eq", Prefix::kEq}, {"ne", Prefix::kNe}, {"gt", Prefix::kGt},
      {"lt", Prefix::kLt}, {"ge", Prefix::kGe}, {"le", Prefix::kLe},
      {"sa", Prefix::kSa}, {"eb", Prefix::kEb}, {"ap", Prefix::kAp}};
  for (const auto& [letters, prefix] : kPrefixes) {
    if (text->starts_with(letters)) {
      text->remove_prefix(letters.size());
      return prefix;
    }
  }
  return Prefix::kEq;
}

}  // namespace fhir::search
