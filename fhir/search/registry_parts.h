// fhir/search/registry_parts.h
//
// What building R4's registry and extending it with own parameters have in common.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "fhir/search/types/search_type.h"

namespace fhir::search {

// How keys of indexes name the encoding: "quantity.2", the type with its revision.
std::string KindOf(const SearchTypeSpec& spec);

// A parameter of `base` stands under `resource_type` too ("Resource" under all).
bool IsBaseOf(std::string_view base, std::string_view resource_type);

std::vector<std::string> AllResourceTypes();

}  // namespace fhir::search
