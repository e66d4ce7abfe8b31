// tests/reference/naive_search.h
//
// Search evaluated the slow and obvious way: one query against one resource's
// JSON, straight from the published expressions and R4's text. Shares no code
// with fhir/search (no path compiler, no type table, no index values), so that
// the two can disagree.
//
// Only what the random comparison asks: no chains, no :missing, no Timing.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fhir/base/time.h"
#include "fhir/definitions/definitions.h"
#include "fhir/json/document.h"

namespace reference {

// A JSON value that an expression yields, with the type that a choice member's name says ("Quantity").
struct Found {
  fhir::json::Value value;
  std::string choice_type;  // Empty: not from a choice.
};

// All values of `expression` (FHIRPath as published) in `resource`.
std::vector<Found> Evaluate(std::string_view expression, const fhir::json::Value& resource,
                            std::string_view resource_type);

// One search value with its prefix or modifier, e.g. {"not", "male"} or {"", "ge2020"}.
struct Criterion {
  const fhir::definitions::SearchParameterDefinition* parameter = nullptr;
  std::string modifier;
  std::vector<std::string> values;  // OR. Unescaped: the generator avoids , $ | \ inside parts.
};

bool Matches(const Criterion& criterion, const fhir::json::Value& resource,
             std::string_view resource_type);

// Search values that `found` would answer to, for making queries: "system|code", "2020-01-01" …
std::vector<std::string> ExampleValues(
    const fhir::definitions::SearchParameterDefinition& parameter, const Found& found,
    std::string_view resource_type);

// What stands in an element, by the type of the parameter that yields it.
struct Token {
  std::string system, code;
  bool code_element = false;  // A `code`: its system is implicit, and not known here.
};
std::vector<Token> TokensOf(const fhir::json::Value& v);
std::vector<std::string> StringsOf(const fhir::json::Value& v);
std::optional<fhir::TimeRange> DatesOf(const fhir::json::Value& v);

// One value against one element. No composites.
bool ValueHolds(fhir::definitions::SearchType type, const std::string& modifier,
                const std::string& value, const fhir::json::Value& v);

// Texts of a token's element, for making queries with :text.
std::vector<std::string> TokenTexts(const fhir::json::Value& v);

}  // namespace reference
