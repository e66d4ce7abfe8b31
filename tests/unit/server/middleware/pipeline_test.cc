#include "server/middleware/pipeline.h"

#include <gtest/gtest.h>

namespace server {
namespace {

// The status of the answer, or 0 if the request is dispatched.
int StatusOf(Request request, bool has_body = false) {
  const auto reply = BeforeDispatch({.request = &request, .has_body = has_body});
  return reply ? reply->status : 0;
}

Request Make(Verb verb, std::string path, std::string content_type = {}) {
  Request request;
  request.verb = verb;
  request.path = std::move(path);
  request.headers.content_type = std::move(content_type);
  return request;
}

TEST(PipelineTest, AnOrdinaryRequestPasses) {
  EXPECT_EQ(StatusOf(Make(Verb::kGet, "Patient/x")), 0);
  EXPECT_EQ(StatusOf(Make(Verb::kPost, "Patient", "application/fhir+json"), true), 0);
  EXPECT_EQ(StatusOf(Make(Verb::kPost, "Patient/x/$everything")), 0);
}

TEST(PipelineTest, FormatWinsOverAccept) {
  const auto status = [](std::string query) {
    Request request = Make(Verb::kGet, "Patient");
    request.query = std::move(query);
    request.headers.accept = "application/fhir+xml";
    return StatusOf(request);
  };
  EXPECT_EQ(status(""), 406);
  EXPECT_EQ(status("_format="), 406);
  EXPECT_EQ(status("x=_format=json"), 406);
  for (const char* json : {"json", "application/json", "application/fhir+json",
                           "application%2Ffhir%2Bjson", "application/fhir json", "text/json"}) {
    EXPECT_EQ(status("a=b&_format=" + std::string(json) + "&c"), 0) << json;
  }
  EXPECT_EQ(status("_format=xml"), 406);
  EXPECT_EQ(status("_format=ttl"), 406);
}

TEST(PipelineTest, SearchByPostTakesAForm) {
  constexpr const char* kForm = "application/x-www-form-urlencoded";
  EXPECT_EQ(StatusOf(Make(Verb::kPost, "Patient/_search", kForm), true), 0);
  EXPECT_EQ(StatusOf(Make(Verb::kPost, "Patient/_search"), true), 0);
  EXPECT_EQ(StatusOf(Make(Verb::kPost, "_search", kForm), true), 0);
  EXPECT_EQ(StatusOf(Make(Verb::kPost, "Patient/_search", "application/fhir+json"), true), 415);
  EXPECT_EQ(StatusOf(Make(Verb::kPost, "Patient", kForm), true), 415);
}

TEST(PipelineTest, APatchMayBeAJsonPatch) {
  constexpr const char* kPatch = "application/json-patch+json";
  EXPECT_EQ(StatusOf(Make(Verb::kPatch, "Patient/x", kPatch), true), 0);
  EXPECT_EQ(StatusOf(Make(Verb::kPut, "Patient/x", kPatch), true), 415);
  EXPECT_EQ(StatusOf(Make(Verb::kPatch, "Patient/x", "application/fhir+json"), true), 415);
}

TEST(PipelineTest, CompressedBodiesAre415) {
  Request request = Make(Verb::kPost, "Patient", "application/fhir+json");
  request.headers.content_encoding = "gzip";
  EXPECT_EQ(StatusOf(request, true), 415);
  request.headers.content_encoding = "identity";
  EXPECT_EQ(StatusOf(request, true), 0);
}

TEST(PipelineTest, OptionsIsAnsweredBeforeNegotiation) {
  Request request = Make(Verb::kOptions, "Patient");
  request.headers.accept = "text/html";
  EXPECT_EQ(StatusOf(request), 204);
}

TEST(PipelineTest, EveryRequestGetsADeadline) {
  Request request = Make(Verb::kGet, "Patient");
  EXPECT_FALSE(BeforeDispatch({.request = &request}));
  EXPECT_LT(request.deadline, std::chrono::steady_clock::now() + std::chrono::hours(1));
}

}  // namespace
}  // namespace server
