// server/interactions/patch.cc -- PATCH [type]/[id] and PATCH [type]?criteria with a JSON Patch.
#include "server/interactions/patch.h"

#include <memory>
#include <utility>

#include "fhir/base/base64.h"
#include "fhir/base/time.h"
#include "fhir/json/patch.h"
#include "fhir/model/stored_form.h"
#include "server/interactions/criteria.h"
#include "server/interactions/interaction.h"
#include "server/interactions/precondition.h"
#include "server/interactions/write_parameters.h"

namespace server {
namespace {

std::string AsRead(const storage::ResourceView& view) {
  std::string json;
  fhir::model::AppendResource(&json, view.json, view.meta_offset, view.version,
                              fhir::FormatInstant(view.instant_ms));
  return json;
}

fhir::Result<std::string> Patched(const storage::ResourceView& view, std::string_view patch) {
  FHIR_TRY(operations, fhir::json::Document::Parse(patch));
  FHIR_TRY(target, fhir::json::Document::Parse(AsRead(view)));
  return fhir::json::ApplyPatch(target.Root(), operations.Root());
}

// Before the patch is tried: whoever names an old version learns that, not what fails on the new.
// The commit thread checks again.
fhir::Result<void> CheckVersion(const storage::Write& write, std::uint64_t version) {
  if (write.if_none_match_any) {
    return fhir::Fail(fhir::PreconditionFailed("the resource exists, and If-None-Match says *"));
  }
  // With `*` any will do.
  if (!write.if_match || *write.if_match == version) return {};
  return fhir::Fail(fhir::PreconditionFailed("the current version is " + std::to_string(version) +
                                             ", not " + std::to_string(*write.if_match)));
}

fhir::Result<Preparation> PrepareOne(const Request& request, const Context& context,
                                     std::string_view type, std::string_view id,
                                     std::unique_ptr<storage::Transaction> transaction) {
  storage::Write write;
  write.type = type;
  write.id = id;
  FHIR_TRY_VOID(SetPreconditions(request.headers.if_match, request.headers.if_none_match, &write));
  FHIR_TRY(parsed, PatchCurrent(context, request.body, &write));
  return PrepareSingle(request, context, std::move(parsed), std::move(write),
                       std::move(transaction));
}

fhir::Result<Preparation> Patch(const Request& request, const PathParameters& path,
                                const Context& context) {
  FHIR_TRY_VOID(CheckWriteParameters(request, request.query));
  return PrepareOne(request, context, path.type, path.id, std::make_unique<storage::Transaction>());
}

fhir::Result<Preparation> ConditionalPatch(const Request& request, const PathParameters& path,
                                           const Context& context) {
  auto transaction = std::make_unique<storage::Transaction>();
  FHIR_TRY(found, FindByCriteria(request, context, path.type, request.query, transaction.get()));
  if (!found) return fhir::Fail(fhir::NotFound("no resource matches the criteria"));
  return PrepareOne(request, context, path.type, *found, std::move(transaction));
}

}  // namespace

fhir::Result<ParsedResource> PatchCurrent(const Context& context, std::string_view patch,
                                          storage::Write* write) {
  FHIR_TRY(current, context.store->Read(write->type, write->id));
  FHIR_TRY_VOID(CheckVersion(*write, current->view.version));
  FHIR_TRY(json, Patched(current->view, patch));
  FHIR_TRY(parsed, ParseResourceOfType(json, write->type));
  FHIR_TRY_VOID(CheckId(parsed.Root(), write->id));
  write->kind = storage::Write::Kind::kPut;
  write->based_on = current->view.version;
  return std::move(parsed);
}

fhir::Result<std::string> PatchOfEntry(const fhir::json::Value& resource) {
  if (resource.Find("resourceType").StringOrEmpty() != "Binary" ||
      resource.Find("contentType").StringOrEmpty() != kJsonPatch) {
    fhir::Error error = fhir::NotSupported(
        "the resource of a PATCH is a Binary whose contentType is application/json-patch+json");
    error.issues.front().expression = "resource";
    return fhir::Fail(std::move(error));
  }
  auto patch = fhir::DecodeBase64(resource.Find("data").StringOrEmpty());
  if (!patch) return fhir::Fail(fhir::Invalid("the data is no base64", "resource.data"));
  return *std::move(patch);
}

extern const Interaction kPatch;
const Interaction kPatch = {.verb = Verb::kPatch,
                            .shape = PathShape::kInstance,
                            .handler = {.code = "patch", .prepare = &Patch},
                            .listed_as = "patch"};

extern const Interaction kConditionalPatch;
const Interaction kConditionalPatch = {
    .verb = Verb::kPatch,
    .shape = PathShape::kType,
    .handler = {.code = "conditional-patch", .prepare = &ConditionalPatch},
    .listed_as = {}};

}  // namespace server
