#include "tests/conformance/fhirpath/known_cases.h"

namespace fhir::path {

namespace {

constexpr KnownCase kKnownCases[] = {
    {"LowBoundaryDecimal15", "-0.0 lies above [-0.00345, -0.00335); the bound below it is -0.1"},
    {"HighBoundaryDecimal15", "0.0 lies below [0.00335, 0.00345); the bound above it is 0.1"},
    {"HighBoundaryDecimal16", "The sign is put on 0.0034.highBoundary(1), which is 0.1, not 0.0"},
    {"HighBoundaryDateTimeMillisecond1", "@2014-01-01T08 leaves the minutes open: up to 08:59"},
    {"HighBoundaryDateTimeMillisecond3", "As HighBoundaryDateTimeMillisecond1"},
};

}  // namespace

std::span<const KnownCase> KnownCases() {
  return kKnownCases;
}

}  // namespace fhir::path
