// fhir/search/own_parameter.h
//
// What a SearchParameter resource says: a search parameter of one's own. Knows
// how to read one; whether it fits the others is the registry's to say.
//
// Thread-safety: free functions and values.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "fhir/base/result.h"
#include "fhir/definitions/definitions.h"
#include "fhir/json/document.h"

namespace fhir::search {

inline constexpr std::size_t kMaxOwnExpressionBytes = std::size_t{4} << 10;

struct OwnParameter {
  std::string source;  // Where it stands: "SearchParameter/x", or an entry of a bundle file.
  std::string url;
  std::string code;
  definitions::SearchType type = definitions::SearchType::kToken;
  std::vector<std::string> base;     // As given: "Patient", "Resource".
  std::vector<std::string> targets;  // Reference: the resource types it may point to. Empty: all.
  std::string expression;

  // The same parameter, wherever it stands.
  bool IsSame(const OwnParameter& other) const {
    return url == other.url && code == other.code && type == other.type && base == other.base &&
           targets == other.targets && expression == other.expression;
  }
};

// Nothing if its status is not "active": a draft may say anything, and is searched by nothing.
// REQUIRES: `resource` is a SearchParameter that passed InspectResource.
// Errors: Unprocessable, naming the element that is missing or that this server does not support.
Result<std::optional<OwnParameter>> ReadOwnParameter(const json::Value& resource,
                                                     std::string source);

}  // namespace fhir::search
