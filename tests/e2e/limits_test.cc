// The bounds that the built binary keeps under load: what is refused, with which status, and that
// others are served meanwhile (docs/configuration.md).
#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>
#include <string>
#include <sys/resource.h>
#include <thread>
#include <unistd.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/e2e/fhir_client.h"

namespace e2e {
namespace {

using testing::HasSubstr;

constexpr std::string_view kFormType = "application/x-www-form-urlencoded";

// For what the server does on its own, some time: looked at often, given up after a minute.
bool Await(const std::function<bool()>& condition) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(1);
  while (!condition()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return true;
}

// CPU time of a process so far.
double CpuSeconds(pid_t pid) {
  std::ifstream in("/proc/" + std::to_string(pid) + "/stat");
  std::string all((std::istreambuf_iterator<char>(in)), {});
  std::istringstream fields(all.substr(all.rfind(')') + 2));
  std::string skipped;
  for (int i = 0; i < 11; ++i) fields >> skipped;  // Up to utime, the 14th field of all.
  double user = 0;
  double system = 0;
  fields >> user >> system;
  return (user + system) / static_cast<double>(sysconf(_SC_CLK_TCK));
}

// Patients with many names each.
void AddNames(FhirClient* client) {
  std::vector<std::string> entries;
  for (int patient = 0; patient < 40; ++patient) {
    const std::string id = "p" + std::to_string(patient);
    std::string names;
    for (int name = 0; name < 500; ++name) {
      names += (name == 0 ? "\"" : ",\"") + ("name" + std::to_string(patient * 1000 + name)) + "\"";
    }
    entries.push_back(Entry(
        "PUT", "Patient/" + id,
        R"({"resourceType":"Patient","id":")" + id + R"(","name":[{"given":[)" + names + "]}]}"));
  }
  ASSERT_EQ(client->Post("", BundleOf("transaction", entries)).Status(), 200);
}

// A form that makes the server look at all names as often as it has values: at a million of them a
// second, minutes.
std::string CostlyForm() {
  std::string form = "_total=none&_count=1&name:contains=";
  for (int i = 0; i < 8'000; ++i) form += (i == 0 ? "absent" : ",absent") + std::to_string(i);
  return form;
}

std::string CostlyRequest() {
  const std::string form = CostlyForm();
  return "POST /fhir/Patient/_search HTTP/1.1\r\nHost: localhost\r\nContent-Type: " +
         std::string(kFormType) + "\r\nContent-Length: " + std::to_string(form.size()) +
         "\r\n\r\n" + form;
}

std::unique_ptr<ServerProcess> StartWithNames(ServerProcess::Settings settings) {
  settings["STORAGE"] = "in-memory";
  auto server = ServerProcess::Start(std::move(settings));
  if (server != nullptr) {
    FhirClient client(server->Port());
    AddNames(&client);
  }
  return server;
}

Answer SearchCostly(FhirClient* client) {
  return client->Send("POST", "Patient/_search", CostlyForm(),
                      {{"Content-Type", std::string(kFormType)}});
}

TEST(SearchLimitsTest, ASearchStopsWhenItsClientHasGone) {
  const auto server =
      StartWithNames({{"SEARCH_MAX_TIME", "60000"}, {"SEARCH_MAX_COST", "1000000000000"}});
  ASSERT_NE(server, nullptr);
  HttpClient client(server->Port());
  const double before = CpuSeconds(server->Pid());
  ASSERT_TRUE(client.SendRaw(CostlyRequest()));
  ASSERT_TRUE(Await([&] { return CpuSeconds(server->Pid()) > before + 0.5; }));
  ASSERT_FALSE(client.HasInput());
  client.Close();
  const std::string line = "POST /Patient/_search stopped: its client is gone";
  EXPECT_TRUE(Await([&] { return server->Log().find(line) != std::string::npos; }));
  // Nothing goes on behind it: a thread that searches would use all of this time.
  const double stopped = CpuSeconds(server->Pid());
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
  EXPECT_LT(CpuSeconds(server->Pid()) - stopped, 0.25);
}

TEST(SearchLimitsTest, NarrowSearchesAreAnsweredWhileBroadOnesTakeTheirLane) {
  const auto server = StartWithNames({{"SEARCH_MAX_TIME", "60000"},
                                      {"SEARCH_MAX_COST", "1000000000000"},
                                      {"DB_RESOURCE_STORE_KV_THREADS", "1"},
                                      {"SEARCH_BROAD_COST", "10000"},
                                      {"SEARCH_BROAD_THREADS", "1"},
                                      {"SEARCH_BROAD_QUEUE", "2"}});
  ASSERT_NE(server, nullptr);
  // One runs, two wait, and the fourth, whichever it is, finds no place.
  std::vector<std::unique_ptr<HttpClient>> broad;
  for (int i = 0; i < 4; ++i) {
    broad.push_back(std::make_unique<HttpClient>(server->Port()));
    ASSERT_TRUE(broad.back()->SendRaw(CostlyRequest()));
  }
  auto refused = broad.end();
  ASSERT_TRUE(Await([&] {
    refused = std::ranges::find_if(broad, [](const auto& client) { return client->HasInput(); });
    return refused != broad.end();
  }));
  const auto answer = (*refused)->Receive();
  broad.erase(refused);
  ASSERT_TRUE(answer.has_value());
  EXPECT_EQ(answer->status, 503);
  EXPECT_NE(answer->Header("retry-after"), "");
  EXPECT_THAT(answer->body, HasSubstr("SEARCH_BROAD_QUEUE"));

  FhirClient client(server->Port());
  EXPECT_EQ(client.Count("Patient?given:exact=name1001"), 1);
  EXPECT_EQ(client.Get("Patient/p1").Status(), 200);
  EXPECT_EQ(client.Get("Patient/p1/$everything").Status(), 200);
  EXPECT_EQ(client.Get("Patient?name:contains=e1001&__explain=true").Status(), 503);
  for (const auto& waiting : broad) EXPECT_FALSE(waiting->HasInput());

  // When their clients leave there is room again.
  broad.clear();
  EXPECT_TRUE(Await([&] { return client.Get("Patient?name:contains=e1001").Status() == 200; }));
}

TEST(SearchLimitsTest, ASearchThatTakesTooLongIs503AndNamesTheSetting) {
  const auto server = StartWithNames({{"SEARCH_MAX_TIME", "50"}});
  ASSERT_NE(server, nullptr);
  FhirClient client(server->Port());
  const Answer answer = SearchCostly(&client);
  EXPECT_EQ(answer.Status(), 503);
  EXPECT_NE(answer.Header("retry-after"), "");
  EXPECT_EQ(answer.Text("issue.0.code"), "timeout");
  EXPECT_THAT(answer.Text("issue.0.diagnostics"), HasSubstr("SEARCH_MAX_TIME"));
}

TEST(SearchLimitsTest, ASearchThatReadsTooMuchIs403AndNamesTheSetting) {
  const auto server = StartWithNames({{"SEARCH_MAX_COST", "50000"}});
  ASSERT_NE(server, nullptr);
  FhirClient client(server->Port());
  const Answer answer = SearchCostly(&client);
  EXPECT_EQ(answer.Status(), 403);
  EXPECT_EQ(answer.Text("issue.0.code"), "too-costly");
  EXPECT_THAT(answer.Text("issue.0.diagnostics"), HasSubstr("SEARCH_MAX_COST"));
  // In a batch only its own entry is refused.
  const Answer batch =
      client.Post("", BundleOf("batch", {Entry("GET", "Patient?name:contains=a,b,c,d"),
                                         Entry("GET", "Patient?_id=p1&_summary=count")}));
  EXPECT_EQ(batch.Text("entry.0.response.status").substr(0, 3), "403");
  EXPECT_EQ(batch.Text("entry.1.resource.total"), "1");
}

TEST(LoadLimitsTest, MoreTransactionsThanMayWaitAre503AndNothingOfThemIsStored) {
  const auto server = ServerProcess::Start({{"DB_MAX_IN_FLIGHT_TRANSACTIONS", "1"}});
  ASSERT_NE(server, nullptr);
  constexpr std::size_t kClients = 16;
  constexpr int kMostRounds = 200;
  std::atomic<bool> is_refused = false;
  std::atomic<long> created = 0;
  InParallel(kClients, [&](std::size_t) {
    FhirClient client(server->Port());
    for (int round = 0; round < kMostRounds && !is_refused; ++round) {
      const Answer answer = client.Post("Basic", R"({"resourceType":"Basic","code":{"text":"x"}})");
      if (answer.Status() == 201) {
        ++created;
        continue;
      }
      EXPECT_EQ(answer.Status(), 503);
      EXPECT_NE(answer.Header("retry-after"), "");
      EXPECT_EQ(answer.Text("issue.0.code"), "throttled");
      is_refused = true;
    }
  });
  EXPECT_TRUE(is_refused);
  FhirClient client(server->Port());
  EXPECT_EQ(client.Count("Basic?_summary=count"), created);
  EXPECT_EQ(client.Post("Basic", R"({"resourceType":"Basic","code":{"text":"x"}})").Status(), 201);
}

TEST(LoadLimitsTest, ABodyThatFindsNoRoomAmongTheOthersIs503) {
  constexpr std::size_t kBodies = 1'100;  // Of 1 MiB each: 1 GiB is there for all.
  rlimit files{};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &files), 0);
  files.rlim_cur = std::min<rlim_t>(files.rlim_max, 4'096);
  if (files.rlim_cur < kBodies + 100 || setrlimit(RLIMIT_NOFILE, &files) != 0) {
    GTEST_SKIP() << "needs more open files than this process may have";
  }
  const auto server = ServerProcess::Start({{"STORAGE", "in-memory"}});
  ASSERT_NE(server, nullptr);
  // Room is made for what Content-Length claims, up to 1 MiB, when the body begins.
  const std::string beginning =
      "POST /fhir/Basic HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/fhir+json\r\n"
      "Content-Length: 1048576\r\n\r\n{";
  std::vector<std::unique_ptr<HttpClient>> clients;
  for (std::size_t i = 0; i < kBodies; ++i) {
    clients.push_back(std::make_unique<HttpClient>(server->Port()));
    ASSERT_TRUE(clients.back()->SendRaw(beginning));
  }
  auto refused = clients.end();
  ASSERT_TRUE(Await([&] {
    refused = std::ranges::find_if(clients, [](const auto& client) { return client->HasInput(); });
    return refused != clients.end();
  }));
  const auto answer = (*refused)->Receive();
  ASSERT_TRUE(answer.has_value());
  EXPECT_EQ(answer->status, 503);
  EXPECT_NE(answer->Header("retry-after"), "");
  clients.clear();
  FhirClient client(server->Port());
  EXPECT_TRUE(Await([&] {
    return client
               .Post("Basic", R"({"resourceType":"Basic","code":{"text":")" +
                                  std::string(100'000, 'x') + "\"}}")
               .Status() == 201;
  }));
}

// A link is good for as long as its state is there: it does not expire, but a database that was set
// back to an older copy has lost the states since.
TEST(PageLinkTest, ALinkIntoAStateThatTheDatabaseLostIs400) {
  const TemporaryFolder folder;
  const std::string data = folder.Path() + "/data";
  const std::string copy = folder.Path() + "/copy";
  const ServerProcess::Settings settings = {{"INDEX_DB_DIR", data}};
  const std::string basic = R"({"resourceType":"Basic","code":{"text":"x"}})";
  auto server = ServerProcess::Start(settings);
  ASSERT_NE(server, nullptr);
  FhirClient(server->Port()).Create(basic);
  FhirClient(server->Port()).Create(basic);
  const std::string old_link = FhirClient(server->Port()).Get("Basic?_count=1").Link("next");
  ASSERT_EQ(server->Stop(), 0);
  std::filesystem::copy(data, copy, std::filesystem::copy_options::recursive);

  server = ServerProcess::Start(settings);
  ASSERT_NE(server, nullptr);
  FhirClient(server->Port()).Create(basic);
  const std::string new_link = FhirClient(server->Port()).Get("Basic?_count=1").Link("next");
  ASSERT_EQ(server->Stop(), 0);
  std::filesystem::remove_all(data);
  std::filesystem::rename(copy, data);

  server = ServerProcess::Start(settings);
  ASSERT_NE(server, nullptr);
  FhirClient client(server->Port());
  const auto below = [](const std::string& url) { return url.substr(url.find("/fhir/") + 6); };
  EXPECT_EQ(client.Get(below(old_link)).Status(), 200);
  const Answer lost = client.Get(below(new_link));
  EXPECT_EQ(lost.Status(), 400);
  EXPECT_EQ(lost.Text("issue.0.code"), "invalid");
}

TEST(PageLinkTest, ALinkOfAnotherDatabaseIs400) {
  const auto one = ServerProcess::Start({{"STORAGE", "in-memory"}});
  const auto other = ServerProcess::Start({{"STORAGE", "in-memory"}});
  ASSERT_NE(one, nullptr);
  ASSERT_NE(other, nullptr);
  FhirClient client(one->Port());
  FhirClient stranger(other->Port());
  for (FhirClient* each : {&client, &stranger}) {
    for (int i = 0; i < 2; ++i) each->Create(R"({"resourceType":"Basic","code":{"text":"x"}})");
  }
  const std::string link = client.Get("Basic?_count=1").Link("next");
  const std::string target = link.substr(link.find("/fhir/") + 6);
  EXPECT_EQ(client.Get(target).Status(), 200);
  EXPECT_EQ(stranger.Get(target).Status(), 400);
}

}  // namespace
}  // namespace e2e
