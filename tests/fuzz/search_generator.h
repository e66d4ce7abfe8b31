// tests/fuzz/search_generator.h
//
// Search values and filters, most of which some generated resource answers.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "fhir/search/registry.h"
#include "tests/fuzz/random.h"

namespace fuzz {

// Something that a parameter of this type may be compared with.
std::string RandomSearchValue(Random* random, fhir::search::SearchType type,
                              std::span<const fhir::search::ComponentParameter> components);

// A _filter on resources of `type`, as many levels deep.
std::string RandomFilter(Random* random, const fhir::search::Registry& registry,
                         std::string_view type, int levels);

}  // namespace fuzz
