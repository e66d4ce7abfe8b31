// children() and descendants() (FHIRPath 5.8), and the types of items (6.3).
#include "fhir/path/element.h"
#include "fhir/path/evaluation.h"
#include "fhir/path/functions/function.h"
#include "fhir/path/operators.h"
#include "fhir/path/type_specifier.h"

namespace fhir::path {

namespace {

// Appends the children of all `items`.
Result<void> AppendAllChildren(const Call& call, Items items, Collection* out) {
  for (const Item& item : items) {
    const std::size_t before = out->size();
    if (const auto* element = std::get_if<Element>(&item)) AppendChildren(*element, out);
    FHIR_TRY_VOID(call.GetEvaluation().Charge(1 + out->size() - before));
  }
  return {};
}

Result<Collection> Children(const Call& call) {
  Collection out;
  FHIR_TRY_VOID(AppendAllChildren(call, call.Input(), &out));
  return out;
}

Result<Collection> Descendants(const Call& call) {
  Collection out;
  FHIR_TRY_VOID(AppendAllChildren(call, call.Input(), &out));
  for (std::size_t i = 0; i < out.size(); ++i) {
    const Item parent = out[i];  // A copy: appending moves the items.
    FHIR_TRY_VOID(AppendAllChildren(call, Items(&parent, 1), &out));
  }
  return out;
}

Result<Collection> Is(const Call& call) {
  FHIR_TRY(item, call.SingleInput());
  if (!item) return Collection();
  return One(IsOfType(*item, call.GetNode().type));
}

Result<Collection> As(const Call& call) {
  return TestType(call.GetEvaluation(), call.GetNode(), call.Input());
}

Result<Collection> Type(const Call& call) {
  Collection types;
  for (const Item& item : call.Input()) types.emplace_back(TypeOf(item));
  return types;
}

constexpr FunctionSpec kFunctions[] = {
    {"children", 0, 0, &Children},
    {"descendants", 0, 0, &Descendants},
    {"is", 1, 1, &Is, /*takes_type=*/true},
    {"as", 1, 1, &As, /*takes_type=*/true},
    {"type", 0, 0, &Type},
};

}  // namespace

std::span<const FunctionSpec> NavigationFunctions() {
  return kFunctions;
}

}  // namespace fhir::path
