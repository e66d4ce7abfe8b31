// Requests that ask for more memory or time than a server has: each gets an answer, and the server
// goes on. What a request may cost is bounded where the cost arises; this is that the bounds hold
// in the built binary. (Units have their own tests beside the others.)
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "fhir/json/document.h"
#include "tests/e2e/http_client.h"
#include "tests/e2e/server_process.h"

namespace fuzz {
namespace {

const e2e::Headers kJson = {{"Content-Type", "application/fhir+json"}};
const e2e::Headers kForm = {{"Content-Type", "application/x-www-form-urlencoded"}};
constexpr std::size_t kMegabyte = 1'000'000;

std::string Repeated(std::string_view item, std::size_t count) {
  std::string list(item);
  list.reserve(count * (item.size() + 1));
  for (std::size_t i = 1; i < count; ++i) list.append(",").append(item);
  return list;
}

std::string Bundle(std::string_view type, std::string_view entries) {
  return R"({"resourceType":"Bundle","type":")" + std::string(type) + R"(","entry":[)" +
         std::string(entries) + "]}";
}

std::string Document(std::size_t bytes) {
  return R"({"resourceType":"Binary","contentType":"text/plain","data":")" +
         std::string(bytes / 4 * 4, 'A') + "\"}";
}

// The url of a link of a bundle, below the server; empty if there is none.
std::string LinkOf(const fhir::json::Value& bundle, std::string_view relation) {
  for (const fhir::json::Value link : bundle.Find("link").Children()) {
    const std::string_view url = link.Find("url").StringOrEmpty();
    if (link.Find("relation").StringOrEmpty() == relation) {
      return std::string(url.substr(url.find("/fhir")));
    }
  }
  return {};
}

std::size_t CountOf(const fhir::json::Value& list) {
  std::size_t count = 0;
  for (const fhir::json::Value item : list.Children()) count += item.IsNone() ? 0 : 1;
  return count;
}

class ExhaustionTest : public testing::Test {
 protected:
  void SetUp() override {
    server_ = e2e::ServerProcess::Start({{"STORAGE", "in-memory"}});
    ASSERT_NE(server_, nullptr);
    client_ = std::make_unique<e2e::HttpClient>(server_->Port());
  }
  void TearDown() override {
    if (server_ == nullptr) return;
    EXPECT_EQ(client_->Send("GET", "/health").status, 200);
    client_.reset();
    EXPECT_EQ(server_->Stop(), 0);
  }

  e2e::HttpResponse Post(std::string_view path, std::string_view body) {
    return client_->Send("POST", path, body, kJson);
  }
  int Search(std::string_view form) {
    return client_->Send("POST", "/fhir/Patient/_search", form, kForm).status;
  }

  std::unique_ptr<e2e::ServerProcess> server_;
  std::unique_ptr<e2e::HttpClient> client_;
};

TEST_F(ExhaustionTest, ABodyOfVeryManyValuesIsTooLarge) {
  EXPECT_EQ(Post("/fhir/Patient", "[" + Repeated("0", 20 * kMegabyte) + "]").status, 413);
}

TEST_F(ExhaustionTest, AnAttachmentOf50MegabytesIsStoredAndSent) {
  const auto created = Post("/fhir/Binary", Document(50 * kMegabyte));
  ASSERT_EQ(created.status, 201);
  const std::string location = created.Header("location");
  const auto read = client_->Send("GET", location.substr(location.find("/fhir")));
  EXPECT_EQ(read.status, 200);
  EXPECT_GT(read.body.size(), 50 * kMegabyte);
}

TEST_F(ExhaustionTest, APageEndsWhenItIsTooLongWhateverItsCount) {
  for (int i = 0; i < 4; ++i) ASSERT_EQ(Post("/fhir/Binary", Document(40 * kMegabyte)).status, 201);
  for (const std::string_view query : {"?_count=10", "?_count=10&_sort=-_id"}) {
    std::string url = "/fhir/Binary" + std::string(query);
    std::size_t found = 0;
    std::size_t pages = 0;
    for (; !url.empty() && pages < 10; ++pages) {
      const auto page = client_->Send("GET", url);
      ASSERT_EQ(page.status, 200);
      EXPECT_LT(page.body.size(), 110 * kMegabyte);
      const auto document = fhir::json::Document::Parse(page.body);
      ASSERT_TRUE(document.has_value());
      EXPECT_EQ(document->Root().Find("total").Text(), "4");
      found += CountOf(document->Root().Find("entry"));
      url = LinkOf(document->Root(), "next");
    }
    EXPECT_EQ(found, 4U);
    EXPECT_EQ(pages, 2U);
  }
}

TEST_F(ExhaustionTest, ABatchIsAnsweredWholeEvenIfItsReadsAreTooLong) {
  ASSERT_EQ(client_
                ->Send("PUT", "/fhir/Binary/x",
                       R"({"resourceType":"Binary","id":"x","contentType":"text/plain","data":")" +
                           std::string(4 * kMegabyte, 'A') + "\"}",
                       kJson)
                .status,
            201);
  const auto answer = Post(
      "/fhir", Bundle("batch", Repeated(R"({"request":{"method":"GET","url":"Binary/x"}})", 200)));
  EXPECT_EQ(answer.status, 200);
  EXPECT_LT(answer.body.size(), 300 * kMegabyte);
  EXPECT_NE(answer.body.find("\"status\":\"403 Forbidden\""), std::string::npos);
  const auto document = fhir::json::Document::Parse(answer.body);
  ASSERT_TRUE(document.has_value());
  EXPECT_EQ(CountOf(document->Root().Find("entry")), 200U);
}

TEST_F(ExhaustionTest, BatchesDoNotNestInAnySpelling) {
  const std::string inner = Bundle("batch", R"({"request":{"method":"GET","url":"metadata"}})");
  for (const std::string_view url : {"/", "//", "%2F", "%2f/"}) {
    const auto answer =
        Post("/fhir", Bundle("batch", R"({"request":{"method":"POST","url":")" + std::string(url) +
                                          R"("},"resource":)" + inner + "}"));
    EXPECT_EQ(answer.body.find("CapabilityStatement"), std::string::npos) << url;
  }
}

TEST_F(ExhaustionTest, LongSearchesAreAnsweredOrRefused) {
  EXPECT_EQ(Search("identifier=" + Repeated("abc", 20'000)), 200);
  EXPECT_EQ(Search("identifier=" + Repeated("abc", 20'001)), 403);
  EXPECT_EQ(Search("_sort=" + Repeated("name", 100'000)), 403);
  EXPECT_EQ(Search("_elements=" + Repeated("name", 100'000)), 403);
  EXPECT_EQ(Search("_lastUpdated=" + Repeated("2020", 20'000)), 200);
  EXPECT_EQ(Search("name=" + std::string(2 * kMegabyte, 'a')), 413);
}

TEST_F(ExhaustionTest, TheConditionsOfABundleAreBoundedTogether) {
  const std::string entry = R"({"resource":{"resourceType":"Patient"},"request":{"method":"POST",)"
                            R"("url":"Patient","ifNoneExist":"family=)" +
                            Repeated("a", 19'000) + "\"}}";
  EXPECT_EQ(Post("/fhir", Bundle("transaction", Repeated(entry, 60))).status, 403);
}

}  // namespace
}  // namespace fuzz
