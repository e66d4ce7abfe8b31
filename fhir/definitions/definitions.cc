#include "fhir/definitions/definitions.h"

#include <algorithm>
#include <tuple>

#include "fhir/definitions/generated_tables.h"

namespace fhir::definitions {

namespace {

// The row of that name in rows sorted by name, or null.
template <class Row>
const Row* FindByName(std::span<const Row> rows, std::string_view name) {
  const auto found = std::ranges::lower_bound(rows, name, {}, &Row::name);
  return found != rows.end() && found->name == name ? &*found : nullptr;
}

}  // namespace

std::string_view ToString(SearchType type) {
  switch (type) {
    case SearchType::kNumber: return "number";
    case SearchType::kDate: return "date";
    case SearchType::kString: return "string";
    case SearchType::kToken: return "token";
    case SearchType::kReference: return "reference";
    case SearchType::kComposite: return "composite";
    case SearchType::kQuantity: return "quantity";
    case SearchType::kUri: return "uri";
    case SearchType::kSpecial: return "special";
  }
  return {};
}

std::span<const Type> Types() {
  return kTypes;
}
std::span<const Element> AllElements() {
  return kElements;
}
std::span<const SearchParameterDefinition> SearchParameters() {
  return kSearchParameters;
}
std::span<const CompartmentMember> CompartmentMembers() {
  return kCompartmentMembers;
}

TypeId FindType(std::string_view name) {
  const Type* type = FindByName(kTypes, name);
  return type != nullptr ? static_cast<TypeId>(type - kTypes.data()) : kNoType;
}

const Type& GetType(TypeId id) {
  return kTypes[id];
}

bool IsResourceType(std::string_view name) {
  return GetType(FindType(name)).kind == TypeKind::kResource;
}

std::span<const Element> ElementsOf(TypeId type) {
  return kElements.subspan(kTypes[type].first_element, kTypes[type].element_count);
}

const Element* FindElement(TypeId type, std::string_view name) {
  return FindByName(ElementsOf(type), name);
}

const CompartmentMember* FindCompartmentMember(std::string_view compartment,
                                               std::string_view resource_type) {
  const auto key = [](const CompartmentMember& member) {
    return std::tie(member.compartment, member.resource_type);
  };
  const auto wanted = std::tie(compartment, resource_type);
  const auto found = std::ranges::lower_bound(kCompartmentMembers, wanted, {}, key);
  return found != kCompartmentMembers.end() && key(*found) == wanted ? &*found : nullptr;
}

}  // namespace fhir::definitions
