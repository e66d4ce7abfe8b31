#include "server/http/response_head.h"

#include <gtest/gtest.h>

namespace server {
namespace {

std::string HeadOf(const Reply& reply, Persistence persistence = Persistence::kImplied) {
  std::string out;
  AppendHead(&out, reply, "Tue, 01 Dec 2026 00:00:00 GMT", persistence);
  return out;
}

TEST(ResponseHeadTest, HasWhatTheReplySays) {
  Reply reply;
  reply.status = 201;
  reply.etag = "W/\"1\"";
  reply.modified_ms = 1'577'872'800'123;
  reply.location = "http://x/fhir/Patient/1";
  reply.headers.emplace_back("Retry-After", "1");
  reply.body.Append("{}");
  EXPECT_EQ(HeadOf(reply),
            "HTTP/1.1 201 Created\r\n"
            "Date: Tue, 01 Dec 2026 00:00:00 GMT\r\n"
            "Content-Type: application/fhir+json;charset=utf-8\r\n"
            "Content-Length: 2\r\n"
            "ETag: W/\"1\"\r\n"
            "Last-Modified: Wed, 01 Jan 2020 10:00:00 GMT\r\n"
            "Location: http://x/fhir/Patient/1\r\n"
            "Retry-After: 1\r\n"
            "\r\n");
}

TEST(ResponseHeadTest, NoContentHasNoLength) {
  Reply reply;
  for (const int status : {204, 304}) {
    reply.status = status;
    EXPECT_EQ(HeadOf(reply).find("Content-"), std::string::npos);
  }
  reply.status = 200;
  EXPECT_NE(HeadOf(reply).find("Content-Length: 0\r\n"), std::string::npos);
}

TEST(ResponseHeadTest, LineBreaksInAValueBeginNoField) {
  Reply reply;
  reply.location = "http://x/\r\nSet-Cookie: a=b";
  EXPECT_EQ(HeadOf(reply).find("\r\nSet-Cookie"), std::string::npos);
}

TEST(ResponseHeadTest, SaysWhetherTheConnectionStays) {
  EXPECT_EQ(HeadOf({}).find("Connection"), std::string::npos);
  EXPECT_NE(HeadOf({}, Persistence::kClose).find("Connection: close\r\n"), std::string::npos);
  EXPECT_NE(HeadOf({}, Persistence::kKeepAlive).find("Connection: keep-alive\r\n"),
            std::string::npos);
}

}  // namespace
}  // namespace server
