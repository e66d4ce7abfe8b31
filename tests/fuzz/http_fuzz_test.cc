// Requests with changed bytes, sent to the built binary: whatever comes, it goes on serving, and
// ends as it should. Built with sanitizers, it has nothing to report.
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/e2e/http_client.h"
#include "tests/e2e/server_process.h"
#include "tests/fuzz/random.h"
#include "tests/fuzz/resource_generator.h"

namespace fuzz {
namespace {

std::string Fixture() {
  std::ifstream file(std::string(KILN_SOURCE_DIR) + "/tests/fixtures/transaction.json");
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string RequestOf(std::string_view method, std::string_view target, std::string_view body = {},
                      std::string_view headers = {}) {
  std::string text(method);
  text.append(" /fhir").append(target).append(" HTTP/1.1\r\nHost: localhost\r\n").append(headers);
  if (!body.empty()) text += "Content-Length: " + std::to_string(body.size()) + "\r\n";
  return text.append("\r\n").append(body);
}

constexpr std::string_view kJson = "Content-Type: application/fhir+json\r\n";
constexpr std::string_view kForm = "Content-Type: application/x-www-form-urlencoded\r\n";

std::string BatchOf(std::vector<std::string_view> gets) {
  std::string body = R"({"resourceType":"Bundle","type":"batch","entry":[)";
  for (const std::string_view url : gets) {
    if (body.back() == '}') body.push_back(',');
    body.append(R"({"request":{"method":"GET","url":")").append(url).append("\"}}");
  }
  return body + "]}";
}

std::vector<std::string> Seeds() {
  const std::string patient = MaximalResource("Patient", "0", 1);
  const std::string observation = MaximalResource("Observation", "0", 2);
  const std::string chunked = "POST /fhir/Patient HTTP/1.1\r\nHost: localhost\r\n" +
                              std::string(kJson) + "Transfer-Encoding: chunked\r\n\r\n";
  std::vector<std::string> seeds = {
      RequestOf("GET", "/Patient/0"),
      RequestOf("GET", "/Patient/0/_history/1", {}, "If-None-Match: W/\"1\"\r\n"),
      RequestOf("GET", "/Patient/0/_history?_count=1&_since=2020"),
      RequestOf("GET", "/Patient/0/$everything?_count=2&start=2020&_type=Observation"),
      RequestOf("GET", "/Patient?name=ann&birthdate=ge2000&_sort=-birthdate,_id&_count=2"),
      RequestOf("GET", "/Observation?subject:Patient.name=a&_has:Provenance:target:agent=Device/1"),
      RequestOf("GET", "/Observation?code-value-quantity=a$gt1|x|y&_elements=code&_total=none"),
      RequestOf("GET", "/metadata", {}, "Accept: application/fhir+json;q=0.5, */*\r\n"),
      RequestOf("HEAD", "/Patient/0"),
      RequestOf("OPTIONS", ""),
      RequestOf("DELETE", "/Observation?code=a&status=final"),
      RequestOf("DELETE", "/Patient/0"),
      RequestOf("POST", "/Patient", patient, kJson),
      RequestOf("POST", "/Patient", patient, std::string(kJson) + "If-None-Exist: name=ann\r\n"),
      RequestOf("PUT", "/Patient/0", patient, std::string(kJson) + "If-Match: W/\"1\"\r\n"),
      RequestOf("PUT", "/Observation/0", observation,
                std::string(kJson) + "Prefer: return=representation\r\n"),
      RequestOf("POST", "/Observation/_search", "code=a,b&_sort=date&_summary=count", kForm),
      RequestOf("POST", "", Fixture(), kJson),
      RequestOf("POST", "", BatchOf({"Patient/0", "Patient?name=a", "/metadata", "Patient?x=y"}),
                kJson),
      RequestOf("GET", "/Patient/0") + RequestOf("GET", "/Patient?_count=1"),
      chunked + "1c\r\n{\"resourceType\":\"Patient\"    \r\n1;x=y\r\n}\r\n0\r\nTrailer: x\r\n\r\n",
  };
  return seeds;
}

// The status of each answer on a connection that sends `text` and nothing more.
std::vector<int> StatusesOf(int port, const std::string& text) {
  e2e::HttpClient client(port);
  std::vector<int> statuses;
  if (!client.SendRaw(text)) return statuses;
  client.FinishSending();
  const bool to_head = text.starts_with("HEAD");
  while (const auto response = client.Receive(to_head)) {
    statuses.push_back(response->status);
    if (!client.IsOpen()) break;
  }
  return statuses;
}

TEST(HttpFuzzTest, ChangedRequestsNeitherEndTheServerNorMakeItFail) {
  const auto server = e2e::ServerProcess::Start({{"STORAGE", "in-memory"}});
  ASSERT_NE(server, nullptr);
  const std::vector<std::string> seeds = Seeds();
  for (const std::string& seed : seeds) {
    for (const int status : StatusesOf(server->Port(), seed)) EXPECT_LT(status, 500) << seed;
  }
  Random random(8);
  for (int i = 0; i < Rounds(3'000); ++i) {
    std::string text = random.Pick(seeds);
    MutateBytes(&random, &text);
    for (const int status : StatusesOf(server->Port(), text)) {
      EXPECT_NE(status, 500) << text;
      EXPECT_NE(status, 0) << text;
    }
  }
  e2e::HttpClient client(server->Port());
  EXPECT_EQ(client.Send("GET", "/health").status, 200);
  client.Close();
  EXPECT_EQ(server->Stop(), 0);
  const std::string log = server->Log();
  EXPECT_EQ(log.find("Sanitizer"), std::string::npos) << log;
  EXPECT_EQ(log.find("runtime error"), std::string::npos) << log;
  EXPECT_EQ(log.find("exception"), std::string::npos) << log;
}

}  // namespace
}  // namespace fuzz
