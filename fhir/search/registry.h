// fhir/search/registry.h
//
// The search parameters of all resource types, and the indexes behind them. R4's are built once at
// start from the tables: every expression is compiled into paths over the type table. Own search
// parameters make another registry from one that is there: the store swaps it as a whole.
//
// Owner: shared by the store's snapshots. Thread-safety: immutable once built.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "fhir/base/result.h"
#include "fhir/definitions/definitions.h"
#include "fhir/path/fhirpath.h"
#include "fhir/search/index_entries.h"
#include "fhir/search/own_parameter.h"
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
  // An own parameter's expression that is no path. Its values are what it yields, and `path` is
  // empty.
  std::optional<path::Expression> evaluated;
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

class Registry;
using RegistryPtr = std::shared_ptr<const Registry>;  // Shared: read by many, swapped whole.

// Why an own parameter cannot be one.
struct RejectedParameter {
  std::size_t position = 0;  // In the list that Registry::With was given.
  Error error;               // Unprocessable, naming the element of SearchParameter.
};

class Registry {
 public:
  // The R4 search parameters. Aborts if one does not compile: they are constants, and a test builds
  // it.
  static std::unique_ptr<const Registry> BuildR4(const RegistryOptions& options = {});

  // R4's parameters and exactly these own ones. Indexes that this registry has keep their ids, and
  // so do those that nothing needs any more; so always extend the newest.
  tl::expected<RegistryPtr, RejectedParameter> With(std::vector<OwnParameter> own) const;
  const std::vector<OwnParameter>& Own() const { return own_; }

  // Null if the type has no such parameter. Those of Resource and DomainResource (_profile, _tag …)
  // stand under every type that they fit. _id, _lastUpdated and _list are found here too, with no
  // indexes.
  const SearchParameter* Find(std::string_view resource_type, std::string_view code) const;

  // All parameters of the type, by code. What the CapabilityStatement lists.
  std::span<const SearchParameter> ParametersOf(std::string_view resource_type) const;

  // IndexAt(kReferencesIndex) is the index of all references.
  const IndexSpec& IndexAt(IndexId index) const { return *indexes_[index]; }
  std::size_t IndexCount() const { return indexes_.size(); }
  // False: it was an own parameter's, which is no more.
  bool IsUsed(IndexId index) const { return used_[index]; }
  // The indexes to fill for a resource of this type (kReferencesIndex not among them).
  std::span<const IndexId> IndexesOf(std::string_view resource_type) const;

  // How ExtractEntries walks a resource of this type. Null: no such type.
  const ExtractionPlan* PlanOf(std::string_view resource_type) const;

  ~Registry();

 private:
  Registry();
  Registry(const Registry&) = default;

  struct OfType {
    std::vector<SearchParameter> parameters;  // Sorted by code.
    std::vector<IndexId> indexes;
    std::shared_ptr<const ExtractionPlan> plan;
  };
  const OfType* FindOfType(std::string_view resource_type) const;
  // Sorts what was added to the type, and makes its plan.
  void Complete(OfType* of_type) const;
  // The index with that key, made if there is none.
  IndexId AddIndex(IndexSpec spec);

  // Specs and types are shared with the registries that are made from this one.
  std::vector<std::shared_ptr<const IndexSpec>> indexes_;
  std::vector<bool> used_;
  std::unordered_map<std::string, IndexId> by_key_;
  // Keys: names in the type table.
  using TypeMap = std::unordered_map<std::string_view, std::shared_ptr<const OfType>>;
  TypeMap types_;
  TypeMap r4_types_;  // The same without own parameters, whose indexes are the first ones:
  std::size_t r4_index_count_ = 0;
  std::vector<OwnParameter> own_;

  friend class RegistryBuilder;
  friend class RegistryExtender;
};

}  // namespace fhir::search
