#include "fhir/path/type_specifier.h"

#include <algorithm>

#include "fhir/path/element.h"

namespace fhir::path {

namespace {

constexpr std::string_view kSystemTypes[] = {"Any",     "Boolean",  "Date",   "DateTime", "Decimal",
                                             "Integer", "Quantity", "String", "Time"};

bool IsSystemType(std::string_view name) {
  return std::ranges::find(kSystemTypes, name) != std::end(kSystemTypes);
}

}  // namespace

bool IsTypeNamespace(std::string_view name) {
  return name == "FHIR" || name == "System";
}

bool IsKnownType(const TypeSpecifier& type) {
  if (type.type_namespace == "System") return true;
  return IsKnownType(type.name) || (type.type_namespace.empty() && IsSystemType(type.name));
}

bool IsOfType(const Item& item, const TypeSpecifier& type) {
  if (const auto* element = std::get_if<Element>(&item)) {
    return type.type_namespace != "System" && IsOfType(element->type, type.name);
  }
  return type.type_namespace != "FHIR" && (TypeOf(item).name == type.name ||
                                           (type.name == "Any" && type.type_namespace == "System"));
}

bool IsKeptAs(const Item& item, const TypeSpecifier& type) {
  const auto* element = std::get_if<Element>(&item);
  if (element == nullptr || !element->IsPrimitive()) return IsOfType(item, type);
  return type.type_namespace != "System" && TypeOf(item).name == type.name;
}

}  // namespace fhir::path
