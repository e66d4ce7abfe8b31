// fhir/base/error.cc
//
// The table of errors: which issue code goes with which HTTP status.
#include "fhir/base/result.h"

namespace fhir {
namespace {

Error MakeError(int http_status, IssueCode code, std::string diagnostics,
                std::string expression = {}) {
  Error error;
  error.http_status = http_status;
  error.issues.push_back({code, std::move(diagnostics), std::move(expression)});
  return error;
}

bool BeginsWithTypeName(std::string_view expression) {
  return !expression.empty() && expression.front() >= 'A' && expression.front() <= 'Z';
}

}  // namespace

std::string_view ToString(IssueCode code) {
  switch (code) {
    case IssueCode::kInvalid: return "invalid";
    case IssueCode::kStructure: return "structure";
    case IssueCode::kValue: return "value";
    case IssueCode::kNotSupported: return "not-supported";
    case IssueCode::kNotFound: return "not-found";
    case IssueCode::kDeleted: return "deleted";
    case IssueCode::kMultipleMatches: return "multiple-matches";
    case IssueCode::kConflict: return "conflict";
    case IssueCode::kBusinessRule: return "business-rule";
    case IssueCode::kTooLong: return "too-long";
    case IssueCode::kTooCostly: return "too-costly";
    case IssueCode::kThrottled: return "throttled";
    case IssueCode::kTimeout: return "timeout";
    case IssueCode::kTransient: return "transient";
    case IssueCode::kException: return "exception";
    case IssueCode::kInformational: return "informational";
  }
  return "exception";
}

Error Invalid(std::string diagnostics, std::string expression) {
  return MakeError(400, IssueCode::kInvalid, std::move(diagnostics), std::move(expression));
}

Error InvalidStructure(std::vector<Issue> issues) {
  Error error;
  error.http_status = 400;
  error.issues = std::move(issues);
  return error;
}

Error NotSupported(std::string diagnostics) {
  return MakeError(400, IssueCode::kNotSupported, std::move(diagnostics));
}

Error NotAcceptable(std::string diagnostics) {
  return MakeError(406, IssueCode::kNotSupported, std::move(diagnostics));
}

Error UnsupportedMediaType(std::string diagnostics) {
  return MakeError(415, IssueCode::kNotSupported, std::move(diagnostics));
}

Error MethodNotAllowed(std::string diagnostics) {
  return MakeError(405, IssueCode::kNotSupported, std::move(diagnostics));
}

Error TooLarge(std::string diagnostics) {
  return MakeError(413, IssueCode::kTooLong, std::move(diagnostics));
}

Error Unprocessable(std::string diagnostics, std::string expression) {
  return MakeError(422, IssueCode::kBusinessRule, std::move(diagnostics), std::move(expression));
}

Error UnresolvedReference(std::string diagnostics, std::string expression) {
  return MakeError(409, IssueCode::kConflict, std::move(diagnostics), std::move(expression));
}

Error NotFound(std::string diagnostics) {
  return MakeError(404, IssueCode::kNotFound, std::move(diagnostics));
}

Error Gone(std::string diagnostics) {
  return MakeError(410, IssueCode::kDeleted, std::move(diagnostics));
}

Error MultipleMatches(std::string diagnostics, std::string expression) {
  return MakeError(412, IssueCode::kMultipleMatches, std::move(diagnostics), std::move(expression));
}

Error Conflict(std::string diagnostics, std::string expression) {
  return MakeError(409, IssueCode::kConflict, std::move(diagnostics), std::move(expression));
}

Error PreconditionFailed(std::string diagnostics) {
  return MakeError(412, IssueCode::kConflict, std::move(diagnostics));
}

Error TooCostly(std::string diagnostics) {
  return MakeError(403, IssueCode::kTooCostly, std::move(diagnostics));
}

Error TooBusy(std::string diagnostics, int retry_after_s) {
  Error error = MakeError(503, IssueCode::kThrottled, std::move(diagnostics));
  error.retry_after_s = retry_after_s;
  return error;
}

Error NotYet(std::string diagnostics, int retry_after_s) {
  Error error = MakeError(503, IssueCode::kTransient, std::move(diagnostics));
  error.retry_after_s = retry_after_s;
  return error;
}

Error Internal(std::string log_detail) {
  Error error = MakeError(500, IssueCode::kException, "internal error");
  error.log_detail = std::move(log_detail);
  return error;
}

Error Within(std::string_view prefix, Error error) {
  for (Issue& issue : error.issues) {
    std::string expression(prefix);
    std::string_view rest = issue.expression;
    if (BeginsWithTypeName(rest)) {
      // "Patient.gender" is rooted in the resource that stands at `prefix`: its type name is no
      // step of the path, and in a bundle the resource is one step below its entry.
      if (prefix.ends_with(']')) expression += ".resource";
      std::size_t dot = rest.find('.');
      rest = dot == std::string_view::npos ? std::string_view{} : rest.substr(dot + 1);
    }
    if (!rest.empty()) {
      expression += '.';
      expression += rest;
    }
    issue.expression = std::move(expression);
  }
  return error;
}

}  // namespace fhir
