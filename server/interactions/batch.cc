// server/interactions/batch.cc -- a batch: every entry is a request of its own.
//
// References between entries are not resolved (R4 3.1.0.11.1: entries are
// independent of one another).
#include <string>
#include <utility>

#include "fhir/json/writer.h"
#include "server/interactions/entry_request.h"
#include "server/interactions/parsed_bundle.h"
#include "server/interactions/patch.h"
#include "server/interactions/preference.h"
#include "server/interactions/response_entry.h"

namespace server {
namespace {

// What is written is sent back only where the client asks for it.
void SayReturn(Request* request) {
  if (ParsePreference(request->headers.prefer).answer != Preference::Return::kUnsaid) return;
  std::string& prefer = request->headers.prefer;
  prefer.append(prefer.empty() ? "" : ", ").append("return=minimal");
}

fhir::Result<void> SetBody(const fhir::json::Value& resource, Request* request) {
  if (request->verb == Verb::kPatch) {
    FHIR_TRY(patch, PatchOfEntry(resource));
    request->headers.content_type = kJsonPatch;
    request->body = std::move(patch);
  } else if (!resource.IsNone()) {
    fhir::json::AppendValue(&request->body, resource);
  }
  return {};
}

BatchPlan::Entry PlanEntry(fhir::model::BundleEntry entry, const Request& bundle) {
  BatchPlan::Entry planned;
  if (entry.error) {
    planned.error = std::move(entry.error);
    return planned;
  }
  fhir::Result<Request> request = RequestOf(entry, bundle);
  const fhir::Result<void> complete =
      request ? SetBody(entry.resource, &*request) : fhir::Fail(request.error());
  if (!complete) {
    planned.error =
        fhir::Within("Bundle.entry[" + std::to_string(entry.index) + "]", complete.error());
    return planned;
  }
  planned.request = *std::move(request);
  SayReturn(&planned.request);
  return planned;
}

}  // namespace

BatchPlan PlanBatch(ParsedBundle parsed, const Request& request) {
  BatchPlan plan;
  plan.entries.reserve(parsed.bundle.entries.size());
  for (fhir::model::BundleEntry& entry : parsed.bundle.entries) {
    plan.entries.push_back(PlanEntry(std::move(entry), request));
  }
  return plan;
}

Reply BatchResponse(std::vector<Reply> replies) {
  constexpr std::size_t kTypicalFrame = 256;
  std::size_t bytes = 0;
  for (const Reply& reply : replies) bytes += reply.body.Size() + kTypicalFrame;
  std::string entries;
  entries.reserve(bytes);
  for (Reply& reply : replies) {
    if (!entries.empty()) entries.push_back(',');
    AppendReplyEntry(reply, &entries);
    reply = Reply();  // Not twice in memory.
  }
  return AnswerResponses("batch-response", std::move(entries));
}

}  // namespace server
