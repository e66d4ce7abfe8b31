// server/routing/outcome.h
//
// OperationOutcome as JSON, for what is not an error: warnings beside a result
// and the answer to Prefer: return=OperationOutcome.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "fhir/base/result.h"

namespace server {

enum class Severity { kFatal, kError, kWarning, kInformation };

std::string OperationOutcome(Severity severity, std::span<const fhir::Issue> issues);

// What every OperationOutcome of ours begins with. A stored one has its id there.
inline constexpr std::string_view kOutcomeStart = R"({"resourceType":"OperationOutcome","issue":)";

}  // namespace server
