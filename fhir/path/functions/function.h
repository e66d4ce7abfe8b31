// fhir/path/functions/function.h
//
// How a function describes itself. One file per group lists its functions;
// registry.cc lists the groups. Parser and evaluator read the same description.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "fhir/base/result.h"
#include "fhir/path/item.h"

namespace fhir::path {

class Call;

struct FunctionSpec {  // NOLINT(clang-analyzer-optin.performance.Padding): a table to be read.
  std::string_view name;
  std::uint8_t min_arguments = 0;
  std::uint8_t max_arguments = 0;
  Result<Collection> (*call)(const Call& call) = nullptr;
  bool takes_type = false;   // Its one argument is a type specifier.
  bool needs_order = false;  // Says something about places in the input.
};

// Null if there is none.
const FunctionSpec* FindFunction(std::string_view name);

std::span<const FunctionSpec> BoundaryFunctions();
std::span<const FunctionSpec> CombiningFunctions();
std::span<const FunctionSpec> ConversionFunctions();
std::span<const FunctionSpec> EncodingFunctions();
std::span<const FunctionSpec> ExistenceFunctions();
std::span<const FunctionSpec> FhirFunctions();
std::span<const FunctionSpec> FilteringFunctions();
std::span<const FunctionSpec> MathFunctions();
std::span<const FunctionSpec> NavigationFunctions();
std::span<const FunctionSpec> StringFunctions();
std::span<const FunctionSpec> SubsettingFunctions();
std::span<const FunctionSpec> UtilityFunctions();

}  // namespace fhir::path
