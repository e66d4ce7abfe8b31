#include "server/interactions/response_entry.h"

#include <gtest/gtest.h>

#include "server/routing/handler.h"

namespace server {
namespace {

TEST(ResponseEntryTest, AnErrorsOutcomeStandsInTheResponse) {
  std::string out;
  AppendReplyEntry(ReplyOf(fhir::NotFound("x")), &out);
  EXPECT_TRUE(out.starts_with(R"({"response":{"status":"404 Not Found","outcome":{)")) << out;
}

TEST(ResponseEntryTest, AStoredOperationOutcomeIsAResource) {
  Reply reply;
  reply.body.Append(R"({"resourceType":"OperationOutcome","id":"x","meta":{}})");
  std::string out;
  AppendReplyEntry(reply, &out);
  EXPECT_TRUE(out.starts_with(R"({"resource":{"resourceType":"OperationOutcome")")) << out;
}

TEST(ResponseEntryTest, HeaderFieldsBecomeMembers) {
  Reply reply;
  reply.status = 201;
  reply.etag = "W/\"1\"";
  reply.location = "http://h/Patient/x/_history/1";
  reply.modified_ms = 1'577'872'800'123;
  std::string out;
  AppendReplyEntry(reply, &out);
  EXPECT_EQ(out,
            R"({"response":{"status":"201 Created","location":"http://h/Patient/x/_history/1",)"
            R"("etag":"W/\"1\"","lastModified":"2020-01-01T10:00:00.123Z"}})");
}

TEST(ResponseEntryTest, ABatchOfNothingHasNoEmptyArray) {
  EXPECT_EQ(BatchResponse({}).body.Flatten(),
            R"({"resourceType":"Bundle","type":"batch-response"})");
}

}  // namespace
}  // namespace server
