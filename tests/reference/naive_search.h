// tests/reference/naive_search.h
//
// Search evaluated the slow and obvious way: one criterion against one resource's
// JSON, straight from the published expressions and R4's text. Shares no code
// with fhir/search (no path compiler, no type table, no index values), so that
// the two can disagree. naive_store.h puts criteria together.
//
// Only what the random comparison asks: no Timing, no ap of dates.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
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

using Concepts = std::set<std::pair<std::string, std::string>>;  // System, code.

// One search value with its prefix or modifier, e.g. {"not", "male"} or {"", "ge2020"}.
struct Criterion {
  const fhir::definitions::SearchParameterDefinition* parameter = nullptr;
  std::string modifier;
  std::vector<std::string> values;  // OR. Unescaped: the generator avoids , $ | \ inside parts.
  // What `values` mean by :in, :not-in, :above or :below.
  const Concepts* concepts = nullptr;
};

// The parameter of a resource type; null if it has none.
const fhir::definitions::SearchParameterDefinition* FindParameter(std::string_view type,
                                                                  std::string_view code);

// True if `value`, an element that the parameter yields, is one that the criterion asks for;
// :not and :not-in are left to who asks.
bool ValueMatches(const Criterion& criterion, const fhir::json::Value& value,
                  std::string_view resource_type);
bool IsNegated(const Criterion& criterion);
// "X.exists() and X != false" yields a boolean, whatever is there.
bool IsComputed(const fhir::definitions::SearchParameterDefinition& parameter);
// True if the composite's element has a value for each component: what is not whole is missing.
bool IsWhole(const fhir::definitions::SearchParameterDefinition& composite,
             const fhir::json::Value& element, std::string_view resource_type);
// The words of a narrative, folded.
std::set<std::string> WordsOf(const fhir::json::Value& resource);

// Systems and codes of a token's element.
std::vector<std::pair<std::string, std::string>> TokensOf(const fhir::json::Value& v);

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
std::vector<Token> AllTokensOf(const fhir::json::Value& v);
std::vector<std::string> StringsOf(const fhir::json::Value& v);
std::optional<fhir::TimeRange> DatesOf(const fhir::json::Value& v);

// One value against one element. No composites.
bool ValueHolds(fhir::definitions::SearchType type, const std::string& modifier,
                const std::string& value, const fhir::json::Value& v);
// "system|code|value" of an identifier's types and value, for making queries with :of-type.
std::vector<std::string> TypedIdentifiers(const fhir::json::Value& v);

// Texts of a token's element, for making queries with :text.
std::vector<std::string> TokenTexts(const fhir::json::Value& v);

}  // namespace reference
