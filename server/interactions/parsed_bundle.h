// server/interactions/parsed_bundle.h
//
// A batch or transaction as it was POSTed to [base].
#pragma once

#include "fhir/model/bundle.h"
#include "server/interactions/prepare_write.h"
#include "server/routing/handler.h"

namespace server {

struct ParsedBundle {
  ParsedResource source;
  fhir::model::Bundle bundle;  // Views and cursors into `source`.
};

// batch.cc. Faults of single entries stand in the plan.
BatchPlan PlanBatch(ParsedBundle parsed, const Request& request);

// transaction.cc. Errors name the entry.
fhir::Result<Preparation> PrepareTransaction(ParsedBundle parsed, const Request& request,
                                             const Context& context);

}  // namespace server
