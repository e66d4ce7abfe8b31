#include "server/interactions/response_entry.h"

#include <utility>

#include "fhir/base/time.h"
#include "fhir/json/writer.h"
#include "server/routing/outcome.h"
#include "server/runtime/reply.h"

namespace server {
std::string StatusLine(int status) {
  std::string line = std::to_string(status);
  const std::string_view reason = ReasonOf(status);
  if (!reason.empty()) line.append(" ").append(reason);
  return line;
}

void AppendResponseEntry(const ResponseEntry& entry, std::string* out) {
  fhir::json::Writer writer(out);
  writer.BeginObject();
  if (!entry.resource.empty()) writer.Member("resource").Raw(entry.resource);
  writer.Member("response").BeginObject();
  writer.Member("status").String(StatusLine(entry.status));
  if (!entry.location.empty()) writer.Member("location").String(entry.location);
  if (!entry.etag.empty()) writer.Member("etag").String(entry.etag);
  if (!entry.last_modified.empty()) writer.Member("lastModified").String(entry.last_modified);
  if (!entry.outcome.empty()) writer.Member("outcome").Raw(entry.outcome);
  writer.EndObject().EndObject();
}

void AppendReplyEntry(const Reply& reply, std::string* out) {
  const std::string body = reply.body.Flatten();
  std::string last_modified;
  if (reply.modified_ms != 0) last_modified = fhir::FormatInstant(reply.modified_ms);
  const bool is_outcome = body.starts_with(kOutcomeStart);
  AppendResponseEntry(
      {reply.status, reply.location, reply.etag, last_modified,
       is_outcome ? std::string_view() : body, is_outcome ? body : std::string_view()},
      out);
}

Reply AnswerResponses(std::string_view type, std::string entries) {
  std::string head = R"({"resourceType":"Bundle","type":")";
  head.append(type).append("\"");
  Reply reply;
  if (entries.empty()) {
    reply.body.Append(head + "}");
    return reply;
  }
  reply.body.Append(head + ",\"entry\":[");
  reply.body.Append(std::move(entries));
  reply.body.Append("]}");
  return reply;
}

}  // namespace server
