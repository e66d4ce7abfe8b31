// Functions that ask whether items are there (FHIRPath 5.1).
#include "fhir/path/collections.h"
#include "fhir/path/evaluation.h"
#include "fhir/path/functions/function.h"

namespace fhir::path {

namespace {

Result<Collection> Empty(const Call& call) {
  return One(call.Input().empty());
}

// The criteria of `call` on its input's i-th item; empty counts as false.
Result<bool> Holds(const Call& call, std::size_t i) {
  FHIR_TRY(items, call.ForItem(0, call.Input()[i], i));
  FHIR_TRY(holds, ConditionOf(items, call.GetNode().position));
  return holds.value_or(false);
}

Result<Collection> Exists(const Call& call) {
  if (call.ArgumentCount() == 0) return One(!call.Input().empty());
  for (std::size_t i = 0; i < call.Input().size(); ++i) {
    FHIR_TRY(holds, Holds(call, i));
    if (holds) return One(true);
  }
  return One(false);
}

Result<Collection> All(const Call& call) {
  for (std::size_t i = 0; i < call.Input().size(); ++i) {
    FHIR_TRY(holds, Holds(call, i));
    if (!holds) return One(false);
  }
  return One(true);
}

// True if no item is `unwanted` (all…) or some item is `wanted` (any…). Every item must be a Boolean.
Result<bool> HasBoolean(const Call& call, bool wanted) {
  bool found = false;
  for (const Item& item : call.Input()) {
    const auto value = ToSystemValue(item);
    const auto* boolean = value ? std::get_if<bool>(&*value) : nullptr;
    if (boolean == nullptr) return call.FailHere("every item must be a Boolean");
    found = found || *boolean == wanted;
  }
  return found;
}

template <bool kWanted>
Result<Collection> AllAre(const Call& call) {
  FHIR_TRY(found, HasBoolean(call, !kWanted));
  return One(!found);
}

template <bool kWanted>
Result<Collection> AnyIs(const Call& call) {
  FHIR_TRY(found, HasBoolean(call, kWanted));
  return One(found);
}

Result<Collection> IsSubset(const Call& call, Items part, Items whole) {
  ItemSet set(&call.GetEvaluation());
  FHIR_TRY_VOID(set.InsertAll(whole));
  for (const Item& item : part) {
    FHIR_TRY(contained, set.Contains(item));
    if (!contained) return One(false);
  }
  return One(true);
}

Result<Collection> SubsetOf(const Call& call) {
  FHIR_TRY(other, call.Argument(0));
  return IsSubset(call, call.Input(), other);
}

Result<Collection> SupersetOf(const Call& call) {
  FHIR_TRY(other, call.Argument(0));
  return IsSubset(call, other, call.Input());
}

Result<Collection> Count(const Call& call) {
  return One(static_cast<std::int32_t>(call.Input().size()));
}

Result<Collection> Distinct(const Call& call) {
  ItemSet set(&call.GetEvaluation());
  FHIR_TRY_VOID(set.InsertAll(call.Input()));
  return std::move(set).TakeItems();
}

Result<Collection> IsDistinct(const Call& call) {
  ItemSet set(&call.GetEvaluation());
  FHIR_TRY_VOID(set.InsertAll(call.Input()));
  return One(set.GetItems().size() == call.Input().size());
}

Result<Collection> Not(const Call& call) {
  FHIR_TRY(value, ConditionOf(call.Input(), call.GetNode().position));
  return value ? One(!*value) : Collection();
}

constexpr FunctionSpec kFunctions[] = {
    {"empty", 0, 0, &Empty},
    {"exists", 0, 1, &Exists},
    {"all", 1, 1, &All},
    {"allTrue", 0, 0, &AllAre<true>},
    {"allFalse", 0, 0, &AllAre<false>},
    {"anyTrue", 0, 0, &AnyIs<true>},
    {"anyFalse", 0, 0, &AnyIs<false>},
    {"subsetOf", 1, 1, &SubsetOf},
    {"supersetOf", 1, 1, &SupersetOf},
    {"count", 0, 0, &Count},
    {"distinct", 0, 0, &Distinct},
    {"isDistinct", 0, 0, &IsDistinct},
    {"not", 0, 0, &Not},
};

}  // namespace

std::span<const FunctionSpec> ExistenceFunctions() {
  return kFunctions;
}

}  // namespace fhir::path
