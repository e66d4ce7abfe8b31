// fhir/search/filter/syntax.h
//
// The text of a `_filter` as a tree (R4 3.1.3.1). Knows the grammar, and nothing
// of search parameters.
//
//   filter  = test / filter ("and" / "or") filter / ["not"] "(" filter ")"
//   test    = path SP operator SP value
//   path    = name [":" Type] ["[" filter "]"] ["." path]     ":Type" is that of chains in URLs
//   value   = JSON string / characters without white space, ")" and "]"
//
// "and" and "or" have no precedence: R4 evaluates from left to right. `not` needs its parentheses.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "fhir/base/result.h"
#include "fhir/search/filter/operator.h"

namespace fhir::search {

struct FilterStep;

struct FilterNode {
  enum class Kind : std::uint8_t { kAnd, kOr, kNot, kTest };

  Kind kind = Kind::kTest;
  std::vector<FilterNode> children;  // kAnd and kOr: two or more. kNot: one.
  std::vector<FilterStep> path;      // kTest: at least one.
  FilterOperator op = FilterOperator::kEq;
  std::string value;       // Unquoted.
  std::size_t offset = 0;  // Of the operator in the text, in bytes.
  std::size_t depth = 1;   // Of the tree below and including this node, chains included.
};

struct FilterStep {
  std::string name;
  std::string type;                // "Patient" of subject:Patient; empty: none is named.
  std::vector<FilterNode> filter;  // What stands in brackets: one, or none.
  std::size_t offset = 0;
};

// Errors: Invalid, naming the place, for text that the grammar does not have; TooCostly for a
// filter of more than kMaxFilterTests tests or kMaxFilterDepth levels.
Result<FilterNode> ParseFilter(std::string_view text);

inline constexpr std::size_t kMaxFilterTests = 1'000;
inline constexpr std::size_t kMaxFilterDepth = 50;

// `error` with the place behind its text: the character at `offset`, counted from 1.
Error AtPlace(std::string_view text, std::size_t offset, Error error);

}  // namespace fhir::search
