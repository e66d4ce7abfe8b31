#include "server/interactions/search_scope.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "fhir/definitions/definitions.h"

namespace server {
namespace {

using fhir::search::Expression;
using fhir::search::Parameters;
using fhir::search::Query;

constexpr std::string_view kTypeParameter = "_type";
// Parsing copies values, once for each type.
constexpr std::size_t kMaxParsedBytes = std::size_t{64} << 20;

// The name as the type table has it, which lives on. REQUIRES: a resource type.
std::string_view Named(std::string_view type) {
  return fhir::definitions::GetType(fhir::definitions::FindType(type)).name;
}

// Takes `_type` out of the parameters; nothing if it is not there or empty.
fhir::Result<std::optional<std::string>> TakeTypes(Parameters* parameters) {
  std::optional<std::string> types;
  for (const auto& [name, value] : *parameters) {
    if (name != kTypeParameter || value.empty()) continue;
    if (types) {
      return fhir::Fail(fhir::Invalid("parameter '_type' is given twice", std::string(name)));
    }
    types = value;
  }
  std::erase_if(*parameters, [](const auto& p) { return p.first == kTypeParameter; });
  return types;
}

// Those of `types` that `list` ("Patient,Observation") names. Errors: Invalid.
fhir::Result<std::vector<std::string_view>> Narrow(const std::vector<std::string_view>& types,
                                                   std::string_view list) {
  std::vector<std::string_view> wanted;
  while (true) {
    const std::size_t comma = list.find(',');
    const std::string_view name = list.substr(0, comma);
    if (!name.empty()) {
      if (std::ranges::find(types, name) == types.end()) {
        return fhir::Fail(fhir::Invalid(
            "parameter '_type': '" + std::string(name) +
                (fhir::definitions::IsResourceType(name) ? "' is not in this compartment"
                                                         : "' is no resource type"),
            "_type"));
      }
      wanted.push_back(name);
    }
    if (comma == std::string_view::npos) break;
    list.remove_prefix(comma + 1);
  }
  if (wanted.empty()) return fhir::Fail(fhir::Invalid("parameter '_type' names no type", "_type"));
  std::vector<std::string_view> narrowed = types;
  std::erase_if(narrowed,
                [&](std::string_view t) { return std::ranges::find(wanted, t) == wanted.end(); });
  return narrowed;
}

fhir::Result<void> CheckSeveralTypes(std::size_t type_count, const Parameters& parameters) {
  std::size_t bytes = 0;
  for (const auto& [name, value] : parameters) {
    bytes += name.size() + value.size();
    if (name == "_sort" && !value.empty()) {
      return fhir::Fail(fhir::NotSupported(
          "parameter '_sort' is not supported over several types: the result is ordered by type"));
    }
  }
  if (bytes * type_count <= kMaxParsedBytes) return {};
  return fhir::Fail(
      fhir::TooCostly("the search is too long for so many types; name fewer with _type"));
}

fhir::Result<std::vector<Query>> ParseFor(const fhir::search::Registry& registry,
                                          const std::vector<std::string_view>& types,
                                          Parameters parameters,
                                          const fhir::search::QueryOptions& options) {
  std::vector<Query> queries;
  std::vector<std::string> ignored;
  for (const std::string_view type : types) {
    FHIR_TRY(query, fhir::search::ParseQuery(registry, type, parameters, options));
    // What one type ignores is not applied to the others either.
    ignored.insert(ignored.end(), query.ignored.begin(), query.ignored.end());
    if (options.lenient) parameters = query.applied;
    queries.push_back(std::move(query));
  }
  if (!ignored.empty() && types.size() > 1) {
    queries.clear();
    for (const std::string_view type : types) {
      FHIR_TRY(query, fhir::search::ParseQuery(registry, type, parameters, options));
      queries.push_back(std::move(query));
    }
  }
  queries.front().ignored = std::move(ignored);
  return queries;
}

}  // namespace

SearchScope ScopeOf(const fhir::search::Registry& registry, const PathParameters& path) {
  SearchScope scope;
  scope.path = path.type;
  if (!path.member.empty()) {
    scope.compartment = path.type;
    scope.compartment_id = path.id;
    scope.path.append("/").append(path.id).append("/").append(path.member);
  }
  const std::string_view only = path.member.empty() ? path.type : path.member;
  scope.is_open = only.empty() || only == "*";
  if (!scope.is_open) {
    scope.types.push_back(Named(only));
    return scope;
  }
  for (const fhir::definitions::Type& type : fhir::definitions::Types()) {
    if (type.kind != fhir::definitions::TypeKind::kResource) continue;
    if (!scope.compartment.empty() &&
        !fhir::search::CompartmentExpression(registry, scope.compartment, path.id, type.name)) {
      continue;
    }
    scope.types.push_back(type.name);
  }
  return scope;
}

fhir::Result<std::vector<Query>> ParseQueries(const fhir::search::Registry& registry,
                                              const SearchScope& scope, Parameters parameters,
                                              const fhir::search::QueryOptions& options) {
  std::vector<std::string_view> types = scope.types;
  std::optional<std::string> list;
  if (scope.is_open) {
    FHIR_TRY(taken, TakeTypes(&parameters));
    if (taken) {
      FHIR_TRY(narrowed, Narrow(types, *taken));
      types = std::move(narrowed);
    }
    list = std::move(taken);
  }
  if (types.size() > 1) FHIR_TRY_VOID(CheckSeveralTypes(types.size(), parameters));
  FHIR_TRY(queries, ParseFor(registry, types, std::move(parameters), options));
  if (list) {
    Parameters& applied = queries.front().applied;
    applied.emplace(applied.begin(), kTypeParameter, *std::move(list));
  }
  if (scope.compartment.empty()) return std::move(queries);
  for (Query& query : queries) {
    auto members = fhir::search::CompartmentExpression(registry, scope.compartment,
                                                       scope.compartment_id, query.type);
    std::vector<Expression> both;
    both.push_back(members ? *std::move(members) : Expression::None());
    both.push_back(std::move(query.where));
    query.where = Expression::And(std::move(both));
  }
  return std::move(queries);
}

}  // namespace server
