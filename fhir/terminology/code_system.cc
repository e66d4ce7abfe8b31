#include "fhir/terminology/code_system.h"

#include <algorithm>
#include <utility>

namespace fhir::terminology {
namespace {

std::string Quoted(std::string_view text) {
  return "'" + std::string(text) + "'";
}

// value[x] of a concept's property: its member, or None.
json::Value ValueOf(const json::Value& property) {
  for (const json::Value member : property.Children()) {
    if (member.Name().starts_with("value")) return member;
  }
  return {};
}

}  // namespace

Result<CodeSystem> CodeSystem::Read(const json::Value& resource) {
  CodeSystem system;
  system.url_ = resource.Find("url").StringOrEmpty();
  const std::string_view content = resource.Find("content").StringOrEmpty();
  if (content != "complete") {
    return Fail(NotSupported("the CodeSystem " + Quoted(system.url_) +
                             " is not stored with all of its concepts: its content is " +
                             Quoted(content)));
  }
  system.hierarchy_meaning_ = resource.Find("hierarchyMeaning").StringOrEmpty();
  if (const json::Value properties = resource.Find("property"); properties.IsArray()) {
    for (const json::Value property : properties.Children()) {
      system.properties_.emplace(property.Find("code").StringOrEmpty(),
                                 property.Find("uri").StringOrEmpty());
    }
  }
  system.AddConcepts(resource.Find("concept"), kNoParent);
  for (std::uint32_t i = 0; i < system.nodes_.size(); ++i) system.AddLinksOf(i);
  return system;
}

// Nesting is bounded by json::kMaxDepth.
void CodeSystem::AddConcepts(const json::Value& list, std::uint32_t parent) {
  if (!list.IsArray()) return;
  for (const json::Value item : list.Children()) {
    const std::string_view code = item.Find("code").StringOrEmpty();
    const auto added = static_cast<std::uint32_t>(nodes_.size());
    const auto [known, is_new] = by_code_.try_emplace(code, added);
    if (is_new) nodes_.push_back({item, code, {}, {}});
    if (parent != kNoParent) Link(parent, known->second);
    AddConcepts(item.Find("concept"), known->second);
  }
}

void CodeSystem::AddLinksOf(std::uint32_t concept_number) {
  const json::Value properties = nodes_[concept_number].value.Find("property");
  if (!properties.IsArray()) return;
  for (const json::Value property : properties.Children()) {
    const std::string_view code = property.Find("code").StringOrEmpty();
    const bool is_parent = Means(code, "parent");
    if (!is_parent && !Means(code, "child")) continue;
    const json::Value value = ValueOf(property);
    if (value.IsNone()) continue;
    const auto other = by_code_.find(value.StringOrEmpty());
    if (other == by_code_.end()) continue;
    if (is_parent) {
      Link(other->second, concept_number);
    } else {
      Link(concept_number, other->second);
    }
  }
}

void CodeSystem::Link(std::uint32_t parent, std::uint32_t child) {
  nodes_[parent].children.push_back(child);
  nodes_[child].parents.push_back(parent);
}

bool CodeSystem::Means(std::string_view property, std::string_view meaning) const {
  const auto known = properties_.find(property);
  if (known != properties_.end() && !known->second.empty()) {
    constexpr std::string_view kStandard = "http://hl7.org/fhir/concept-properties#";
    const std::string_view uri = known->second;
    if (uri.starts_with(kStandard)) return uri.substr(kStandard.size()) == meaning;
  }
  return property == meaning || (meaning == "parent" && property == "subsumedBy");
}

std::vector<std::string_view> CodeSystem::Codes() const {
  std::vector<std::string_view> codes;
  codes.reserve(nodes_.size());
  for (const Node& node : nodes_) codes.push_back(node.code);
  return codes;
}

Result<std::uint32_t> CodeSystem::Find(std::string_view code) const {
  const auto found = by_code_.find(code);
  if (found != by_code_.end()) return found->second;
  return Fail(Invalid("the CodeSystem " + Quoted(url_) + " has no concept " + Quoted(code)));
}

Result<void> CodeSystem::CheckHierarchy() const {
  if (hierarchy_meaning_.empty() || hierarchy_meaning_ == "is-a") return {};
  return Fail(NotSupported("the hierarchy of the CodeSystem " + Quoted(url_) + " means " +
                           Quoted(hierarchy_meaning_) + ", not 'is-a'"));
}

Result<std::vector<std::string_view>> CodeSystem::Below(std::string_view code) const {
  return Follow(code, &Node::children);
}

Result<std::vector<std::string_view>> CodeSystem::Above(std::string_view code) const {
  return Follow(code, &Node::parents);
}

Result<std::vector<std::string_view>> CodeSystem::Follow(std::string_view code, Links links) const {
  FHIR_TRY(first, Find(code));
  FHIR_TRY_VOID(CheckHierarchy());
  std::vector<bool> seen(nodes_.size());
  std::vector<std::uint32_t> reached = {first};
  seen[first] = true;
  for (std::size_t i = 0; i < reached.size(); ++i) {
    for (const std::uint32_t next : nodes_[reached[i]].*links) {
      if (seen[next]) continue;
      seen[next] = true;
      reached.push_back(next);
    }
  }
  std::vector<std::string_view> codes;
  codes.reserve(reached.size());
  for (const std::uint32_t number : reached) codes.push_back(nodes_[number].code);
  return codes;
}

std::vector<std::string_view> CodeSystem::Linked(std::string_view code, Links links) const {
  std::vector<std::string_view> codes;
  const auto found = by_code_.find(code);
  if (found == by_code_.end()) return codes;
  for (const std::uint32_t number : nodes_[found->second].*links) {
    codes.push_back(nodes_[number].code);
  }
  return codes;
}

Result<std::vector<std::string_view>> CodeSystem::WithProperty(std::string_view property,
                                                               std::string_view value) const {
  // The concepts whose parent is `value` are its children.
  if (Means(property, "parent")) return Linked(value, &Node::children);
  if (Means(property, "child")) return Linked(value, &Node::parents);
  std::vector<std::string_view> codes;
  if (property == "code" || property == "concept") {
    if (by_code_.contains(value)) codes.push_back(by_code_.find(value)->first);
    return codes;
  }
  if (!properties_.contains(property)) {
    return Fail(
        NotSupported("the CodeSystem " + Quoted(url_) + " has no property " + Quoted(property)));
  }
  for (const Node& node : nodes_) {
    const json::Value properties = node.value.Find("property");
    if (!properties.IsArray()) continue;
    for (const json::Value item : properties.Children()) {
      if (item.Find("code").StringOrEmpty() != property) continue;
      const json::Value found = ValueOf(item);
      if (found.IsNone()) continue;
      if (found.IsObject()) {
        return Fail(NotSupported("the property " + Quoted(property) + " of the CodeSystem " +
                                 Quoted(url_) + " has codings as values"));
      }
      if (found.Text() == value && (codes.empty() || codes.back() != node.code)) {
        codes.push_back(node.code);
      }
    }
  }
  return codes;
}

}  // namespace fhir::terminology
