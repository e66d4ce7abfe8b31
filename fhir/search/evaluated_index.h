// fhir/search/evaluated_index.h
//
// The values of an own search parameter whose expression is no path: what
// FHIRPath yields, as index values.
#pragma once

#include "fhir/base/result.h"
#include "fhir/search/types/search_type.h"

namespace fhir::search {

// Adds the values that `spec.evaluated` yields in a resource to the sink's target; the presence
// value for an item that has none of the parameter's type.
// Errors: Unprocessable, if the expression fails or takes more than kMaxOwnSteps.
Result<void> EvaluateIndex(const IndexSpec& spec, const json::Value& resource, ValueSink* sink);

}  // namespace fhir::search
