// Includes, system searches and compartments through the built binary.
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "tests/e2e/synthea_server.h"

namespace e2e {
namespace {

using fhir::json::Document;
using fhir::json::Value;

constexpr int kObservations = 2000;

class IncludeTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    server_ =
        ServerProcess::Start({{"STORAGE", "in-memory"}, {"SEARCH_MAX_INCLUDES", "1500"}}).release();
    ASSERT_NE(server_, nullptr);
    std::string bundle = R"({"resourceType":"Bundle","type":"transaction","entry":[)"
                         R"({"resource":{"resourceType":"Patient","id":"p"},)"
                         R"("request":{"method":"PUT","url":"Patient/p"}})";
    for (int i = 0; i < kObservations; ++i) {
      bundle += R"(,{"resource":{"resourceType":"Observation","status":"final",)"
                R"("code":{"text":"x"},"subject":{"reference":"Patient/p"}},)"
                R"("request":{"method":"POST","url":"Observation"}})";
    }
    HttpClient client(server_->Port());
    const auto answer =
        client.Send("POST", "/fhir", bundle + "]}", {{"Content-Type", "application/fhir+json"}});
    ASSERT_EQ(answer.status, 200) << answer.body.substr(0, 500);
  }
  static void TearDownTestSuite() {
    if (server_ != nullptr) EXPECT_EQ(server_->Stop(), 0) << server_->Log();
    delete server_;
  }

  static ServerProcess* server_;
};
ServerProcess* IncludeTest::server_ = nullptr;

// How often each search.mode stands in a bundle.
std::map<std::string, int> ModesOf(const Document& bundle) {
  std::map<std::string, int> modes;
  for (const Value entry : bundle.Root().Find("entry").Children()) {
    ++modes[std::string(entry.Find("search").Find("mode").Text())];
  }
  return modes;
}

TEST_F(IncludeTest, WhatIsTooMuchIsSaidAndGoesOn) {
  HttpClient client(server_->Port());
  for (const std::string include : {"*", "Observation:subject"}) {
    std::set<std::string> ids;
    int pages = 0;
    for (std::string target = "/fhir/Patient?_id=p&_revinclude=" + include; !target.empty();) {
      const Document page = GetJson(&client, target);
      EXPECT_EQ(TotalOf(page), 1);
      const auto modes = ModesOf(page);
      target = LinkOf(page, "next");
      EXPECT_EQ(modes.contains("outcome"), !target.empty());
      EXPECT_EQ(modes.contains("match"), pages == 0);
      for (const Value entry : page.Root().Find("entry").Children()) {
        const Value resource = entry.Find("resource");
        if (resource.Find("resourceType").Text() == "Observation") {
          EXPECT_TRUE(ids.emplace(resource.Find("id").Text()).second);
        }
      }
      ASSERT_LT(++pages, 5);
    }
    EXPECT_EQ(pages, 2);
    EXPECT_EQ(ids.size(), static_cast<std::size_t>(kObservations));
  }
}

TEST_F(IncludeTest, TheBaseIsSearchedWithAndWithoutASlash) {
  HttpClient client(server_->Port());
  for (const std::string base : {"/fhir", "/fhir/"}) {
    const Document all = GetJson(&client, base + "?_count=1");
    EXPECT_EQ(TotalOf(all), kObservations + 1);
    EXPECT_EQ(TotalOf(GetJson(&client, base + "?_type=Patient")), 1);
    EXPECT_EQ(TotalOf(GetJson(&client, LinkOf(all, "next"))), kObservations + 1);
  }
  const auto posted = client.Send("POST", "/fhir/_search", "_type=Patient&_summary=count",
                                  {{"Content-Type", "application/x-www-form-urlencoded"}});
  EXPECT_EQ(posted.status, 200) << posted.body;
}

TEST_F(IncludeTest, CompartmentsAreSearched) {
  HttpClient client(server_->Port());
  EXPECT_EQ(TotalOf(GetJson(&client, "/fhir/Patient/p/Observation?status=final&_count=1")),
            kObservations);
  EXPECT_EQ(TotalOf(GetJson(&client, "/fhir/Patient/p/*?_count=1")), kObservations + 1);
  EXPECT_EQ(TotalOf(GetJson(&client, "/fhir/Patient/p/%2A?_count=1")), kObservations + 1);
  EXPECT_EQ(client.Send("GET", "/fhir/Observation/p/Condition").status, 404);
}

TEST_F(IncludeTest, ABatchMaySearchTheSystem) {
  HttpClient client(server_->Port());
  const auto answer =
      client.Send("POST", "/fhir",
                  R"({"resourceType":"Bundle","type":"batch","entry":[)"
                  R"({"request":{"method":"GET","url":"?_type=Patient"}},)"
                  R"({"request":{"method":"GET","url":"Patient/p/Observation?_summary=count"}}]})",
                  {{"Content-Type", "application/fhir+json"}});
  EXPECT_EQ(answer.status, 200);
  EXPECT_NE(answer.body.find(R"("total":1)"), std::string::npos) << answer.body;
  EXPECT_NE(answer.body.find(R"("total":2000)"), std::string::npos) << answer.body;
}

}  // namespace
}  // namespace e2e
