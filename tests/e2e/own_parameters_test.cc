// Own search parameters on the built binary: killed in the middle of the build, written to while
// they are activated, and from a bundle file.
#include <atomic>
#include <chrono>
#include <fstream>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/e2e/http_client.h"
#include "tests/e2e/server_process.h"

namespace e2e {
namespace {

using testing::HasSubstr;

std::string Parameter(std::string_view code, std::string_view expression) {
  return R"({"resourceType":"SearchParameter","id":")" + std::string(code) +
         R"(","url":"http://x/)" + std::string(code) +
         R"(","name":"N","description":"d","code":")" + std::string(code) +
         R"(","type":"token","base":["Patient"],"status":"active",)" + R"("expression":")" +
         std::string(expression) + "\"}";
}

std::string Patient(const std::string& id, std::string_view color) {
  return R"({"resourceType":"Patient","id":")" + id +
         R"(","extension":[{"url":"http://x/color","valueCode":")" + std::string(color) + R"("}]})";
}

const std::string kColor =
    Parameter("color", "Patient.extension('http://x/color').value.ofType(code)");
const Headers kJson = {{"Content-Type", "application/fhir+json"}};

// How many are red, once the index is complete; -1 if it never is.
int CountWhenBuilt(HttpClient* client, std::string_view search) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (std::chrono::steady_clock::now() < deadline) {
    const HttpResponse response = client->Send("GET", search);
    if (response.status == 200) {
      const std::size_t total = response.body.find("\"total\":");
      return total == std::string::npos ? -1 : std::stoi(response.body.substr(total + 8));
    }
    EXPECT_EQ(response.status, 503);
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  return -1;
}

void Load(HttpClient* client, int count) {
  std::string bundle = R"({"resourceType":"Bundle","type":"transaction","entry":[)";
  for (int i = 0; i < count; ++i) {
    const std::string id = "p" + std::to_string(i);
    bundle += (i > 0 ? "," : "") + (R"({"resource":)" + Patient(id, i % 2 == 0 ? "red" : "blue")) +
              R"(,"request":{"method":"PUT","url":"Patient/)" + id + "\"}}";
  }
  ASSERT_EQ(client->Send("POST", "/fhir", bundle + "]}", kJson).status, 200);
}

TEST(OwnParametersTest, ABuildThatIsKilledGoesOnAfterTheRestart) {
  constexpr int kPatients = 2000;
  const TemporaryFolder folder;
  const ServerProcess::Settings settings = {{"INDEX_DB_DIR", folder.Path() + "/db"},
                                            {"DB_INDEX_BUILD_RATE", "1000"}};
  {
    const auto server = ServerProcess::Start(settings);
    ASSERT_NE(server, nullptr);
    HttpClient client(server->Port());
    Load(&client, kPatients);
    ASSERT_EQ(client.Send("PUT", "/fhir/SearchParameter/color", kColor, kJson).status, 201);
    // Some of it is done.
    const std::string status = "/fhir/SearchParameter/$index-status";
    while (client.Send("GET", status).body.find("\"valueInteger\":0}") != std::string::npos) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    ASSERT_EQ(client.Send("GET", "/fhir/Patient?color=red").status, 503);
    server->Kill();
  }
  const auto server = ServerProcess::Start(settings);
  ASSERT_NE(server, nullptr);
  HttpClient client(server->Port());
  const HttpResponse early = client.Send("GET", "/fhir/Patient?color=red");
  EXPECT_EQ(early.status, 503);
  EXPECT_EQ(early.Header("retry-after"), "5");
  EXPECT_EQ(early.body.find(" 0 %"), std::string::npos) << early.body;
  EXPECT_EQ(CountWhenBuilt(&client, "/fhir/Patient?color=red&_summary=count"), kPatients / 2);
  EXPECT_EQ(CountWhenBuilt(&client, "/fhir/Patient?color=blue&_summary=count"), kPatients / 2);
}

TEST(OwnParametersTest, NoWriteAroundTheActivationEscapesTheIndex) {
  const auto server =
      ServerProcess::Start({{"STORAGE", "in-memory"}, {"DB_INDEX_BUILD_RATE", "2000"}});
  ASSERT_NE(server, nullptr);
  constexpr int kWriters = 4;
  std::atomic<bool> stop = false;
  std::atomic<int> written = 0;
  std::vector<std::thread> writers;
  for (int w = 0; w < kWriters; ++w) {
    writers.emplace_back([&, w] {
      HttpClient client(server->Port());
      for (int i = 0; !stop; ++i) {
        const std::string id = "w" + std::to_string(w) + "-" + std::to_string(i);
        const int status =
            client.Send("PUT", "/fhir/Patient/" + id, Patient(id, "red"), kJson).status;
        EXPECT_EQ(status, 201);
        ++written;
      }
    });
  }
  HttpClient client(server->Port());
  // Comes and goes, so that there are many activations for a write to fall between.
  constexpr int kActivations = 20;
  for (int i = 0; i < kActivations; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    const int put = client.Send("PUT", "/fhir/SearchParameter/color", kColor, kJson).status;
    EXPECT_TRUE(put == 200 || put == 201) << put;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    if (i + 1 < kActivations) {
      EXPECT_EQ(client.Send("DELETE", "/fhir/SearchParameter/color").status, 204);
    }
  }
  stop = true;
  for (std::thread& writer : writers) writer.join();
  EXPECT_GT(written, kWriters);
  EXPECT_EQ(CountWhenBuilt(&client, "/fhir/Patient?color=red&_summary=count"), written);
}

TEST(OwnParametersTest, ABundleFileIsInForceWhileItSaysSo) {
  const TemporaryFolder folder;
  const std::string file = folder.Path() + "/parameters.json";
  ServerProcess::Settings settings = {{"INDEX_DB_DIR", folder.Path() + "/db"},
                                      {"DB_SEARCH_PARAM_BUNDLE", file}};
  const auto write_file = [&](const std::string& parameter) {
    std::ofstream(file) << R"({"resourceType":"Bundle","type":"collection","entry":[{"resource":)"
                        << parameter << "}]}";
  };
  write_file(kColor);
  {
    const auto server = ServerProcess::Start(settings);
    ASSERT_NE(server, nullptr);
    HttpClient client(server->Port());
    Load(&client, 10);
    EXPECT_EQ(CountWhenBuilt(&client, "/fhir/Patient?color=red&_summary=count"), 5);
    EXPECT_EQ(server->Stop(), 0);
  }
  {
    ServerProcess::Settings without = settings;
    without.erase("DB_SEARCH_PARAM_BUNDLE");
    const auto server = ServerProcess::Start(without);
    ASSERT_NE(server, nullptr);
    HttpClient client(server->Port());
    EXPECT_EQ(client.Send("GET", "/fhir/Patient?color=red").status, 400);
    EXPECT_EQ(client.Send("PUT", "/fhir/Patient/new", Patient("new", "red"), kJson).status, 201);
    EXPECT_EQ(server->Stop(), 0);
  }
  {
    const auto server = ServerProcess::Start(settings);
    ASSERT_NE(server, nullptr);
    HttpClient client(server->Port());
    EXPECT_EQ(CountWhenBuilt(&client, "/fhir/Patient?color=red&_summary=count"), 6);
    EXPECT_EQ(server->Stop(), 0);
  }
  write_file(Parameter("bad", "Patient.nothing"));
  const Finished finished = RunKiln({}, settings);
  EXPECT_EQ(finished.status, 1);
  EXPECT_THAT(finished.errors, HasSubstr("entry[0] (bad): SearchParameter.expression"));
}

}  // namespace
}  // namespace e2e
