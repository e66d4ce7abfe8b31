// fhir/search/query.h
//
// A search as a URL asks it, parsed against the registry.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fhir/base/result.h"
#include "fhir/base/time.h"
#include "fhir/search/expression.h"
#include "fhir/search/include.h"
#include "fhir/search/registry.h"
#include "fhir/terminology/terminology.h"

namespace fhir::search {

// Decoded query parameters in the order of the URL: "code:not" -> "x".
using Parameters = std::vector<std::pair<std::string, std::string>>;

enum class Total : std::uint8_t { kNone, kEstimate, kAccurate };
enum class Summary : std::uint8_t { kFalse, kTrue, kText, kData, kCount };

// Where the values of a sort key stand. Values with `prefix` are walked; what follows the prefix is
// the order. Several ranges are merged.
struct SortRange {
  IndexId index = 0;
  std::string prefix;
};

struct SortKey {
  enum class Kind : std::uint8_t { kIndex, kId, kLastUpdated };
  Kind kind = Kind::kIndex;
  bool descending = false;
  std::vector<SortRange> ranges;
};

struct Query {
  std::string type;  // "Observation"
  Expression where;
  std::vector<SortKey> sort;
  std::uint32_t count = 50;  // _count=0 means Summary::kCount.
  Total total = Total::kAccurate;
  Summary summary = Summary::kFalse;
  std::vector<std::string> elements;
  std::vector<Include> includes;     // In the order of the URL.
  bool explain = false;              // __explain: the answer says how it was found.
  Parameters applied;                // What was understood, for the self link, without paging.
  std::vector<std::string> ignored;  // Unknown parameters left out by lenient handling.
};

struct QueryOptions {
  bool lenient = false;  // Prefer: handling=lenient
  std::uint32_t default_count = 50;
  std::uint32_t max_count = 10'000;
  TimeZone zone = TimeZone::Utc();
  std::string base_url;
  std::int64_t now_us = 0;  // For the prefix ap on dates.
  // Expands value sets. Outlives the parsing. Null: a search that needs it is refused.
  terminology::Terminology* terminology = nullptr;
};

// Errors: 400, naming the parameter, for an unknown one (unless lenient; the nearest known name is
// suggested), a modifier or prefix that the parameter's type does not have, and a bad value. A
// parameter with an empty value is ignored and not applied. 403 for a query that asks for too much:
// too many values, chains that can go too many ways.
Result<Query> ParseQuery(const Registry& registry, std::string_view type,
                         const Parameters& parameters, const QueryOptions& options);

// Criteria of a conditional interaction (If-None-Exist, Practitioner?identifier=s|v): search
// parameters only; strict; at least one; nothing that cannot be decided from one resource alone.
Result<Expression> ParseCriteria(const Registry& registry, std::string_view type,
                                 const Parameters& parameters, const QueryOptions& options);

// Of a URL, a form or the criteria of a conditional interaction: far more than anyone asks.
inline constexpr std::size_t kMaxQueryBytes = std::size_t{1} << 20;

// Splits and percent-decodes "a=b&c=d" ('+' is a space). Errors: Invalid for a broken escape or
// bytes that are not UTF-8; TooLarge for more than kMaxQueryBytes.
Result<Parameters> DecodeParameters(std::string_view query);
// The inverse, for links.
std::string EncodeParameters(const Parameters& parameters);

// Members of a compartment: the resources of `resource_type` that belong to `compartment`/`id`
// (R4 5.1). Nothing if the type is not part of the compartment. For the compartment's own type: the
// resource itself.
std::optional<Expression> CompartmentExpression(const Registry& registry,
                                                std::string_view compartment, std::string_view id,
                                                std::string_view resource_type);

}  // namespace fhir::search
