// union() and combine() (FHIRPath 5.4).
#include "fhir/path/collections.h"
#include "fhir/path/evaluation.h"
#include "fhir/path/functions/function.h"

namespace fhir::path {

namespace {

Result<Collection> Union(const Call& call) {
  FHIR_TRY(other, call.Argument(0));
  ItemSet set(&call.GetEvaluation());
  FHIR_TRY_VOID(set.InsertAll(call.Input()));
  FHIR_TRY_VOID(set.InsertAll(other));
  return std::move(set).TakeItems();
}

Result<Collection> Combine(const Call& call) {
  FHIR_TRY(other, call.Argument(0));
  Collection both(call.Input().begin(), call.Input().end());
  both.insert(both.end(), other.begin(), other.end());
  return both;
}

constexpr FunctionSpec kFunctions[] = {
    {"union", 1, 1, &Union},
    {"combine", 1, 2, &Combine},
};

}  // namespace

std::span<const FunctionSpec> CombiningFunctions() {
  return kFunctions;
}

}  // namespace fhir::path
