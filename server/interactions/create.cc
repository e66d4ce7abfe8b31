// server/interactions/create.cc -- POST [type], If-None-Exist too (R4 3.1.0.8).
#include <memory>
#include <optional>
#include <utility>

#include "server/interactions/criteria.h"
#include "server/interactions/interaction.h"
#include "server/interactions/prepare_write.h"
#include "server/interactions/write_parameters.h"

namespace server {
namespace {

// The resource that was there already.
fhir::Result<Preparation> AnswerExisting(const Request& request, const Context& context,
                                         std::string_view type, const std::string& id) {
  FHIR_TRY(resource, context.store->Read(type, id));
  const storage::ResourceView& view = resource->view;
  WrittenResource written{
      request.base_url, std::string(type), id, ParsePreference(request.headers.prefer).answer, {},
      view.meta_offset};
  if (written.WantsRepresentation()) written.json = view.json;
  return AnswerWrite(written,
                     {storage::WriteOutcome::Status::kUnchanged, view.version, view.instant_ms});
}

bool IsGone(const fhir::Error& error) {
  return error.http_status == 404 || error.http_status == 410;
}

fhir::Result<Preparation> Create(const Request& request, const PathParameters& path,
                                 const Context& context) {
  FHIR_TRY_VOID(CheckWriteParameters(request, request.query));
  FHIR_TRY(parsed, ParseResourceOfType(request.body, path.type));
  auto transaction = std::make_unique<storage::Transaction>();
  if (!request.headers.if_none_exist.empty()) {
    FHIR_TRY(found, FindByCriteria(request, context, path.type, request.headers.if_none_exist,
                                   transaction.get()));
    if (found) {
      fhir::Result<Preparation> existing = AnswerExisting(request, context, path.type, *found);
      if (existing || !IsGone(existing.error())) return existing;
      // Deleted between the search and the read.
      return fhir::Fail(fhir::Conflict("the matching resource is being deleted; try again"));
    }
  }
  storage::Write write;
  write.kind = storage::Write::Kind::kCreate;
  write.type = path.type;
  write.id = context.ids->Next(request.received_ms);
  return PrepareSingle(request, context, std::move(parsed), std::move(write),
                       std::move(transaction));
}

}  // namespace

extern const Interaction kCreate;
const Interaction kCreate = {.verb = Verb::kPost,
                             .shape = PathShape::kType,
                             .handler = {.code = "create", .prepare = &Create},
                             .listed_as = "create"};

}  // namespace server
