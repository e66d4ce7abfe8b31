// tests/fuzz/json_tree.h
//
// A JSON value that can be changed, to break valid resources in ways that
// changed bytes seldom do.
#pragma once

#include <string>
#include <vector>

#include "fhir/json/document.h"
#include "tests/fuzz/random.h"

namespace fuzz {

struct JsonTree {
  explicit JsonTree(const fhir::json::Value& value);

  std::string Text() const;

  std::string name;  // Of a member.
  fhir::json::Kind kind;
  std::string scalar;  // Its text, unescaped.
  std::vector<JsonTree> children;
};

// Swaps, repeats, drops, retypes, renames, nests or multiplies values, a few times.
void MutateTree(Random* random, JsonTree* tree);

}  // namespace fuzz
