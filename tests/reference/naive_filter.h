// tests/reference/naive_filter.h
//
// `_filter` evaluated the slow and obvious way, as naive_search.h does it for parameters: a filter
// that is a tree from the start, so that its text and the parser of that can disagree with it.
//
// No chains, no operators that need a terminology.
#pragma once

#include <random>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/reference/naive_search.h"

namespace reference {

struct Filter {
  enum class Kind { kTest, kAnd, kOr, kNot };
  Kind kind = Kind::kTest;
  std::vector<Filter> children;
  const fhir::definitions::SearchParameterDefinition* parameter = nullptr;
  std::string op;
  std::string value;
};

// As a client writes it, without the parentheses that reading from left to right makes needless.
std::string TextOf(const Filter& filter);

bool Matches(const Filter& filter, const fhir::json::Value& resource,
             std::string_view resource_type);

// Filters whose values are drawn from resources, so that they are seldom empty.
class RandomFilter {
 public:
  using Resource = std::pair<std::string, fhir::json::Value>;  // id, resource

  RandomFilter(std::string type, std::span<const Resource> resources,
               std::span<const fhir::definitions::SearchParameterDefinition* const> parameters,
               std::uint32_t seed)
      : type_(std::move(type)), resources_(resources), parameters_(parameters), random_(seed) {}

  Filter Next(int levels);

 private:
  std::size_t Pick(std::size_t n) { return random_() % n; }
  Filter Test();
  // Empty: there is nothing to ask for.
  std::string ValueFor(const fhir::definitions::SearchParameterDefinition& parameter,
                       const Found& found, const std::string& op);

  std::string type_;
  std::span<const Resource> resources_;
  std::span<const fhir::definitions::SearchParameterDefinition* const> parameters_;
  std::mt19937 random_;
};

}  // namespace reference
