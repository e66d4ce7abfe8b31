#include "server/interactions/resource_answer.h"

#include "fhir/base/time.h"
#include "fhir/model/stored_form.h"
#include "server/interactions/precondition.h"
#include "server/routing/outcome.h"

namespace server {
namespace {

std::string_view Describe(storage::WriteOutcome::Status status) {
  switch (status) {
    case storage::WriteOutcome::Status::kCreated: return "created";
    case storage::WriteOutcome::Status::kUpdated: return "updated";
    case storage::WriteOutcome::Status::kUnchanged: return "unchanged";
    case storage::WriteOutcome::Status::kDeleted: return "deleted";
    case storage::WriteOutcome::Status::kNothingToDelete: return "nothing to delete";
  }
  return {};
}

}  // namespace

std::string ETagOf(std::uint64_t version) {
  return "W/\"" + std::to_string(version) + "\"";
}

void SetVersion(std::uint64_t version, std::int64_t instant_ms, Reply* reply) {
  reply->etag = ETagOf(version);
  reply->modified_ms = instant_ms;
}

std::string VersionUrl(std::string_view base_url, std::string_view type, std::string_view id,
                       std::uint64_t version) {
  std::string url(base_url);
  url.append("/").append(type).append("/").append(id);
  return url.append("/_history/").append(std::to_string(version));
}

Body BodyOf(std::shared_ptr<const storage::CachedResource> resource) {
  const storage::ResourceView& view = resource->view;
  const std::string_view before = view.json.substr(0, view.meta_offset);
  const std::string_view after = view.json.substr(view.meta_offset);
  std::string version = "\"versionId\":\"" + std::to_string(view.version);
  version.append("\",\"lastUpdated\":\"").append(fhir::FormatInstant(view.instant_ms));
  version.append(after.starts_with('}') ? "\"" : "\",");
  Body body;
  body.AppendShared(before, resource);
  body.Append(std::move(version));
  body.AppendShared(after, std::move(resource));
  return body;
}

Reply AnswerRead(const RequestHeaders& headers,
                 std::shared_ptr<const storage::CachedResource> resource) {
  Reply reply;
  SetVersion(resource->view.version, resource->view.instant_ms, &reply);
  if (IsNotModified(headers, resource->view.version, resource->view.instant_ms)) {
    reply.status = 304;
    return reply;
  }
  reply.body = BodyOf(std::move(resource));
  return reply;
}

Reply AnswerWrite(const WrittenResource& written, const storage::WriteOutcome& outcome) {
  Reply reply;
  reply.status = outcome.status == storage::WriteOutcome::Status::kCreated ? 201 : 200;
  SetVersion(outcome.version, outcome.instant_ms, &reply);
  reply.location = VersionUrl(written.base_url, written.type, written.id, outcome.version);
  if (written.WantsRepresentation()) {
    std::string json;
    fhir::model::AppendResource(&json, written.json, written.meta_offset, outcome.version,
                                fhir::FormatInstant(outcome.instant_ms));
    reply.body.Append(std::move(json));
  } else if (written.answer == Preference::Return::kOperationOutcome) {
    const fhir::Issue issue{
        fhir::IssueCode::kInformational, std::string(Describe(outcome.status)), {}};
    reply.body.Append(OperationOutcome(Severity::kInformation, {&issue, 1}));
  }
  return reply;
}

Reply AnswerDelete(const storage::WriteOutcome& outcome) {
  Reply reply;
  reply.status = 204;
  if (outcome.version > 0) reply.etag = ETagOf(outcome.version);
  return reply;
}

}  // namespace server
