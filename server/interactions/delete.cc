// server/interactions/delete.cc -- DELETE [type]/[id] and DELETE [type]?criteria (R4 3.1.0.7).
//
// Deleting what is not there is no error: 204 both times.
#include <memory>
#include <optional>
#include <utility>

#include "server/interactions/criteria.h"
#include "server/interactions/interaction.h"
#include "server/interactions/own_parameters.h"
#include "server/interactions/precondition.h"
#include "server/interactions/resource_answer.h"
#include "server/interactions/write_parameters.h"

namespace server {
namespace {

fhir::Result<Preparation> PrepareDelete(const Request& request, const Context& context,
                                        std::string_view type, std::string_view id,
                                        std::unique_ptr<storage::Transaction> transaction) {
  storage::Write write;
  write.kind = storage::Write::Kind::kDelete;
  write.type = type;
  write.id = id;
  FHIR_TRY_VOID(SetPreconditions(request.headers.if_match, {}, &write));
  transaction->writes.push_back(std::move(write));
  transaction->instant_ms = request.received_ms;
  if (transaction->registry == nullptr) {
    transaction->registry = storage::SharedRegistryOf(*context.store->Latest());
  }
  FHIR_TRY_VOID(PlanRegistryOfOne(transaction.get()));
  PreparedWrite prepared;
  prepared.transaction = std::move(transaction);
  prepared.answer = [](const storage::CommitResult& result) -> fhir::Result<Reply> {
    if (result.status != storage::CommitResult::Status::kCommitted) return fhir::Fail(result.error);
    return AnswerDelete(result.outcomes.front());
  };
  return prepared;
}

fhir::Result<Preparation> Delete(const Request& request, const PathParameters& path,
                                 const Context& context) {
  FHIR_TRY_VOID(CheckWriteParameters(request, request.query));
  return PrepareDelete(request, context, path.type, path.id,
                       std::make_unique<storage::Transaction>());
}

fhir::Result<Preparation> ConditionalDelete(const Request& request, const PathParameters& path,
                                            const Context& context) {
  auto transaction = std::make_unique<storage::Transaction>();
  FHIR_TRY(found, FindByCriteria(request, context, path.type, request.query, transaction.get()));
  if (!found) return AnswerDelete({storage::WriteOutcome::Status::kNothingToDelete, 0, 0});
  return PrepareDelete(request, context, path.type, *found, std::move(transaction));
}

}  // namespace

extern const Interaction kDelete;
const Interaction kDelete = {.verb = Verb::kDelete,
                             .shape = PathShape::kInstance,
                             .handler = {.code = "delete", .prepare = &Delete},
                             .listed_as = "delete"};

extern const Interaction kConditionalDelete;
const Interaction kConditionalDelete = {
    .verb = Verb::kDelete,
    .shape = PathShape::kType,
    .handler = {.code = "conditional-delete", .prepare = &ConditionalDelete},
    .listed_as = {}};

}  // namespace server
