#include "fhir/path/element.h"

#include <algorithm>
#include <array>
#include <utility>

namespace fhir::path {

namespace {

using definitions::FindElement;
using definitions::FindType;
using definitions::TypeId;
using definitions::TypeKind;

// What a primitive's base is, if not Element (R4 2.24.0).
constexpr std::pair<std::string_view, std::string_view> kPrimitiveBases[] = {
    {"canonical", "uri"},
    {"code", "string"},
    {"id", "string"},
    {"markdown", "string"},
    {"oid", "uri"},
    {"url", "uri"},
    {"positiveInt", "integer"},
    {"unsignedInt", "integer"},
    {"uuid", "uri"},
};

bool IsAbstract(TypeId type) {
  return definitions::GetType(type).kind == TypeKind::kAbstract;
}

Element MakeElement(const json::Value& value, const json::Value& extras, TypeId declared) {
  if (IsAbstract(declared)) return ResourceElement(value);
  const bool has_value = !value.IsNone() && value.GetKind() != json::Kind::kNull;
  return {has_value ? value : json::Value(), extras.IsObject() ? extras : json::Value(), declared};
}

// A primitive's halves; each may be an array, paired by place (R4 2.6.2.3).
void AppendPaired(const json::Value& value, const json::Value& extras, TypeId type,
                  Collection* out) {
  const auto add = [&](const json::Value& item, const json::Value& item_extras) {
    Element element = MakeElement(item, item_extras, type);
    if (!element.value.IsNone() || !element.extras.IsNone()) out->emplace_back(element);
  };
  const bool value_repeats = value.IsArray();
  const bool extras_repeat = extras.IsArray();
  if (!value_repeats && !extras_repeat) return add(value, extras);
  const auto children = [](const json::Value& array) {
    std::vector<json::Value> items;
    if (array.IsArray()) {
      for (const json::Value item : array.Children()) items.push_back(item);
    }
    return items;
  };
  if (!extras_repeat) {
    for (const json::Value item : value.Children()) add(item, {});
    return;
  }
  const auto items = children(value);
  const auto item_extras = children(extras);
  for (std::size_t i = 0; i < std::max(items.size(), item_extras.size()); ++i) {
    add(i < items.size() ? items[i] : json::Value(),
        i < item_extras.size() ? item_extras[i] : json::Value());
  }
}

// `member` of an object whose type is known; `name` is its name without the underscore.
void AppendJsonMember(const json::Value& object, const definitions::Element& definition,
                      const json::Value& member, std::string_view name, Collection* out) {
  const bool is_extras = member.Name().size() != name.size();
  if (definitions::GetType(definition.type).kind != TypeKind::kPrimitive) {
    if (is_extras) return;
    if (!member.IsArray()) {
      out->emplace_back(MakeElement(member, {}, definition.type));
      return;
    }
    for (const json::Value item : member.Children()) {
      out->emplace_back(MakeElement(item, {}, definition.type));
    }
    return;
  }
  if (is_extras) {
    // Its other half comes under its own name, and takes this with it.
    if (object.Find(name).IsNone()) AppendPaired({}, member, definition.type, out);
    return;
  }
  std::string extras_name = "_";
  extras_name += name;
  AppendPaired(member, object.Find(extras_name), definition.type, out);
}

// Where the members of an element stand: a primitive has only an id and extensions.
json::Value ObjectOf(const Element& element) {
  return element.IsPrimitive() ? element.extras : element.value;
}

template <class Accepts>
void AppendWhere(const Element& element, const Accepts& accepts, Collection* out) {
  const json::Value object = ObjectOf(element);
  if (!object.IsObject()) return;
  for (const json::Value member : object.Children()) {
    std::string_view name = member.Name();
    if (name.starts_with('_')) name.remove_prefix(1);
    if (!accepts(name)) continue;
    const definitions::Element* definition = FindElement(element.type, name);
    if (definition != nullptr) AppendJsonMember(object, *definition, member, name, out);
  }
}

}  // namespace

Element ResourceElement(const json::Value& resource) {
  const TypeId type = FindType(resource.Find("resourceType").StringOrEmpty());
  const bool known = definitions::GetType(type).kind == TypeKind::kResource;
  return {resource, {}, known ? type : FindType("Resource")};
}

void AppendMember(const Element& element, std::string_view name, Collection* out) {
  const definitions::Element* definition = FindElement(element.type, name);
  if (definition == nullptr) {
    const auto is_choice = [&](std::string_view member) {
      if (!member.starts_with(name)) return false;
      const definitions::Element* found = FindElement(element.type, member);
      return found != nullptr && found->choice == name;
    };
    AppendWhere(element, is_choice, out);
  } else if (definition->choice.empty()) {
    AppendWhere(element, [name](std::string_view member) { return member == name; }, out);
  }
}

void AppendChildren(const Element& element, Collection* out) {
  AppendWhere(element, [](std::string_view) { return true; }, out);
}

bool HasMember(TypeId type, std::string_view name) {
  return std::ranges::any_of(definitions::ElementsOf(type), [name](const auto& definition) {
    return definition.choice.empty() ? definition.name == name : definition.choice == name;
  });
}

bool IsOfType(TypeId type, std::string_view ancestor) {
  const definitions::Type& row = definitions::GetType(type);
  if (row.name == ancestor) return true;
  switch (row.kind) {
    case TypeKind::kResource:
    case TypeKind::kAbstract:
      return ancestor == "Resource" ||
             (ancestor == "DomainResource" && FindElement(type, "contained") != nullptr);
    case TypeKind::kBackbone: return ancestor == "BackboneElement" || ancestor == "Element";
    case TypeKind::kComplex:
      if (ancestor == "Quantity") {
        return row.name == "Age" || row.name == "Count" || row.name == "Distance" ||
               row.name == "Duration";
      }
      return ancestor == "Element" ||
             (ancestor == "BackboneElement" && FindElement(type, "modifierExtension") != nullptr);
    case TypeKind::kPrimitive: {
      const auto base = std::ranges::find(kPrimitiveBases, row.name,
                                          &std::pair<std::string_view, std::string_view>::first);
      return ancestor == "Element" ||
             (base != std::end(kPrimitiveBases) && base->second == ancestor);
    }
  }
  return false;
}

bool IsKnownType(std::string_view name) {
  return name == "Element" || name == "BackboneElement" || FindType(name) != definitions::kNoType;
}

}  // namespace fhir::path
