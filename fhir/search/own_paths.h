// fhir/search/own_paths.h
//
// From the expression of an own search parameter to what is indexed: paths, if
// the nine shapes of path.h say exactly what FHIRPath says, else an expression
// that is evaluated. R4's own expressions do not come here: they are known.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "fhir/base/result.h"
#include "fhir/path/fhirpath.h"
#include "fhir/search/own_parameter.h"
#include "fhir/search/path.h"

namespace fhir::search {

// What an own parameter reads in one resource type: either paths or an expression.
struct OwnPaths {
  std::vector<Path> paths;  // Only those with values of the parameter's type.
  std::optional<path::Expression> evaluated;
};

// Bounds what one expression costs in one resource.
inline constexpr std::size_t kMaxOwnSteps = 100'000;

// Errors: Unprocessable, naming SearchParameter.expression, for what is no FHIRPath, yields nothing
// of the parameter's type, or cannot be evaluated without looking beyond the resource.
Result<OwnPaths> CompileOwn(const OwnParameter& parameter, std::string_view resource_type);

}  // namespace fhir::search
