// fhir/search/registry.h
//
// The search parameters of all resource types, and the indexes behind them. Built once at start
// from the R4 tables: every expression is compiled into paths over the type table.
//
// Owner: main(); outlives every request. Thread-safety: immutable after Build.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "fhir/base/result.h"
#include "fhir/definitions/definitions.h"
#include "fhir/search/index_entries.h"
#include "fhir/search/path.h"

namespace fhir::search {

using definitions::SearchType;

class ExtractionPlan;
struct SearchTypeSpec;  // types/search_type.h

// One component of a composite index: paths relative to the composite's element.
struct ComponentSpec {
  SearchType type;
  std::vector<Path> paths;
};

struct IndexSpec {
  std::string key;            // Stable name, kept in the database: "Observation.code:token".
  std::string resource_type;  // Empty for kReferencesIndex.
  SearchType type = SearchType::kToken;
  const SearchTypeSpec* rules = nullptr;  // How its values are encoded. Null: kReferencesIndex.
  Path path;                              // No steps: the resource itself.
  std::vector<ComponentSpec> components;  // Composite only.
};

// One component of a composite parameter.
struct ComponentParameter {
  SearchType type = SearchType::kToken;
  std::vector<std::string> targets;  // As in SearchParameter.
};

struct SearchParameter {
  std::string code;  // "code"
  std::string url;
  SearchType type = SearchType::kToken;
  // How values are compared. Null, as there are no indexes: _id, _lastUpdated, _list.
  const SearchTypeSpec* rules = nullptr;
  std::vector<IndexId> indexes;      // A value in any of them is a value of the parameter.
  std::vector<std::string> targets;  // Reference: the resource types it may point to.
  // where(resolve() is Patient): only references to this type are values of the parameter, although
  // its indexes hold others too (they are shared). Empty: all are.
  std::string only_type;
  std::vector<ComponentParameter> components;  // Composite: in order.
};

struct RegistryOptions {
  // _content, which costs a posting for each word of each resource.
  bool index_content = false;
};

class Registry {
 public:
  // The R4 search parameters. Aborts if one does not compile: they are constants, and a test builds
  // it.
  static std::unique_ptr<const Registry> BuildR4(const RegistryOptions& options = {});

  // Null if the type has no such parameter. Those of Resource and DomainResource (_profile, _tag …)
  // stand under every type that they fit. _id, _lastUpdated and _list are found here too, with no
  // indexes.
  const SearchParameter* Find(std::string_view resource_type, std::string_view code) const;

  // All parameters of the type, by code. What the CapabilityStatement lists.
  std::span<const SearchParameter> ParametersOf(std::string_view resource_type) const;

  // Indexes()[kReferencesIndex] is the index of all references.
  std::span<const IndexSpec> Indexes() const { return indexes_; }
  // The indexes to fill for a resource of this type (kReferencesIndex not among them).
  std::span<const IndexId> IndexesOf(std::string_view resource_type) const;

  // How ExtractEntries walks a resource of this type. Null: no such type.
  const ExtractionPlan* PlanOf(std::string_view resource_type) const;

  ~Registry();

 private:
  Registry();

  std::vector<IndexSpec> indexes_;
  struct OfType {
    std::vector<SearchParameter> parameters;  // Sorted by code.
    std::vector<IndexId> indexes;
    std::unique_ptr<const ExtractionPlan> plan;
  };
  const OfType* FindOfType(std::string_view resource_type) const;

  std::unordered_map<std::string_view, OfType> types_;  // Keys: names in the type table.

  friend class RegistryBuilder;
};

}  // namespace fhir::search
