// tests/fuzz/resource_generator.h
//
// Valid resources of any type with every element filled, made from the type
// table. Values come from small pools, so that resources share them and searches
// find something.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tests/fuzz/random.h"

namespace fuzz {

std::vector<std::string_view> ResourceTypes();

// A resource of `type`; every seed has other values and other types of its choices.
std::string MaximalResource(std::string_view type, std::string_view id, std::uint64_t seed);

// The pools.
std::span<const std::string_view> Codes();
std::span<const std::string_view> Strings();
std::span<const std::string_view> Uris();
std::span<const std::string_view> Dates();  // Of any precision.
std::span<const std::string_view> Numbers();
// "Patient/1": of any type.
std::string RandomReference(Random* random);

}  // namespace fuzz
