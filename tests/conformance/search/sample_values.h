// tests/conformance/search/sample_values.h
//
// For each search type and element type: an element, a search value that finds it, and one that
// does not.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "fhir/definitions/definitions.h"

namespace conformance {

struct Sample {
  std::string json;
  std::string found_by;  // Escaped as search values are.
  std::string missed_by;
};

// An element that is there (:missing), but has no values of the search type. Nothing: such elements
// have values.
std::optional<std::string> ElementWithoutValues(fhir::definitions::SearchType type,
                                                std::string_view element_type);

// `target`: a type that references may lead to; <target>/target is stored. Nothing: the pair is not
// known.
std::optional<Sample> SampleOf(fhir::definitions::SearchType type, std::string_view element_type,
                               std::string_view target);

}  // namespace conformance
