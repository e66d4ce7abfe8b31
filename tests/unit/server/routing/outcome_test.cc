#include "server/routing/outcome.h"

#include <gtest/gtest.h>

#include "fhir/json/document.h"
#include "server/routing/handler.h"

namespace server {
namespace {

fhir::json::Document Parse(const Reply& reply) {
  auto document = fhir::json::Document::Parse(reply.body.Flatten());
  EXPECT_TRUE(document.has_value());
  return *std::move(document);
}

fhir::json::Value FirstIssue(const fhir::json::Document& document) {
  return *document.Root().Find("issue").Children().begin();
}

TEST(OutcomeTest, AReplyHasTheStatusCodeAndExpressionOfItsError) {
  const Reply reply = ReplyOf(fhir::Invalid("bad \"gender\"", "Patient.gender"));
  EXPECT_EQ(reply.status, 400);
  const auto document = Parse(reply);
  EXPECT_EQ(document.Root().Find("resourceType").Text(), "OperationOutcome");
  const auto issue = FirstIssue(document);
  EXPECT_EQ(issue.Find("severity").Text(), "error");
  EXPECT_EQ(issue.Find("code").Text(), "invalid");
  EXPECT_EQ(issue.Find("diagnostics").Text(), "bad \"gender\"");
  EXPECT_EQ((*issue.Find("expression").Children().begin()).Text(), "Patient.gender");
}

TEST(OutcomeTest, AllIssuesAreListed) {
  const Reply reply = ReplyOf(fhir::InvalidStructure(
      {{fhir::IssueCode::kStructure, "a", "b"}, {fhir::IssueCode::kValue, "c", {}}}));
  const auto document = Parse(reply);
  std::size_t count = 0;
  for ([[maybe_unused]] const auto issue : document.Root().Find("issue").Children()) ++count;
  EXPECT_EQ(count, 2U);
}

TEST(OutcomeTest, AnIssueWithoutExpressionHasNoEmptyArray) {
  const auto document = Parse(ReplyOf(fhir::NotFound("x")));
  EXPECT_TRUE(FirstIssue(document).Find("expression").IsNone());
}

TEST(OutcomeTest, BusySaysWhenToRetry) {
  const Reply reply = ReplyOf(fhir::TooBusy("later", 7));
  EXPECT_EQ(reply.status, 503);
  ASSERT_EQ(reply.headers.size(), 1U);
  EXPECT_EQ(reply.headers[0].first, "Retry-After");
  EXPECT_EQ(reply.headers[0].second, "7");
}

TEST(OutcomeTest, AnInternalErrorTellsNothingOfTheLog) {
  const Reply reply = ReplyOf(fhir::Internal("/secret/path"));
  EXPECT_EQ(reply.status, 500);
  EXPECT_EQ(reply.body.Flatten().find("secret"), std::string::npos);
  EXPECT_EQ(FirstIssue(Parse(reply)).Find("severity").Text(), "fatal");
}

}  // namespace
}  // namespace server
