#include "fhir/terminology/expander.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <optional>
#include <utility>

namespace fhir::terminology {
namespace {

constexpr std::size_t kMaxDepth = 16;  // Of value sets that import value sets.

std::string Quoted(std::string_view text) {
  return "'" + std::string(text) + "'";
}

Error TooMany() {
  return TooCostly("the expansion has more than " + std::to_string(kMaxConcepts) + " concepts");
}

// "value set 'x': <problem>", with the status that the problem has.
Error WithinValueSet(std::string_view value_set, Error error) {
  std::string& text = error.issues.front().diagnostics;
  text = "value set " + Quoted(value_set) + ": " + text;
  return error;
}

// Sorted, each once.
void Normalize(Concepts* concepts) {
  std::sort(concepts->begin(), concepts->end());
  concepts->erase(std::unique(concepts->begin(), concepts->end()), concepts->end());
}

Concepts Intersection(const Concepts& a, const Concepts& b) {
  Concepts both;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
  return both;
}

Concepts ConceptsOf(const std::string& system, const std::vector<std::string_view>& codes) {
  Concepts concepts;
  concepts.reserve(codes.size());
  for (const std::string_view code : codes) concepts.push_back({system, std::string(code)});
  Normalize(&concepts);
  return concepts;
}

// compose.include.concept: the codes as they stand.
Concepts ListedConcepts(const json::Value& list, std::string_view system) {
  Concepts concepts;
  for (const json::Value item : list.Children()) {
    concepts.push_back({std::string(system), std::string(item.Find("code").StringOrEmpty())});
  }
  Normalize(&concepts);
  return concepts;
}

// Adds what expansion.contains holds at any depth. Returns how many entries there are.
std::size_t AddContained(const json::Value& contains, Concepts* concepts) {
  std::size_t count = 0;
  if (!contains.IsArray()) return count;
  for (const json::Value item : contains.Children()) {
    ++count;
    const std::string_view code = item.Find("code").StringOrEmpty();
    const json::Value abstract = item.Find("abstract");
    const bool is_abstract = !abstract.IsNone() && abstract.Text() == "true";
    if (!code.empty() && !is_abstract) {
      concepts->push_back({std::string(item.Find("system").StringOrEmpty()), std::string(code)});
    }
    count += AddContained(item.Find("contains"), concepts);
  }
  return count;
}

std::uint64_t NumberAt(const json::Value& object, std::string_view name) {
  const json::Value value = object.Find(name);
  if (value.IsNone()) return 0;
  std::uint64_t number = 0;
  const std::string_view text = value.Text();
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

// A ValueSet that has no compose but was stored with its expansion.
Result<Concepts> StoredExpansion(const json::Value& expansion) {
  Concepts concepts;
  const std::size_t count = AddContained(expansion.Find("contains"), &concepts);
  if (NumberAt(expansion, "offset") > 0 || NumberAt(expansion, "total") > count) {
    return Fail(NotSupported("the expansion that it is stored with is not whole"));
  }
  if (concepts.size() > kMaxConcepts) return Fail(TooMany());
  Normalize(&concepts);
  return concepts;
}

}  // namespace

Result<Concepts> Expander::Expand(std::string_view value_set) {
  if (const auto known = expanded_.find(value_set); known != expanded_.end()) return known->second;
  if (std::find(open_.begin(), open_.end(), value_set) != open_.end()) {
    return Fail(NotSupported("value set " + Quoted(value_set) + " includes itself"));
  }
  if (open_.size() >= kMaxDepth) {
    return Fail(TooCostly("value sets include each other too deeply"));
  }
  open_.emplace_back(value_set);
  auto concepts = ExpandOnce(value_set);
  open_.pop_back();
  if (!concepts) return Fail(WithinValueSet(value_set, std::move(concepts).error()));
  expanded_.emplace(value_set, *concepts);
  return concepts;
}

Result<Concepts> Expander::ExpandOnce(std::string_view value_set) {
  FHIR_TRY(document, find_("ValueSet", value_set));
  const json::Value compose = document->Root().Find("compose");
  if (compose.IsObject()) return ExpandCompose(compose);
  const json::Value expansion = document->Root().Find("expansion");
  if (expansion.IsObject()) return StoredExpansion(expansion);
  return Fail(NotSupported("it has neither compose nor expansion"));
}

Result<Concepts> Expander::ExpandCompose(const json::Value& compose) {
  const json::Value inactive = compose.Find("inactive");
  if (!inactive.IsNone() && inactive.Text() == "false") {
    return Fail(NotSupported("compose.inactive=false is not supported"));
  }
  const bool is_dated = !compose.Find("lockedDate").IsNone();
  FHIR_TRY(included, Gather(compose.Find("include"), is_dated));
  FHIR_TRY(excluded, Gather(compose.Find("exclude"), is_dated));
  Concepts rest;
  std::set_difference(included.begin(), included.end(), excluded.begin(), excluded.end(),
                      std::back_inserter(rest));
  return rest;
}

Result<Concepts> Expander::Gather(const json::Value& parts, bool is_dated) {
  Concepts all;
  if (!parts.IsArray()) return all;
  for (const json::Value part : parts.Children()) {
    FHIR_TRY(concepts, Include(part, is_dated));
    if (all.size() + concepts.size() > kMaxConcepts) return Fail(TooMany());
    std::move(concepts.begin(), concepts.end(), std::back_inserter(all));
  }
  Normalize(&all);
  return all;
}

// What the system has and all of the value sets have (R4 ValueSet, "Composition Rules").
Result<Concepts> Expander::Include(const json::Value& part, bool is_dated) {
  std::optional<Concepts> concepts;
  if (!part.Find("system").IsNone()) {
    FHIR_TRY(of_system, OfSystem(part, is_dated));
    concepts = std::move(of_system);
  }
  if (const json::Value value_sets = part.Find("valueSet"); value_sets.IsArray()) {
    for (const json::Value url : value_sets.Children()) {
      FHIR_TRY(imported, Expand(url.StringOrEmpty()));
      concepts = concepts ? Intersection(*concepts, imported) : std::move(imported);
    }
  }
  if (!concepts)
    return Fail(NotSupported("a part of its compose names no system and no value set"));
  return *std::move(concepts);
}

Result<Concepts> Expander::OfSystem(const json::Value& part, bool is_dated) {
  const std::string url(part.Find("system").StringOrEmpty());
  const json::Value listed = part.Find("concept");
  const json::Value filters = part.Find("filter");
  if (listed.IsArray() && filters.IsArray()) {
    return Fail(NotSupported("a part of its compose has both concepts and filters"));
  }
  if (listed.IsArray()) return ListedConcepts(listed, url);
  if (is_dated) return Fail(NotSupported("compose.lockedDate is not supported"));
  const std::string_view version = part.Find("version").StringOrEmpty();
  FHIR_TRY(system, ReadSystem(version.empty() ? url : url + "|" + std::string(version)));
  Concepts concepts = ConceptsOf(url, system->Codes());
  if (filters.IsArray()) {
    for (const json::Value filter : filters.Children()) {
      FHIR_TRY(codes, Filter(*system, filter));
      concepts = Intersection(concepts, ConceptsOf(url, codes));
    }
  }
  return concepts;
}

Result<std::vector<std::string_view>> Expander::Filter(const CodeSystem& system,
                                                       const json::Value& filter) {
  const std::string_view property = filter.Find("property").StringOrEmpty();
  const std::string_view operation = filter.Find("op").StringOrEmpty();
  const std::string_view value = filter.Find("value").StringOrEmpty();
  if (operation == "=") return system.WithProperty(property, value);
  const bool is_hierarchy = property == "concept" || property == "code";
  if (is_hierarchy && (operation == "is-a" || operation == "descendent-of")) {
    FHIR_TRY(codes, system.Below(value));
    if (operation == "descendent-of") std::erase(codes, value);
    return codes;
  }
  return Fail(NotSupported("the filter " + Quoted(property) + " " + std::string(operation) + " " +
                           Quoted(value) + " is not supported"));
}

Result<const CodeSystem*> Expander::ReadSystem(std::string_view url) {
  if (const auto known = systems_.find(url); known != systems_.end()) {
    return &known->second->system;
  }
  FHIR_TRY(document, find_("CodeSystem", url));
  FHIR_TRY(system, CodeSystem::Read(document->Root()));
  auto stored = std::make_unique<const StoredSystem>(std::move(document), std::move(system));
  return &systems_.emplace(url, std::move(stored)).first->second->system;
}

Result<Concepts> Expander::Below(std::string_view system, std::string_view code) {
  FHIR_TRY(stored, ReadSystem(system));
  FHIR_TRY(codes, stored->Below(code));
  return ConceptsOf(std::string(system), codes);
}

Result<Concepts> Expander::Above(std::string_view system, std::string_view code) {
  FHIR_TRY(stored, ReadSystem(system));
  FHIR_TRY(codes, stored->Above(code));
  return ConceptsOf(std::string(system), codes);
}

}  // namespace fhir::terminology
