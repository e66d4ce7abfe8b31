// The functions that FHIR adds (R4 2.9.1.2): extension(), resolve() and so on.
#include <algorithm>
#include <string>

#include "fhir/path/element.h"
#include "fhir/path/evaluation.h"
#include "fhir/path/functions/function.h"

namespace fhir::path {

namespace {

Result<Collection> Extension(const Call& call) {
  FHIR_TRY(url, call.TextArgument(0));
  Collection found;
  if (!url) return found;
  for (const Item& item : call.Input()) {
    const auto* element = std::get_if<Element>(&item);
    if (element == nullptr) continue;
    Collection extensions;
    AppendMember(*element, "extension", &extensions);
    FHIR_TRY_VOID(call.GetEvaluation().Charge(1 + extensions.size()));
    for (Item& extension : extensions) {
      const json::Value& value = std::get<Element>(extension).value;
      if (value.Find("url").StringOrEmpty() == url->view) found.push_back(std::move(extension));
    }
  }
  return found;
}

// A primitive with a value, not only extensions.
bool IsValue(const Item& item) {
  const auto* element = std::get_if<Element>(&item);
  return element == nullptr || (element->IsPrimitive() && !element->value.IsNone());
}

Result<Collection> HasValue(const Call& call) {
  return One(call.Input().size() == 1 && IsValue(call.Input()[0]));
}

Result<Collection> GetValue(const Call& call) {
  if (call.Input().size() != 1 || !IsValue(call.Input()[0])) return Collection();
  return OneOrNone(ToSystemValue(call.Input()[0]));
}

// The type in "Patient/1", "http://host/fhir/Patient/1/_history/2".
definitions::TypeId TypeInReference(std::string_view reference) {
  reference = reference.substr(0, reference.find("/_history/"));
  const std::size_t id = reference.rfind('/');
  if (id == std::string_view::npos) return definitions::kNoType;
  reference = reference.substr(0, id);
  const std::size_t type = reference.rfind('/');
  const auto name = type == std::string_view::npos ? reference : reference.substr(type + 1);
  return definitions::IsResourceType(name) ? definitions::FindType(name) : definitions::kNoType;
}

std::optional<Item> FindContained(const Element& root, std::string_view id) {
  if (id.empty()) return root;
  const json::Value contained = root.value.Find("contained");
  if (!contained.IsArray()) return std::nullopt;
  for (const json::Value resource : contained.Children()) {
    if (resource.Find("id").StringOrEmpty() == id) return ResourceElement(resource);
  }
  return std::nullopt;
}

Result<std::optional<Item>> ResolveOne(const Call& call, std::string_view reference,
                                       std::string_view declared_type) {
  const EvaluationContext& context = call.GetEvaluation().Context();
  if (reference.starts_with('#')) return FindContained(context.root_resource, reference.substr(1));
  if (context.resolver) {
    if (reference.empty()) return std::nullopt;
    FHIR_TRY(resolved, context.resolver(reference));
    if (!resolved) return std::nullopt;
    if (!resolved->resource.IsNone()) return ResourceElement(resolved->resource);
    return Element{{}, {}, resolved->type};
  }
  const auto type = TypeInReference(reference);
  if (type != definitions::kNoType) return Element{{}, {}, type};
  if (!definitions::IsResourceType(declared_type)) return std::nullopt;
  return Element{{}, {}, definitions::FindType(declared_type)};
}

Result<Collection> Resolve(const Call& call) {
  Collection resources;
  for (const Item& item : call.Input()) {
    FHIR_TRY_VOID(call.GetEvaluation().Charge(1));
    std::string_view reference;
    std::string_view declared_type;
    const auto* element = std::get_if<Element>(&item);
    if (element != nullptr && TypeOf(item).name == "Reference") {
      reference = element->value.Find("reference").StringOrEmpty();
      declared_type = element->value.Find("type").StringOrEmpty();
    } else if (const auto value = ToSystemValue(item)) {
      const auto* text = std::get_if<Text>(&*value);
      if (text != nullptr) reference = text->view;
    }
    FHIR_TRY(resource, ResolveOne(call, reference, declared_type));
    if (resource) resources.push_back(*std::move(resource));
  }
  return resources;
}

// Only R4's own types are known as profiles here.
Result<Collection> ConformsTo(const Call& call) {
  FHIR_TRY(item, call.SingleInput());
  FHIR_TRY(profile, call.TextArgument(0));
  if (!item || !profile) return Collection();
  constexpr std::string_view kBase = "http://hl7.org/fhir/StructureDefinition/";
  const auto* element = std::get_if<Element>(&*item);
  const std::string_view name =
      profile->view.starts_with(kBase) ? profile->view.substr(kBase.size()) : std::string_view();
  if (element == nullptr || !IsKnownType(name)) {
    return Fail(NotSupported("conformsTo() knows no profile of that name"));
  }
  return One(IsOfType(element->type, name));
}

Result<Collection> NoTerminology(const Call&) {
  return Fail(NotSupported("memberOf() needs a terminology service; there is none here"));
}

Result<Collection> NoHtmlChecks(const Call&) {
  return Fail(NotSupported("htmlChecks() is not supported"));
}

constexpr FunctionSpec kFunctions[] = {
    {"extension", 1, 1, &Extension},     {"hasValue", 0, 0, &HasValue},
    {"getValue", 0, 0, &GetValue},       {"resolve", 0, 0, &Resolve},
    {"conformsTo", 1, 1, &ConformsTo},   {"memberOf", 1, 1, &NoTerminology},
    {"htmlChecks", 0, 0, &NoHtmlChecks},
};

}  // namespace

std::span<const FunctionSpec> FhirFunctions() {
  return kFunctions;
}

}  // namespace fhir::path
