#include "tests/e2e/synthea_server.h"

#include <atomic>
#include <cstdlib>
#include <thread>

#include <gtest/gtest.h>

namespace e2e {
namespace {

using fhir::json::Document;
using fhir::json::Value;

void PostBundle(HttpClient* client, UploadedBundle* bundle) {
  const auto response = client->Send("POST", "/fhir", bundle->file->json,
                                     {{"Content-Type", "application/fhir+json"}});
  ASSERT_EQ(response.status, 200) << bundle->file->name << ": " << response.body.substr(0, 500);
  const auto answer = Document::Parse(response.body);
  ASSERT_TRUE(answer.has_value());
  for (const Value entry : answer->Root().Find("entry").Children()) {
    const Value result = entry.Find("response");
    const std::string_view status = result.Find("status").StringOrEmpty();
    EXPECT_TRUE(status.starts_with("200") || status.starts_with("201")) << status;
    // …/Patient/x/_history/1 -> Patient/x
    std::string location(result.Find("location").StringOrEmpty());
    location = location.substr(0, location.find("/_history/"));
    const std::size_t slash = location.rfind('/', location.rfind('/') - 1);
    bundle->locations.push_back(slash == std::string::npos ? location : location.substr(slash + 1));
  }
}

}  // namespace

std::vector<UploadedBundle> Upload(int port, const std::vector<BundleFile>& bundles,
                                   std::size_t concurrency) {
  std::vector<UploadedBundle> uploaded(bundles.size());
  std::size_t first = 0;
  HttpClient client(port);
  for (; first < bundles.size() && bundles[first].name.starts_with("0-"); ++first) {
    uploaded[first].file = &bundles[first];
    PostBundle(&client, &uploaded[first]);
  }
  std::atomic<std::size_t> next = first;
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < concurrency; ++i) {
    threads.emplace_back([&] {
      HttpClient own(port);
      for (std::size_t at = next++; at < bundles.size(); at = next++) {
        uploaded[at].file = &bundles[at];
        PostBundle(&own, &uploaded[at]);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  return uploaded;
}

Document GetJson(HttpClient* client, const std::string& target) {
  const auto response = client->Send("GET", target);
  EXPECT_EQ(response.status, 200) << target << ": " << response.body.substr(0, 500);
  auto document = Document::Parse(response.body);
  if (!document) {
    ADD_FAILURE() << target << ": not JSON";
    return *Document::Parse("{}");
  }
  return *std::move(document);
}

long TotalOf(const Document& bundle) {
  const Value total = bundle.Root().Find("total");
  return total.IsNone() ? -1 : std::strtol(std::string(total.Text()).c_str(), nullptr, 10);
}

std::string LinkOf(const Document& bundle, std::string_view relation) {
  const Value links = bundle.Root().Find("link");
  if (links.IsNone()) return "";
  for (const Value link : links.Children()) {
    if (link.Find("relation").StringOrEmpty() != relation) continue;
    const std::string url(link.Find("url").StringOrEmpty());
    return url.substr(url.find("/fhir"));
  }
  return "";
}

std::vector<Document> FetchAll(int port, const std::string& type) {
  HttpClient client(port);
  std::vector<Document> pages;
  for (std::string target = "/fhir/" + type + "?_count=1000"; !target.empty();) {
    pages.push_back(GetJson(&client, target));
    target = LinkOf(pages.back(), "next");
  }
  return pages;
}

}  // namespace e2e
