// fhir/base/result.h
//
// How every layer reports failure: a Result<T> is a T or one fhir::Error, and
// may not be ignored. An Error knows its HTTP status and FHIR issue code, so
// that nothing above has to decide by message text.
//
// Thread-safety: thread-compatible.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tl {
// libexpected-dev 1.0.0 leaves [[nodiscard]] off; redeclaring may add it.
template <class T, class E>
class [[nodiscard]] expected;  // NOLINT(readability-identifier-naming)
}  // namespace tl

#include <tl/expected.hpp>

namespace fhir {

// Codes of FHIR's issue-type value set that this server uses.
enum class IssueCode {
  kInvalid,
  kStructure,
  kValue,
  kNotSupported,
  kNotFound,
  kDeleted,
  kMultipleMatches,
  kConflict,
  kBusinessRule,
  kTooLong,
  kTooCostly,
  kThrottled,
  kTimeout,
  kTransient,
  kException,
  kInformational,
};

// The code as OperationOutcome.issue.code spells it.
std::string_view ToString(IssueCode code);

// One OperationOutcome.issue.
struct Issue {
  IssueCode code = IssueCode::kInvalid;
  std::string diagnostics;  // Sent to the client: no paths, keys or stack traces.
  std::string expression;   // FHIRPath of the element, or empty.
};

struct Error {
  int http_status = 500;
  std::vector<Issue> issues;  // At least one.
  std::string log_detail;     // For the log only; may name keys and files.
  int retry_after_s = 0;      // Sent as Retry-After unless 0.
};

template <class T>
using Result = tl::expected<T, Error>;

// The only ways to make an Error. Pick by what the client should do next.

// Fix the request; it can never succeed as sent. `expression` names the element.
Error Invalid(std::string diagnostics, std::string expression = {});        // 400 invalid
Error InvalidStructure(std::vector<Issue> issues);                          // 400
Error NotSupported(std::string diagnostics);                                // 400 not-supported
Error NotAcceptable(std::string diagnostics);                               // 406
Error UnsupportedMediaType(std::string diagnostics);                        // 415
Error MethodNotAllowed(std::string diagnostics);                            // 405
Error TooLarge(std::string diagnostics);                                    // 413 too-long
Error Unprocessable(std::string diagnostics, std::string expression = {});  // 422 business-rule
Error UnresolvedReference(std::string diagnostics, std::string expression = {});  // 409 conflict
// Stop asking; there is no such resource, version or route.
Error NotFound(std::string diagnostics);  // 404
// Stop asking; it was here and was deleted.
Error Gone(std::string diagnostics);  // 410 deleted
// Narrow the criteria: several resources match a conditional interaction.
Error MultipleMatches(std::string diagnostics, std::string expression = {});  // 412
// Read again, then retry: someone else wrote first, or something still refers to it.
Error Conflict(std::string diagnostics, std::string expression = {});  // 409
// Read again, then retry: If-Match or If-None-Match did not hold.
Error PreconditionFailed(std::string diagnostics);  // 412 conflict
// Ask for less: the answer costs more than the server allows.
Error TooCostly(std::string diagnostics);  // 403 too-costly
// Retry later, unchanged.
Error TooBusy(std::string diagnostics, int retry_after_s = 1);     // 503 throttled
Error NotYet(std::string diagnostics, int retry_after_s);          // 503 transient
// Nothing a client can do; an operator has to look.
Error Internal(std::string log_detail);  // 500 exception

inline tl::unexpected<Error> Fail(Error error) {
  return tl::unexpected<Error>(std::move(error));
}

// Returns `error` with `prefix` put before the expression of each issue that has one, and as the
// expression of each that has none: "Bundle.entry[3]" + "Patient.gender".
Error Within(std::string_view prefix, Error error);

}  // namespace fhir

// FHIR_TRY(var, expr): declares `var` with the value of `expr`, or returns its
// error. FHIR_TRY_VOID(expr) for Result<void>. FHIR_CO_TRY inside a coroutine.
#define FHIR_TRY(var, ...) FHIR_TRY_IMPL(return, var, __VA_ARGS__)
#define FHIR_CO_TRY(var, ...) FHIR_TRY_IMPL(co_return, var, __VA_ARGS__)
#define FHIR_TRY_IMPL(ret, var, ...)                            \
  auto var##_or = (__VA_ARGS__);                                \
  if (!var##_or) ret ::fhir::Fail(std::move(var##_or).error()); \
  auto&& var = *std::move(var##_or)
#define FHIR_TRY_VOID(...)                                               \
  do {                                                                   \
    auto try_result = (__VA_ARGS__);                                     \
    if (!try_result) return ::fhir::Fail(std::move(try_result).error()); \
  } while (false)
