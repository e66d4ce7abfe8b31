// Functions that pick items by their place, and set operations without the
// place (FHIRPath 5.3).
#include <algorithm>

#include "fhir/path/collections.h"
#include "fhir/path/evaluation.h"
#include "fhir/path/functions/function.h"

namespace fhir::path {

namespace {

Collection Copy(Items items) {
  return {items.begin(), items.end()};
}

Result<Collection> Single(const Call& call) {
  FHIR_TRY(item, call.SingleInput());
  return OneOrNone(std::move(item));
}

Result<Collection> First(const Call& call) {
  return Copy(call.Input().first(std::min<std::size_t>(1, call.Input().size())));
}

Result<Collection> Last(const Call& call) {
  return Copy(call.Input().last(std::min<std::size_t>(1, call.Input().size())));
}

Result<Collection> Tail(const Call& call) {
  return Copy(call.Input().subspan(std::min<std::size_t>(1, call.Input().size())));
}

// The count that skip() and take() are given, within the input's size.
Result<std::size_t> Place(const Call& call) {
  FHIR_TRY(number, call.IntegerArgument(0));
  if (!number) return call.FailHere("a number is expected");
  return std::min(static_cast<std::size_t>(std::max(*number, 0)), call.Input().size());
}

Result<Collection> Skip(const Call& call) {
  FHIR_TRY(place, Place(call));
  return Copy(call.Input().subspan(place));
}

Result<Collection> Take(const Call& call) {
  FHIR_TRY(place, Place(call));
  return Copy(call.Input().first(place));
}

Result<Collection> Intersect(const Call& call) {
  FHIR_TRY(other, call.Argument(0));
  ItemSet wanted(&call.GetEvaluation());
  FHIR_TRY_VOID(wanted.InsertAll(other));
  ItemSet both(&call.GetEvaluation());
  for (const Item& item : call.Input()) {
    FHIR_TRY(contained, wanted.Contains(item));
    if (contained) FHIR_TRY_VOID(both.Insert(item));
  }
  return std::move(both).TakeItems();
}

// Keeps the order and what occurs twice.
Result<Collection> Exclude(const Call& call) {
  FHIR_TRY(other, call.Argument(0));
  ItemSet unwanted(&call.GetEvaluation());
  FHIR_TRY_VOID(unwanted.InsertAll(other));
  Collection kept;
  for (const Item& item : call.Input()) {
    FHIR_TRY(contained, unwanted.Contains(item));
    if (!contained) kept.push_back(item);
  }
  return kept;
}

constexpr FunctionSpec kFunctions[] = {
    {"single", 0, 0, &Single},
    {"first", 0, 0, &First, false, /*needs_order=*/true},
    {"last", 0, 0, &Last, false, /*needs_order=*/true},
    {"tail", 0, 0, &Tail, false, /*needs_order=*/true},
    {"skip", 1, 1, &Skip, false, /*needs_order=*/true},
    {"take", 1, 1, &Take, false, /*needs_order=*/true},
    {"intersect", 1, 1, &Intersect},
    {"exclude", 1, 1, &Exclude},
};

}  // namespace

std::span<const FunctionSpec> SubsettingFunctions() {
  return kFunctions;
}

}  // namespace fhir::path
