#include <gtest/gtest.h>

#include "fhir/base/result.h"

namespace fhir {
namespace {

TEST(ErrorTest, EachFactoryFixesStatusAndCode) {
  struct Case {
    Error error;
    int status;
    IssueCode code;
  };
  const Case cases[] = {
      {Invalid("x"), 400, IssueCode::kInvalid},
      {NotSupported("x"), 400, IssueCode::kNotSupported},
      {NotAcceptable("x"), 406, IssueCode::kNotSupported},
      {UnsupportedMediaType("x"), 415, IssueCode::kNotSupported},
      {MethodNotAllowed("x"), 405, IssueCode::kNotSupported},
      {TooLarge("x"), 413, IssueCode::kTooLong},
      {Unprocessable("x"), 422, IssueCode::kBusinessRule},
      {UnresolvedReference("x"), 409, IssueCode::kConflict},
      {NotFound("x"), 404, IssueCode::kNotFound},
      {Gone("x"), 410, IssueCode::kDeleted},
      {MultipleMatches("x"), 412, IssueCode::kMultipleMatches},
      {Conflict("x"), 409, IssueCode::kConflict},
      {PreconditionFailed("x"), 412, IssueCode::kConflict},
      {TooCostly("x"), 403, IssueCode::kTooCostly},
      {TooBusy("x"), 503, IssueCode::kThrottled},
      {Internal("x"), 500, IssueCode::kException},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(c.error.http_status, c.status);
    ASSERT_EQ(c.error.issues.size(), 1U);
    EXPECT_EQ(c.error.issues[0].code, c.code) << ToString(c.code);
  }
}

TEST(ErrorTest, AnInternalErrorTellsTheClientNothing) {
  Error error = Internal("/data/db: corruption");
  EXPECT_EQ(error.log_detail, "/data/db: corruption");
  EXPECT_EQ(error.issues[0].diagnostics.find("/data"), std::string::npos);
}

TEST(ErrorTest, WithinPutsThePathInFront) {
  auto within = [](std::string_view prefix, std::string expression) {
    return Within(prefix, Invalid("x", std::move(expression))).issues[0].expression;
  };
  EXPECT_EQ(within("Bundle.entry[3]", ""), "Bundle.entry[3]");
  EXPECT_EQ(within("Bundle.entry[3]", "Patient.gender"), "Bundle.entry[3].resource.gender");
  EXPECT_EQ(within("Bundle.entry[3]", "Patient"), "Bundle.entry[3].resource");
  EXPECT_EQ(within("Bundle.entry[3]", "request.url"), "Bundle.entry[3].request.url");
  EXPECT_EQ(within("Bundle.entry[3].resource", "Patient.name[0].given"),
            "Bundle.entry[3].resource.name[0].given");
}

}  // namespace
}  // namespace fhir
