// What the HTTP side of the built binary owes to every client, whatever it asks for.
#include <gtest/gtest.h>

#include "tests/e2e/server_process.h"

namespace e2e {
namespace {

constexpr const char* kJson = "application/fhir+json";

class HttpTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    server_ = ServerProcess::Start({{"STORAGE", "in-memory"}, {"MAX_BODY_SIZE", "1"}}).release();
  }
  static void TearDownTestSuite() {
    if (server_ != nullptr) EXPECT_EQ(server_->Stop(), 0) << server_->Log();
    delete server_;
  }
  void SetUp() override { ASSERT_NE(server_, nullptr); }

  void ExpectStillServing() {
    HttpClient client(server_->Port());
    EXPECT_EQ(client.Send("GET", "/health").status, 200);
  }

  static ServerProcess* server_;
};
ServerProcess* HttpTest::server_ = nullptr;

TEST_F(HttpTest, ProbesAnswerOutsideOfTheContextPath) {
  HttpClient client(server_->Port());
  const auto health = client.Send("GET", "/health");
  EXPECT_EQ(health.status, 200);
  EXPECT_EQ(health.body, R"({"status":"ok"})");
  EXPECT_EQ(health.Header("content-type"), "application/json");
  EXPECT_EQ(client.Send("GET", "/livez").status, 200);
  EXPECT_EQ(client.Send("GET", "/readyz").status, 200);
  EXPECT_EQ(client.Send("POST", "/health").status, 405);
}

TEST_F(HttpTest, HeadHasTheFieldsOfGetAndNoBody) {
  HttpClient client(server_->Port());
  for (const char* target : {"/health", "/fhir/Patient/absent"}) {
    const auto get = client.Send("GET", target);
    const auto head = client.Send("HEAD", target);
    EXPECT_EQ(head.status, get.status);
    EXPECT_EQ(head.body, "");
    EXPECT_EQ(head.Header("content-length"), get.Header("content-length"));
  }
  EXPECT_TRUE(client.IsOpen());
}

TEST_F(HttpTest, UnknownPathsAreAnOutcomeWith404) {
  HttpClient client(server_->Port());
  for (const char* target :
       {"/", "/Patient", "/fhirx/Patient", "/fhir/Nonsense", "/fhir/Patient/x"}) {
    const auto response = client.Send("GET", target);
    EXPECT_EQ(response.status, 404) << target;
    EXPECT_NE(response.body.find("OperationOutcome"), std::string::npos) << target;
  }
}

TEST_F(HttpTest, BadEscapesAndControlCharactersInThePathAre400) {
  HttpClient client(server_->Port());
  for (const char* target : {"/fhir/Patient/%4", "/fhir/Patient/%", "/fhir/Patient/%zz",
                             "/fhir/Patient/a%00b", "/fhir/Patient/a%0d%0ab"}) {
    EXPECT_EQ(client.Send("GET", target).status, 400) << target;
  }
}

TEST_F(HttpTest, ARawPipeInTheUrlIsAccepted) {
  HttpClient client(server_->Port());
  EXPECT_EQ(client.Send("GET", "/fhir/Patient?identifier=s|v").status, 200);
}

TEST_F(HttpTest, TheAbsoluteFormOfATargetIsAccepted) {
  HttpClient client(server_->Port());
  EXPECT_EQ(client.Send("GET", "http://localhost/health").status, 200);
}

TEST_F(HttpTest, UnknownMethodsAre405) {
  HttpClient client(server_->Port());
  EXPECT_EQ(client.Send("TRACE", "/fhir/Patient").status, 405);
  EXPECT_EQ(client.Send("BREW", "/fhir/Patient").status, 405);
}

TEST_F(HttpTest, OptionsIs204WithAllow) {
  HttpClient client(server_->Port());
  const auto response = client.Send("OPTIONS", "/fhir/Patient");
  EXPECT_EQ(response.status, 204);
  EXPECT_NE(response.Header("allow").find("PATCH"), std::string::npos);
  EXPECT_EQ(client.Send("OPTIONS", "*").status, 204);
}

TEST_F(HttpTest, OnlyJsonIsAcceptable) {
  HttpClient client(server_->Port());
  const auto status = [&](const char* target, const char* accept) {
    return client.Send("GET", target, {}, {{"Accept", accept}}).status;
  };
  EXPECT_EQ(status("/fhir/Patient", "application/fhir+xml"), 406);
  EXPECT_EQ(status("/fhir/Patient", "text/html"), 406);
  EXPECT_EQ(status("/fhir/Patient", "text/html,application/xhtml+xml,*/*;q=0.8"), 200);
  EXPECT_EQ(status("/fhir/Patient", "application/json"), 200);
  EXPECT_EQ(status("/fhir/Patient?_format=json", "application/fhir+xml"), 200);
  EXPECT_EQ(status("/fhir/Patient?_format=xml", "application/fhir+json"), 406);
}

TEST_F(HttpTest, BodiesOfAnotherTypeOrCodingAre415) {
  HttpClient client(server_->Port());
  const auto status = [&](const Headers& headers) {
    return client.Send("POST", "/fhir/Patient", R"({"resourceType":"Patient"})", headers).status;
  };
  EXPECT_EQ(status({{"Content-Type", kJson}}), 201);
  EXPECT_EQ(status({{"Content-Type", "application/json; charset=UTF-8"}}), 201);
  EXPECT_EQ(status({{"Content-Type", "text/plain"}}), 415);
  EXPECT_EQ(status({{"Content-Type", "application/fhir+json; charset=utf-16"}}), 415);
  EXPECT_EQ(status({{"Content-Type", kJson}, {"Content-Encoding", "br"}}), 415);
  EXPECT_EQ(status({}), 415);
  EXPECT_TRUE(client.IsOpen());
}

TEST_F(HttpTest, ABodyOverTheLimitIs413AndTheConnectionCloses) {
  HttpClient client(server_->Port());
  const auto response =
      client.Send("POST", "/fhir/Patient", std::string(3 << 20, ' '), {{"Content-Type", kJson}});
  EXPECT_EQ(response.status, 413);
  EXPECT_NE(response.body.find("OperationOutcome"), std::string::npos);
  EXPECT_EQ(response.Header("connection"), "close");
  ExpectStillServing();
}

TEST_F(HttpTest, AChunkedBodyOverTheLimitIs413) {
  HttpClient client(server_->Port());
  ASSERT_TRUE(
      client.SendRaw("POST /fhir/Patient HTTP/1.1\r\nHost: x\r\nContent-Type: "
                     "application/fhir+json\r\nTransfer-Encoding: chunked\r\n\r\n"));
  const std::string chunk = "40000\r\n" + std::string(0x40000, ' ') + "\r\n";
  for (int i = 0; i < 8; ++i) client.SendRaw(chunk);
  const auto response = client.Receive();
  ASSERT_TRUE(response);
  EXPECT_EQ(response->status, 413);
}

TEST_F(HttpTest, AChunkedBodyIsRead) {
  HttpClient client(server_->Port());
  ASSERT_TRUE(client.SendRaw(
      "POST /fhir/Patient HTTP/1.1\r\nHost: x\r\nContent-Type: application/fhir+json\r\n"
      "Transfer-Encoding: chunked\r\n\r\n10\r\n{\"resourceType\":\r\nA;x=y\r\n\"Patient\"}\r\n"));
  ASSERT_TRUE(client.SendRaw("0\r\nContent-Type: text/plain\r\n\r\n"));
  const auto response = client.Receive();
  ASSERT_TRUE(response);
  EXPECT_EQ(response->status, 201) << response->body;
}

TEST_F(HttpTest, EmptyChunkedBodiesInSmallPartsDoNotHurt) {
  HttpClient client(server_->Port());
  ASSERT_TRUE(
      client.SendRaw("POST /health HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"));
  for (const char* part : {"0\r\n", "\r", "\n"}) {
    ASSERT_TRUE(client.SendRaw(part));
    ExpectStillServing();
  }
  EXPECT_EQ(client.Receive()->status, 405);
}

TEST_F(HttpTest, KeepsTheConnectionUnlessAskedNotTo) {
  HttpClient client(server_->Port());
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(client.Send("GET", "/health").status, 200);
    ASSERT_TRUE(client.IsOpen());
  }
  const auto last = client.Send("GET", "/health", {}, {{"Connection", "close"}});
  EXPECT_EQ(last.Header("connection"), "close");
}

TEST_F(HttpTest, Http10ClosesUnlessAskedToStayOpen) {
  HttpClient client(server_->Port());
  ASSERT_TRUE(client.SendRaw("GET /health HTTP/1.0\r\nConnection: keep-alive\r\n\r\n"));
  EXPECT_EQ(client.Receive()->Header("connection"), "keep-alive");
  ASSERT_TRUE(client.SendRaw("GET /health HTTP/1.0\r\n\r\n"));
  EXPECT_EQ(client.Receive()->Header("connection"), "close");
}

TEST_F(HttpTest, PipelinedRequestsAreAnsweredInOrder) {
  HttpClient client(server_->Port());
  std::string requests;
  for (int i = 0; i < 50; ++i) {
    requests += i % 2 == 0 ? "GET /health HTTP/1.1\r\nHost: x\r\n\r\n"
                           : "GET /fhir/Patient/absent HTTP/1.1\r\nHost: x\r\n\r\n";
  }
  ASSERT_TRUE(client.SendRaw(requests));
  for (int i = 0; i < 50; ++i) {
    const auto response = client.Receive();
    ASSERT_TRUE(response);
    EXPECT_EQ(response->status, i % 2 == 0 ? 200 : 404) << i;
  }
}

TEST_F(HttpTest, ABodyIsAskedForWhenTheClientWaits) {
  HttpClient client(server_->Port());
  const std::string body = R"({"resourceType":"Patient"})";
  const std::string head =
      "POST /fhir/Patient HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\n"
      "Content-Length: " +
      std::to_string(body.size()) + "\r\n";
  ASSERT_TRUE(client.SendRaw(head + "Content-Type: application/fhir+json\r\n\r\n"));
  EXPECT_EQ(client.Receive()->status, 100);
  ASSERT_TRUE(client.SendRaw(body));
  EXPECT_EQ(client.Receive()->status, 201);
  // The answer is known already: no word to go on, and nothing may follow.
  ASSERT_TRUE(client.SendRaw(head + "Content-Type: text/plain\r\n\r\n"));
  const auto refused = client.Receive();
  EXPECT_EQ(refused->status, 415);
  EXPECT_EQ(refused->Header("connection"), "close");
}

TEST_F(HttpTest, WhatIsNotHttpIsRefusedAndHurtsNobody) {
  const std::vector<std::string> garbage = {
      std::string("\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", 11) + "\r\n\r\n",
      "\r\n\r\n\r\n\r\n",
      "GET\r\n\r\n",
      "GET / HTTP/9.9\r\n\r\n",
      "GET /health HTTP/1.1\r\n\r\n",
      "GET /health HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
      "GET /health HTTP/1.1\r\nHost: a b\r\n\r\n",
      "GET /health HTTP/1.1\r\nHost: <script>\r\n\r\n",
      "GET /health HTTP/1.1\r\nHost: x\r\nno colon\r\n\r\n",
      "POST /fhir/Patient HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n",
      "POST /fhir/Patient HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n{}",
      "POST /fhir/Patient HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nTransfer-Encoding: "
      "chunked\r\n\r\n0\r\n\r\n",
      "POST /fhir/Patient HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip\r\n\r\n{}",
      "POST /fhir/Patient HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
  };
  for (const std::string& bytes : garbage) {
    HttpClient client(server_->Port());
    ASSERT_TRUE(client.SendRaw(bytes));
    const auto response = client.Receive();
    ASSERT_TRUE(response) << bytes;
    EXPECT_TRUE(response->status == 400 || response->status == 501) << bytes;
  }
  ExpectStillServing();
}

TEST_F(HttpTest, ContentLengthsNobodyCanMeanAre413) {
  HttpClient client(server_->Port());
  ASSERT_TRUE(
      client.SendRaw("POST /fhir/Patient HTTP/1.1\r\nHost: x\r\nContent-Length: "
                     "18446744073709551615\r\n\r\n"));
  EXPECT_EQ(client.Receive()->status, 413);
}

TEST_F(HttpTest, HeadsOverTheLimitAre431HoweverTheyArrive) {
  const std::string field = "X-Padding: " + std::string(1'000, 'x') + "\r\n";
  for (const bool at_once : {true, false}) {
    HttpClient client(server_->Port());
    std::string bytes = "GET /health HTTP/1.1\r\nHost: x\r\n";
    for (int i = 0; i < 40; ++i) {
      bytes += field;
      if (!at_once && !client.SendRaw(bytes)) break;
      if (!at_once) bytes.clear();
    }
    if (at_once) client.SendRaw(bytes);
    const auto response = client.Receive();
    ASSERT_TRUE(response);
    EXPECT_EQ(response->status, 431);
  }
  HttpClient client(server_->Port());
  client.SendRaw("GET /" + std::string(1'200'000, 'x'));
  EXPECT_EQ(client.Receive()->status, 431);
  ExpectStillServing();
}

TEST_F(HttpTest, AHeadMayArriveByteByByte) {
  HttpClient client(server_->Port());
  for (const char c : std::string("GET /health HTTP/1.1\r\nHost: x\r\n\r\n")) {
    ASSERT_TRUE(client.SendRaw(std::string_view(&c, 1)));
  }
  EXPECT_EQ(client.Receive()->status, 200);
}

TEST_F(HttpTest, ClientsThatLeaveInTheMiddleHurtNobody) {
  for (const char* part : {"", "G", "GET /health HTTP/1.1\r\nHo",
                           "POST /fhir/Patient HTTP/1.1\r\nHost: x\r\nContent-Type: "
                           "application/fhir+json\r\nContent-Length: 100\r\n\r\n{",
                           "GET /fhir/Patient HTTP/1.1\r\nHost: x\r\n\r\n"}) {
    for (int i = 0; i < 20; ++i) {
      HttpClient client(server_->Port());
      ASSERT_TRUE(client.SendRaw(part));
    }
  }
  ExpectStillServing();
}

TEST_F(HttpTest, EveryAnswerHasADateAndItsLength) {
  HttpClient client(server_->Port());
  const auto response = client.Send("GET", "/fhir/Patient/absent");
  EXPECT_NE(response.Header("date").find(" GMT"), std::string::npos);
  EXPECT_EQ(response.Header("content-length"), std::to_string(response.body.size()));
}

TEST_F(HttpTest, APlainRequestIdComesBack) {
  HttpClient client(server_->Port());
  const auto id = [&](const char* sent) {
    return client.Send("GET", "/fhir/Patient/absent", {}, {{"X-Request-Id", sent}})
        .Header("x-request-id");
  };
  EXPECT_EQ(id("abc-123"), "abc-123");
  EXPECT_EQ(id("not a token <"), "");
}

TEST_F(HttpTest, TheRequestIdComesBackWhateverTheAnswer) {
  HttpClient client(server_->Port());
  for (const char* path : {"/health", "/nothing", "/fhir/metadata", "/fhir/Patient?_format=xml"}) {
    EXPECT_EQ(client.Send("GET", path, {}, {{"X-Request-Id", "abc-123"}}).Header("x-request-id"),
              "abc-123")
        << path;
  }
}

TEST_F(HttpTest, PrettyAnswersHaveLines) {
  HttpClient client(server_->Port());
  const auto is_pretty = [](const std::string& body) { return body.starts_with("{\n  \""); };
  for (const char* path :
       {"/fhir/metadata?_pretty=true", "/fhir/Patient?_pretty=true",
        "/fhir/Patient/absent?_pretty=true", "/fhir/Nothing?x&_pretty=true",
        "/fhir/Patient?_pretty=true&_format=xml", "/fhir/_history?_pretty=true"}) {
    const auto response = client.Send("GET", path);
    EXPECT_TRUE(is_pretty(response.body)) << path << response.body;
    EXPECT_EQ(response.Header("content-length"), std::to_string(response.body.size()));
  }
  EXPECT_TRUE(is_pretty(client
                            .Send("POST", "/fhir/Patient/_search", "_pretty=true",
                                  {{"Content-Type", "application/x-www-form-urlencoded"}})
                            .body));
  EXPECT_FALSE(is_pretty(client.Send("GET", "/fhir/metadata?_pretty=false").body));
  EXPECT_FALSE(is_pretty(client.Send("GET", "/fhir/metadata").body));
}

}  // namespace
}  // namespace e2e
