// tests/reference/naive_store.h
//
// Resources in memory, and whole searches over them, evaluated the slow and obvious way: chains,
// _has, compartments, includes and sort keys follow what each resource's JSON says.
//
// What a parameter yields is found once for each resource, and a criterion is tried once on each
// different value; nothing else is clever.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "fhir/json/document.h"
#include "tests/reference/naive_search.h"

namespace reference {

// One condition of a search, as it stands in a URL.
struct Condition {
  enum class Kind : std::uint8_t { kValues, kMissing, kId, kText, kChain, kHas };
  Kind kind = Kind::kValues;
  std::string code;  // The parameter's; of a chain or _has, its reference's.
  std::string modifier;
  std::vector<std::string> values;
  std::shared_ptr<const Concepts> concepts;  // See Criterion.
  // kChain: the type that is named, or empty. kHas: the type that refers.
  std::string type;
  std::vector<Condition> next;  // One, of kChain and kHas.
};

// "subject:Patient.name:exact" and "Ann,Bea".
std::string NameOf(const Condition& condition);
std::string ValueOf(const Condition& condition);

struct Include {
  bool reverse = false;
  bool iterate = false;
  std::string type;
  std::string code;
};

// Thread-safety: single-owner.
class NaiveStore {
 public:
  using Value = fhir::json::Value;
  // Of each resource of a type, in its order here: 1 if it matches.
  using Matches = std::vector<std::uint8_t>;

  // Adds the resources in the entries of a searchset.
  void Add(fhir::json::Document page);

  // Types that have resources.
  std::vector<std::string> Types() const;
  const std::vector<Value>& Of(const std::string& type) const;
  const std::string& IdOf(const std::string& type, std::size_t at) const;

  Matches Find(const std::string& type, const Condition& condition);
  // Members of Patient/x and so on.
  Matches InCompartment(const std::string& compartment, const std::string& id,
                        const std::string& type);
  // "Type/id" of what is included by these matches ("Type/id"), they themselves left out.
  std::set<std::string> IncludedBy(const std::set<std::string>& matches,
                                   const std::vector<Include>& includes);
  // What the parameter yields of a resource.
  std::vector<Found> Values(const std::string& type, const std::string& code, std::size_t at);
  // Compares as the server sorts; nothing: the resource has no key.
  std::optional<std::string> SortKey(const std::string& type, const std::string& code,
                                     bool descending, const std::string& id);

 private:
  struct Column {
    std::vector<Found> values;  // Different ones.
    std::vector<std::vector<std::uint32_t>> of_resource;
  };
  struct OfType {
    std::vector<Value> resources;
    std::vector<std::string> ids;
    std::unordered_map<std::string, std::size_t> by_id;
    std::map<std::string, Column> columns;
    std::vector<std::set<std::string>> words;
  };

  const Column& ColumnOf(const std::string& type, const std::string& code);
  Matches FindValues(const std::string& type, const Condition& condition);
  Matches FindText(const std::string& type, const Condition& condition);
  Matches FindChain(const std::string& type, const Condition& condition);
  Matches FindHas(const std::string& type, const Condition& condition);
  // Resources of `type` with a value of the column for which `holds`.
  Matches Where(const std::string& type, const Column& column,
                const std::function<bool(const Found&)>& holds) const;

  std::vector<std::unique_ptr<fhir::json::Document>> pages_;
  std::map<std::string, OfType> types_;
};

}  // namespace reference
