// The one list of function groups.
#include <algorithm>
#include <vector>

#include "fhir/path/functions/function.h"

namespace fhir::path {

namespace {

std::vector<FunctionSpec> SortedFunctions() {
  std::vector<FunctionSpec> all;
  for (const auto group :
       {BoundaryFunctions(), CombiningFunctions(), ConversionFunctions(), EncodingFunctions(),
        ExistenceFunctions(), FhirFunctions(), FilteringFunctions(), MathFunctions(),
        NavigationFunctions(), StringFunctions(), SubsettingFunctions(), UtilityFunctions()}) {
    all.insert(all.end(), group.begin(), group.end());
  }
  std::ranges::sort(all, {}, &FunctionSpec::name);
  return all;
}

}  // namespace

const FunctionSpec* FindFunction(std::string_view name) {
  static const std::vector<FunctionSpec> functions = SortedFunctions();
  const auto found = std::ranges::lower_bound(functions, name, {}, &FunctionSpec::name);
  return found != functions.end() && found->name == name ? &*found : nullptr;
}

}  // namespace fhir::path
