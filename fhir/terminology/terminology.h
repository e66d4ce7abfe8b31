// fhir/terminology/terminology.h
//
// What searches ask of value sets and code systems.
#pragma once

#include <compare>
#include <string>
#include <string_view>
#include <vector>

#include "fhir/base/result.h"

namespace fhir::terminology {

struct Concept {
  std::string system;
  std::string code;
  auto operator<=>(const Concept&) const = default;
};

// Sorted, each once.
using Concepts = std::vector<Concept>;

// Owner: one request. Thread-safety: single-owner. Blocking: may read the disk.
// Errors of all: Invalid or NotSupported (400) naming what is not known or cannot be expanded;
// TooCostly where it is too much.
class Terminology {
 public:
  virtual ~Terminology() = default;

  // Everything in a value set: a canonical URL, perhaps with |version, or "ValueSet/id".
  virtual Result<Concepts> Expand(std::string_view value_set) = 0;
  // The concept and all that its code system puts below it; above it.
  virtual Result<Concepts> Below(std::string_view system, std::string_view code) = 0;
  virtual Result<Concepts> Above(std::string_view system, std::string_view code) = 0;
};

}  // namespace fhir::terminology
