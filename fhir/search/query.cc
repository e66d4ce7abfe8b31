#include "fhir/search/query.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "fhir/search/escape.h"
#include "fhir/search/filter/translate.h"
#include "fhir/search/parameter_parser.h"
#include "fhir/search/types/reference.h"
#include "fhir/search/types/search_type.h"

namespace fhir::search {
namespace {

std::string Quoted(std::string_view text) {
  return "'" + std::string(text) + "'";
}

// Names that R4 gives a meaning which this server does not know: said as such, not as a typing
// error.
constexpr std::string_view kUnsupported[] = {"_query", "_score", "_type"};

constexpr std::string_view kFilter = "_filter";

// Each is followed from every resource of a page.
constexpr std::size_t kMaxIncludes = 100;

std::string_view WithoutModifier(std::string_view name) {
  return name.substr(0, name.find(':'));
}

bool IsUnsupported(std::string_view name) {
  return std::find(std::begin(kUnsupported), std::end(kUnsupported), WithoutModifier(name)) !=
         std::end(kUnsupported);
}

// No type has so many elements, and each is looked for in every resource of the page.
constexpr std::size_t kMaxElements = 1'000;
constexpr std::size_t kMaxSortKeys = 16;  // The whole result is ranked by each.

// Parses the result parameters, which say how to answer and not what is searched.
class ResultParameters {
 public:
  ResultParameters(const Registry& registry, const QueryOptions& options, Query* query)
      : registry_(registry), options_(options), query_(query) {}

  static bool IsOne(std::string_view name) { return Find(WithoutModifier(name)) != nullptr; }

  // REQUIRES: IsOne(name); `value` is not empty.
  Result<void> Take(std::string_view name, std::string_view value) {
    const Row* row = Find(WithoutModifier(name));
    if (name != row->name) {
      return Fail(
          NotSupported("parameter " + Quoted(row->name) + " has no modifiers: " + Quoted(name)));
    }
    if (!row->repeats && std::find(seen_.begin(), seen_.end(), row->name) != seen_.end()) {
      return Fail(Invalid("parameter " + Quoted(name) + " is given twice", std::string(name)));
    }
    seen_.push_back(row->name);
    return (this->*row->take)(value);
  }

 private:
  struct Row {
    std::string_view name;
    bool repeats;
    Result<void> (ResultParameters::*take)(std::string_view value);
  };

  static const Row* Find(std::string_view name) {
    static constexpr Row kRows[] = {
        {"__explain", false, &ResultParameters::TakeExplain},
        {"_contained", false, &ResultParameters::TakeContained},
        {"_containedType", false, &ResultParameters::TakeContainedType},
        {"_count", false, &ResultParameters::TakeCount},
        {"_elements", true, &ResultParameters::TakeElements},
        {"_format", false, &ResultParameters::TakeNothing},
        {"_pretty", false, &ResultParameters::TakeNothing},
        {"_sort", true, &ResultParameters::TakeSort},
        {"_summary", false, &ResultParameters::TakeSummary},
        {"_total", false, &ResultParameters::TakeTotal},
    };
    for (const Row& row : kRows) {
      if (row.name == name) return &row;
    }
    return nullptr;
  }

  static Error Bad(std::string_view name, std::string_view value, std::string_view problem) {
    return Invalid("parameter " + Quoted(name) + ": " + Quoted(value) + " " + std::string(problem),
                   std::string(name));
  }

  static Error TooMany(std::string_view name, std::size_t max) {
    return TooCostly("parameter " + Quoted(name) + " has more than " + std::to_string(max) +
                     " values");
  }

  // docs/search.md, Contained resources.
  Result<void> TakeContained(std::string_view value) {
    if (value == "false") return {};
    if (value != "true" && value != "both") {
      return Fail(Bad("_contained", value, "is not true, false or both"));
    }
    return Fail(NotSupported("parameter '_contained': " + Quoted(value) +
                             " is not supported: contained resources are not indexed as "
                             "resources of their own"));
  }

  // It says what _contained=true would return.
  Result<void> TakeContainedType(std::string_view value) {
    if (value == "container" || value == "contained") return {};
    return Fail(Bad("_containedType", value, "is not container or contained"));
  }

  Result<void> TakeCount(std::string_view value) {
    std::uint32_t count = 0;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), count);
    if (error == std::errc::invalid_argument || end != value.data() + value.size()) {
      return Fail(Bad("_count", value, "is not a whole number"));
    }
    if (error != std::errc{} || count > options_.max_count) {
      return Fail(
          Bad("_count", value, "is more than the maximum, " + std::to_string(options_.max_count)));
    }
    query_->count = count;
    if (count == 0) query_->summary = Summary::kCount;
    return {};
  }

  Result<void> TakeExplain(std::string_view value) {
    if (value != "true" && value != "false") {
      return Fail(Bad("__explain", value, "is neither true nor false"));
    }
    query_->explain = value == "true";
    return {};
  }

  Result<void> TakeElements(std::string_view value) {
    for (const std::string_view name : SplitUnescaped(value, ',')) {
      if (!name.empty()) query_->elements.emplace_back(name);
    }
    if (query_->elements.size() > kMaxElements) return Fail(TooMany("_elements", kMaxElements));
    return {};
  }

  Result<void> TakeNothing(std::string_view) { return {}; }

  Result<void> TakeSummary(std::string_view value) {
    static constexpr std::pair<std::string_view, Summary> kCodes[] = {{"true", Summary::kTrue},
                                                                      {"text", Summary::kText},
                                                                      {"data", Summary::kData},
                                                                      {"count", Summary::kCount},
                                                                      {"false", Summary::kFalse}};
    for (const auto& [code, summary] : kCodes) {
      if (code != value) continue;
      // _count=0 asks for the count, whatever else is asked.
      if (query_->count != 0) query_->summary = summary;
      return {};
    }
    return Fail(Bad("_summary", value, "is not true, text, data, count or false"));
  }

  Result<void> TakeTotal(std::string_view value) {
    static constexpr std::pair<std::string_view, Total> kCodes[] = {
        {"none", Total::kNone}, {"estimate", Total::kEstimate}, {"accurate", Total::kAccurate}};
    for (const auto& [code, total] : kCodes) {
      if (code != value) continue;
      query_->total = total;
      return {};
    }
    return Fail(Bad("_total", value, "is not none, estimate or accurate"));
  }

  Result<void> TakeSort(std::string_view value) {
    for (std::string_view code : SplitUnescaped(value, ',')) {
      if (code.empty()) continue;
      SortKey key;
      key.descending = code.starts_with('-');
      if (key.descending) code.remove_prefix(1);
      const SearchParameter* parameter = registry_.Find(query_->type, code);
      if (parameter == nullptr) {
        if (!options_.lenient) return Fail(UnknownSort(code));
        query_->ignored.push_back("_sort=" + std::string(code));
        continue;
      }
      FHIR_TRY_VOID(SetRanges(*parameter, &key));
      query_->sort.push_back(std::move(key));
      if (query_->sort.size() > kMaxSortKeys) return Fail(TooMany("_sort", kMaxSortKeys));
    }
    return {};
  }

  Error UnknownSort(std::string_view code) const {
    std::string text =
        "parameter '_sort': " + query_->type + " has no search parameter " + Quoted(code);
    const std::string nearest = NearestName(registry_, query_->type, code);
    if (!nearest.empty()) text += "; did you mean " + Quoted(nearest) + "?";
    return NotSupported(std::move(text));
  }

  static Result<void> SetRanges(const SearchParameter& parameter, SortKey* key) {
    if (parameter.code == "_id") {
      key->kind = SortKey::Kind::kId;
      return {};
    }
    if (parameter.code == "_lastUpdated") {
      key->kind = SortKey::Kind::kLastUpdated;
      return {};
    }
    const std::string_view tags =
        parameter.rules == nullptr ? std::string_view() : parameter.rules->sort_tags;
    if (tags.empty()) {
      return Fail(NotSupported("parameter '_sort': cannot sort by " + Quoted(parameter.code)));
    }
    for (const IndexId index : parameter.indexes) {
      if (!parameter.only_type.empty()) {
        key->ranges.push_back({index, LocalReferencePrefix(parameter.only_type)});
        continue;
      }
      for (const char tag : tags) key->ranges.push_back({index, std::string(1, tag)});
    }
    return {};
  }

  const Registry& registry_;
  const QueryOptions& options_;
  Query* query_;
  std::vector<std::string_view> seen_;
};

Result<bool> TakeInclude(const Registry& registry, std::string_view name, std::string_view value,
                         bool lenient, Query* query) {
  bool unknown = false;
  auto include = ParseInclude(registry, name, value, lenient ? &unknown : nullptr);
  if (!include && unknown) return false;
  FHIR_TRY(understood, std::move(include));
  if (query->includes.size() == kMaxIncludes) {
    return Fail(TooCostly("parameter " + Quoted(name) + " is given too often"));
  }
  query->includes.push_back(std::move(understood));
  return true;
}

// Parses what is searched: search parameters and filters.
struct WhereParser {
  ParameterParser parameters;
  FilterTranslator filters;
};

Result<Expression> ParseWhere(std::string_view type, std::string_view name, std::string_view value,
                              WhereParser* parser) {
  if (WithoutModifier(name) != kFilter) return parser->parameters.Parse(type, name, value);
  if (name == kFilter) return parser->filters.Translate(type, value);
  return Fail(NotSupported("parameter '_filter' has no modifiers: " + Quoted(name)));
}

// True if the parameter was understood; false if lenient handling leaves it out.
Result<bool> TakeParameter(const Registry& registry, std::string_view name, std::string_view value,
                           bool lenient, ResultParameters* results, WhereParser* parser,
                           Query* query, std::vector<Expression>* all) {
  if (ResultParameters::IsOne(name)) {
    FHIR_TRY_VOID(results->Take(name, value));
    return true;
  }
  if (IsInclude(name)) return TakeInclude(registry, name, value, lenient, query);
  if (IsUnsupported(name)) {
    if (lenient) return false;
    return Fail(NotSupported("parameter " + Quoted(name) + " is not supported"));
  }
  auto expression = ParseWhere(query->type, name, value, parser);
  if (!expression) {
    // A filter is understood as a whole or not at all.
    const bool is_unknown =
        WithoutModifier(name) != kFilter && parser->parameters.FailedAsUnknown();
    if (lenient && is_unknown) return false;
    return Fail(std::move(expression).error());
  }
  all->push_back(*std::move(expression));
  return true;
}

}  // namespace

Result<Query> ParseQuery(const Registry& registry, std::string_view type,
                         const Parameters& parameters, const QueryOptions& options) {
  Query query;
  query.type = type;
  query.count = options.default_count;
  ResultParameters results(registry, options, &query);
  WhereParser parser{{registry, options}, {registry, options}};
  std::vector<Expression> all;
  for (const auto& [name, value] : parameters) {
    if (value.empty()) continue;
    FHIR_TRY(understood, TakeParameter(registry, name, value, options.lenient, &results, &parser,
                                       &query, &all));
    if (understood) {
      query.applied.emplace_back(name, value);
    } else {
      query.ignored.push_back(name);
    }
  }
  // R4 3.1.1.5.8.
  if (query.summary == Summary::kText && !query.includes.empty()) {
    return Fail(Invalid("parameter '_summary': text does not go with _include and _revinclude",
                        "_summary"));
  }
  query.where = Expression::And(std::move(all));
  return query;
}

Result<Expression> ParseCriteria(const Registry& registry, std::string_view type,
                                 const Parameters& parameters, const QueryOptions& options) {
  ParameterParser parser(registry, options);
  std::vector<Expression> all;
  for (const auto& [name, value] : parameters) {
    if (value.empty()) continue;
    if (ResultParameters::IsOne(name) || IsInclude(name) || IsUnsupported(name) ||
        WithoutModifier(name) == kFilter) {
      return Fail(NotSupported("parameter " + Quoted(name) + " is not supported in criteria"));
    }
    FHIR_TRY(expression, parser.Parse(type, name, value));
    if (!IsLocal(expression)) {
      return Fail(NotSupported("parameter " + Quoted(name) +
                               ": chains and _has are not supported in criteria"));
    }
    all.push_back(std::move(expression));
  }
  if (all.empty()) return Fail(Invalid("the criteria have no search parameter"));
  return Expression::And(std::move(all));
}

}  // namespace fhir::search
