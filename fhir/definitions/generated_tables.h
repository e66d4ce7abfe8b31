// fhir/definitions/generated_tables.h
//
// What scripts/generate-definitions defines in generated_*.cc, for
// definitions.cc only. Constant-initialised, so lookups may run before main().
#pragma once

#include <span>
#include <string_view>

#include "fhir/definitions/definitions.h"

namespace fhir::definitions {

// Sorted by name; row 0 is no type.
extern const std::span<const Type> kTypes;
// Each type's span sorted by name.
extern const std::span<const Element> kElements;
// Sorted by URL.
extern const std::span<const SearchParameterDefinition> kSearchParameters;
// Sorted by compartment, then resource type.
extern const std::span<const CompartmentMember> kCompartmentMembers;

}  // namespace fhir::definitions
