// server/interactions/update.cc -- PUT [type]/[id] and PUT [type]?criteria (R4 3.1.0.4). Creates
// too.
#include <memory>
#include <utility>

#include "fhir/search/query.h"
#include "server/interactions/criteria.h"
#include "server/interactions/interaction.h"
#include "server/interactions/precondition.h"
#include "server/interactions/prepare_write.h"
#include "server/interactions/write_parameters.h"

namespace server {
namespace {

fhir::Result<Preparation> Update(const Request& request, const PathParameters& path,
                                 const Context& context) {
  FHIR_TRY_VOID(CheckWriteParameters(request, request.query));
  FHIR_TRY(parsed, ParseResourceOfType(request.body, path.type));
  FHIR_TRY_VOID(CheckId(parsed.Root(), path.id));
  storage::Write write;
  write.kind = storage::Write::Kind::kPut;
  write.type = path.type;
  write.id = path.id;
  FHIR_TRY_VOID(SetPreconditions(request.headers.if_match, request.headers.if_none_match, &write));
  return PrepareSingle(request, context, std::move(parsed), std::move(write),
                       std::make_unique<storage::Transaction>());
}

fhir::Result<Preparation> ConditionalUpdate(const Request& request, const PathParameters& path,
                                            const Context& context) {
  FHIR_TRY(parsed, ParseResourceOfType(request.body, path.type));
  auto transaction = std::make_unique<storage::Transaction>();
  FHIR_TRY(found, FindByCriteria(request, context, path.type, request.query, transaction.get()));
  storage::Write write;
  write.type = path.type;
  FHIR_TRY_VOID(SetPreconditions(request.headers.if_match, request.headers.if_none_match, &write));
  FHIR_TRY_VOID(
      SetConditionalTarget(parsed.Root(), found, context.ids->Next(request.received_ms), &write));
  return PrepareSingle(request, context, std::move(parsed), std::move(write),
                       std::move(transaction));
}

}  // namespace

extern const Interaction kUpdate;
const Interaction kUpdate = {.verb = Verb::kPut,
                             .shape = PathShape::kInstance,
                             .handler = {.code = "update", .prepare = &Update},
                             .listed_as = "update"};

extern const Interaction kConditionalUpdate;
const Interaction kConditionalUpdate = {
    .verb = Verb::kPut,
    .shape = PathShape::kType,
    .handler = {.code = "conditional-update", .prepare = &ConditionalUpdate},
    .listed_as = {}};

}  // namespace server
