#include "server/routing/outcome.h"

#include "fhir/json/writer.h"
#include "server/routing/handler.h"

namespace server {
namespace {

std::string_view ToString(Severity severity) {
  switch (severity) {
    case Severity::kFatal: return "fatal";
    case Severity::kError: return "error";
    case Severity::kWarning: return "warning";
    case Severity::kInformation: return "information";
  }
  return "error";
}

}  // namespace

std::string OperationOutcome(Severity severity, std::span<const fhir::Issue> issues) {
  std::string out(kOutcomeStart);
  fhir::json::Writer writer(&out);
  writer.BeginArray();
  for (const fhir::Issue& issue : issues) {
    writer.BeginObject();
    writer.Member("severity").String(ToString(severity));
    writer.Member("code").String(ToString(issue.code));
    if (!issue.diagnostics.empty()) writer.Member("diagnostics").String(issue.diagnostics);
    if (!issue.expression.empty()) {
      writer.Member("expression").BeginArray().String(issue.expression).EndArray();
    }
    writer.EndObject();
  }
  writer.EndArray();
  out.push_back('}');
  return out;
}

std::string OperationOutcomeOf(const fhir::Error& error) {
  return OperationOutcome(error.http_status == 500 ? Severity::kFatal : Severity::kError,
                          error.issues);
}

Reply ReplyOf(const fhir::Error& error) {
  Reply reply;
  reply.status = error.http_status;
  if (error.retry_after_s > 0) {
    reply.headers.emplace_back("Retry-After", std::to_string(error.retry_after_s));
  }
  reply.body.Append(OperationOutcomeOf(error));
  return reply;
}

}  // namespace server
