// tests/conformance/fhirpath/known_cases.h
//
// The cases of HL7's suite that are known not to hold, each with its reason.
#pragma once

#include <span>
#include <string_view>

namespace fhir::path {

struct KnownCase {
  std::string_view name;
  std::string_view reason;
};

std::span<const KnownCase> KnownCases();

}  // namespace fhir::path
