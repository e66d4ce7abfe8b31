// How the built binary starts and stops.
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/e2e/server_process.h"

namespace e2e {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

constexpr const char* kJson = "application/fhir+json";

TEST(ProcessTest, VersionIsOneLine) {
  const Finished finished = RunKiln({"--version"}, {});
  EXPECT_EQ(finished.status, 0);
  EXPECT_EQ(finished.output, "kiln 0.1.0\n");
}

TEST(ProcessTest, HelpListsTheSettings) {
  const Finished finished = RunKiln({"--help"}, {});
  EXPECT_EQ(finished.status, 0);
  EXPECT_THAT(finished.output, HasSubstr("DB_MAX_IN_FLIGHT_TRANSACTIONS"));
}

TEST(ProcessTest, ABadSettingStopsTheStartWithOneLineThatNamesIt) {
  const std::vector<std::pair<std::string, std::string>> bad = {
      {"SERVER_PORT", "http"}, {"STORAGE", "cloud"}, {"SERVER_THREADS", "0"}};
  for (const auto& [name, value] : bad) {
    const Finished finished = RunKiln({}, {{name, value}});
    EXPECT_EQ(finished.status, 2);
    EXPECT_THAT(finished.errors, StartsWith("kiln: " + name));
    EXPECT_EQ(finished.errors.find('\n'), finished.errors.size() - 1);
  }
}

TEST(ProcessTest, AnUnknownOptionOrKeyStopsTheStart) {
  EXPECT_EQ(RunKiln({"--prot"}, {}).status, 2);
  const TemporaryFolder folder;
  const std::string file = folder.Path() + "/settings.yaml";
  std::ofstream(file) << "server_prot: 1\n";
  const Finished finished = RunKiln({"--config", file}, {});
  EXPECT_EQ(finished.status, 2);
  EXPECT_THAT(finished.errors, HasSubstr("server_prot"));
}

TEST(ProcessTest, APortThatIsTakenStopsTheStart) {
  const auto first = ServerProcess::Start({{"STORAGE", "in-memory"}});
  ASSERT_NE(first, nullptr);
  const Finished second =
      RunKiln({}, {{"STORAGE", "in-memory"}, {"SERVER_PORT", std::to_string(first->Port())}});
  EXPECT_EQ(second.status, 1);
  EXPECT_THAT(second.errors, HasSubstr(std::to_string(first->Port())));
}

TEST(ProcessTest, HealthIsAskedOnThePortOfTheSettings) {
  const auto server = ServerProcess::Start({{"STORAGE", "in-memory"}, {"CONTEXT_PATH", "/x"}});
  ASSERT_NE(server, nullptr);
  const std::string port = std::to_string(server->Port());
  EXPECT_EQ(RunKiln({"health"}, {{"SERVER_PORT", port}}).status, 0);
  const TemporaryFolder folder;
  const std::string file = folder.Path() + "/settings.yaml";
  std::ofstream(file) << "server_port: " << port << "\n";
  EXPECT_EQ(RunKiln({"--config", file, "health"}, {}).status, 0);
  EXPECT_EQ(server->Stop(), 0);
  const Finished finished = RunKiln({"health"}, {{"SERVER_PORT", port}});
  EXPECT_EQ(finished.status, 1);
  EXPECT_THAT(finished.errors, HasSubstr(port));
}

TEST(ProcessTest, HealthIs1AlsoWhereTheSettingsAreWrong) {
  EXPECT_EQ(RunKiln({"health"}, {{"SERVER_PORT", "http"}}).status, 1);
  EXPECT_EQ(RunKiln({"health"}, {{"SERVER_PORT", "0"}}).status, 1);
}

TEST(ProcessTest, TheContextPathMayBeTheRoot) {
  const auto server = ServerProcess::Start({{"STORAGE", "in-memory"}, {"CONTEXT_PATH", "/"}});
  ASSERT_NE(server, nullptr);
  HttpClient client(server->Port());
  EXPECT_EQ(client.Send("GET", "/health").status, 200);
  EXPECT_EQ(client.Send("GET", "/Patient").status, 200);
}

TEST(ProcessTest, LinksBeginWithTheBaseUrl) {
  const auto server =
      ServerProcess::Start({{"STORAGE", "in-memory"}, {"BASE_URL", "https://fhir.example.org/"}});
  ASSERT_NE(server, nullptr);
  HttpClient client(server->Port());
  const auto response = client.Send("POST", "/fhir/Patient", R"({"resourceType":"Patient"})",
                                    {{"Content-Type", kJson}});
  EXPECT_THAT(response.Header("location"), StartsWith("https://fhir.example.org/fhir/Patient/"));
}

TEST(ProcessTest, SigtermEndsIdleConnectionsAndExitsWith0) {
  const auto server = ServerProcess::Start({{"STORAGE", "in-memory"}});
  ASSERT_NE(server, nullptr);
  HttpClient client(server->Port());
  EXPECT_EQ(client.Send("GET", "/health").status, 200);
  server->Terminate();
  EXPECT_TRUE(client.IsClosedByServer());
  EXPECT_EQ(server->Wait(), 0) << server->Log();
}

TEST(ProcessTest, ARequestThatComesInIsAnsweredAfterSigterm) {
  const auto server = ServerProcess::Start({{"STORAGE", "in-memory"}});
  ASSERT_NE(server, nullptr);
  const std::string body = R"({"resourceType":"Patient"})";
  HttpClient client(server->Port());
  ASSERT_TRUE(
      client.SendRaw("POST /fhir/Patient HTTP/1.1\r\nHost: x\r\nContent-Type: "
                     "application/fhir+json\r\nExpect: 100-continue\r\nContent-Length: " +
                     std::to_string(body.size()) + "\r\n\r\n"));
  ASSERT_EQ(client.Receive()->status, 100);  // So the server has begun with it.
  HttpClient idle(server->Port());
  EXPECT_EQ(idle.Send("GET", "/health").status, 200);
  server->Terminate();
  EXPECT_TRUE(idle.IsClosedByServer());  // So the server has begun to stop.
  ASSERT_TRUE(client.SendRaw(body));
  const auto response = client.Receive();
  ASSERT_TRUE(response);
  EXPECT_EQ(response->status, 201);
  EXPECT_EQ(response->Header("connection"), "close");
  EXPECT_EQ(server->Wait(), 0) << server->Log();
}

TEST(ProcessTest, AClientThatNeverFinishesDoesNotHoldUpTheEnd) {
  const auto server = ServerProcess::Start({{"STORAGE", "in-memory"}});
  ASSERT_NE(server, nullptr);
  HttpClient client(server->Port());
  ASSERT_TRUE(
      client.SendRaw("POST /fhir/Patient HTTP/1.1\r\nHost: x\r\nContent-Type: "
                     "application/fhir+json\r\nExpect: 100-continue\r\nContent-Length: "
                     "10\r\n\r\n"));
  ASSERT_EQ(client.Receive()->status, 100);
  EXPECT_EQ(server->Stop(), 0) << server->Log();
}

TEST(ProcessTest, AfterAKillTheDataAreThere) {
  const TemporaryFolder folder;
  const ServerProcess::Settings settings = {{"INDEX_DB_DIR", folder.Path() + "/index"}};
  auto server = ServerProcess::Start(settings);
  ASSERT_NE(server, nullptr);
  HttpClient before(server->Port());
  EXPECT_EQ(before
                .Send("PUT", "/fhir/Patient/a", R"({"resourceType":"Patient","id":"a"})",
                      {{"Content-Type", kJson}})
                .status,
            201);
  server->Kill();
  server = ServerProcess::Start(settings);
  ASSERT_NE(server, nullptr);
  HttpClient after(server->Port());
  EXPECT_EQ(after.Send("GET", "/fhir/Patient/a").status, 200);
}

}  // namespace
}  // namespace e2e
