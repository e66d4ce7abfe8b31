// Batch bundles.
#include "tests/integration/server/in_process_server.h"

namespace server {
namespace {

class BatchTest : public InProcessServer {
 protected:
  Answer Batch(const std::string& entries, RequestHeaders headers = {}) {
    return Post("", R"({"resourceType":"Bundle","type":"batch","entry":[)" + entries + "]}",
                std::move(headers));
  }
};

TEST_F(BatchTest, EveryEntryIsAnsweredByItself) {
  const Answer answer = Batch(
      R"({"resource":{"resourceType":"Patient","id":"x","active":true},
          "request":{"method":"PUT","url":"Patient/x"}},
         {"request":{"method":"GET","url":"Patient/x"}},
         {"request":{"method":"GET","url":"Patient/none"}},
         {"resource":{"resourceType":"Patient","foo":1},"request":{"method":"POST","url":"Patient"}},
         {"request":{"method":"GET","url":"Patient?active=true"}},
         {"request":{"method":"GET","url":"http://elsewhere/Patient/x"}},
         {"request":{"method":"PATCH","url":"Patient/x"},"resource":{"resourceType":"Binary"}},
         {"request":{"method":"DELETE","url":"/Patient/x"}})");
  ASSERT_EQ(answer.Status(), 200) << answer.body;
  EXPECT_EQ(answer.Text("type"), "batch-response");
  ASSERT_EQ(answer.EntryCount(), 8U);
  EXPECT_EQ(answer.Text("entry", "0", "response", "status"), "201 Created");
  EXPECT_EQ(answer.Text("entry", "0", "response", "etag"), "W/\"1\"");
  EXPECT_TRUE(answer.At("entry", "0", "resource").IsNone());
  EXPECT_EQ(answer.Text("entry", "1", "resource", "active"), "true");
  EXPECT_EQ(answer.Text("entry", "2", "response", "status"), "404 Not Found");
  EXPECT_EQ(answer.Text("entry", "2", "response", "outcome", "resourceType"), "OperationOutcome");
  EXPECT_EQ(answer.Text("entry", "3", "response", "status"), "400 Bad Request");
  EXPECT_EQ(answer.Text("entry", "4", "resource", "type"), "searchset");
  EXPECT_EQ(answer.Text("entry", "5", "response", "status"), "400 Bad Request");
  EXPECT_EQ(answer.Text("entry", "6", "response", "status"), "400 Bad Request");
  EXPECT_EQ(answer.Text("entry", "7", "response", "status"), "204 No Content");
}

TEST_F(BatchTest, ConditionsOfAnEntryAreItsOwn) {
  Put("Patient/x", R"({"resourceType":"Patient","id":"x"})");
  const Answer answer = Batch(
      R"({"request":{"method":"GET","url":"Patient/x","ifNoneMatch":"W/\"1\""}},
         {"request":{"method":"GET","url":"Patient/x"}},
         {"request":{"method":"DELETE","url":"Patient/x","ifMatch":"W/\"7\""}})");
  EXPECT_EQ(answer.Text("entry", "0", "response", "status"), "304 Not Modified");
  EXPECT_EQ(answer.Text("entry", "1", "response", "status"), "200 OK");
  EXPECT_EQ(answer.Text("entry", "2", "response", "status"), "412 Precondition Failed");
}

TEST_F(BatchTest, RepresentationsComeWhereAskedFor) {
  const Answer answer = Batch(
      R"({"resource":{"resourceType":"Patient"},"request":{"method":"POST","url":"Patient"}})",
      With(&RequestHeaders::prefer, "return=representation"));
  EXPECT_EQ(answer.Text("entry", "0", "resource", "resourceType"), "Patient");
}

TEST_F(BatchTest, NestedBundlesAreRefusedWhole) {
  const Answer answer = Batch(
      R"({"resource":{"resourceType":"Patient"},"request":{"method":"POST","url":"Patient"}},
         {"resource":{"resourceType":"Bundle","type":"transaction"},
          "request":{"method":"POST","url":"/"}})");
  EXPECT_EQ(answer.Status(), 400);
  EXPECT_EQ(Get("Patient").Text("total"), "0");
}

TEST_F(BatchTest, WhatIsNoBatchIsRefused) {
  EXPECT_EQ(Post("", R"({"resourceType":"Patient"})").Status(), 400);
  EXPECT_EQ(Post("", R"({"resourceType":"Bundle","type":"collection"})").Status(), 400);
  EXPECT_EQ(Post("", R"({"resourceType":"Bundle"})").Status(), 400);
  EXPECT_EQ(Post("", R"({"resourceType":"Bundle","type":"batch","foo":1})").Status(), 400);
  EXPECT_EQ(Post("", "").Status(), 400);
  EXPECT_EQ(Post("", R"({"resourceType":"Bundle","type":"batch"})").Status(), 200);
}

}  // namespace
}  // namespace server
