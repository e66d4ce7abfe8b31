// tests/fault/kill_test.cc
//
// kill -9 at a random moment of a load, again and again on the same directory. After each restart
// every transaction that was answered is there whole, no other is there in part, counts and reads
// agree, and the load goes on.
//
// KILN_KILL_ROUNDS sets the number of kills (3 in the suite).
#include <atomic>
#include <cstdlib>
#include <map>
#include <random>
#include <thread>

#include <gtest/gtest.h>

#include "tests/e2e/synthea_server.h"

namespace e2e {
namespace {

using fhir::json::Document;
using fhir::json::Value;

// Bundles of our own making, for where the Synthea data is not: a patient and his observations.
std::vector<BundleFile> MakeBundles(int count) {
  std::vector<BundleFile> bundles;
  for (int i = 0; i < count; ++i) {
    const std::string patient =
        "urn:uuid:00000000-0000-4000-8000-" + std::to_string(100000000000 + i);
    std::string json =
        R"({"resourceType":"Bundle","type":"transaction","entry":[{"fullUrl":")" + patient +
        R"(","resource":{"resourceType":"Patient","identifier":[{"system":"urn:test","value":"p)" +
        std::to_string(i) + R"("}]},"request":{"method":"POST","url":"Patient"}})";
    for (int o = 0; o < 100 + i % 7 * 50; ++o) {
      json +=
          R"(,{"resource":{"resourceType":"Observation","status":"final","code":{"text":"x"},"subject":{"reference":")" +
          patient + R"("},"valueInteger":)" + std::to_string(o) +
          R"(},"request":{"method":"POST","url":"Observation"}})";
    }
    bundles.push_back({"made-" + std::to_string(i), json + "]}"});
  }
  return bundles;
}

struct Load {
  const BundleFile* bundle = nullptr;
  std::string patient;                    // "system|value" of the patient's first identifier.
  std::map<std::string, long> resources;  // How many of each type.
  bool answered = false;
  std::vector<std::string> locations;
};

std::vector<Load> PlanLoads(const std::vector<BundleFile>& bundles) {
  std::vector<Load> loads;
  for (const BundleFile& bundle : bundles) {
    Load load{&bundle, "", {}, false, {}};
    const Document document = *Document::Parse(bundle.json);
    for (const Value entry : document.Root().Find("entry").Children()) {
      const Value resource = entry.Find("resource");
      ++load.resources[std::string(resource.Find("resourceType").Text())];
      if (!load.patient.empty() || resource.Find("resourceType").Text() != "Patient") continue;
      const Value identifier = *resource.Find("identifier").Children().begin();
      load.patient = std::string(identifier.Find("system").Text()) + "|" +
                     std::string(identifier.Find("value").Text());
    }
    if (!load.patient.empty()) loads.push_back(std::move(load));
  }
  return loads;
}

// Posts until the server is gone. A bundle counts as answered once its 200 has arrived.
void PostUntilKilled(int port, std::vector<Load>* loads, std::atomic<std::size_t>* next) {
  HttpClient client(port);
  for (std::size_t at = (*next)++; at < loads->size(); at = (*next)++) {
    Load& load = (*loads)[at];
    if (load.answered) continue;
    const auto response = client.TrySend("POST", "/fhir", load.bundle->json,
                                         {{"Content-Type", "application/fhir+json"}});
    if (!response) return;
    ASSERT_EQ(response->status, 200) << response->body.substr(0, 300);
    const Document answer = *Document::Parse(response->body);
    for (const Value entry : answer.Root().Find("entry").Children()) {
      const std::string location(entry.Find("response").Find("location").Text());
      load.locations.push_back(location.substr(location.find("/fhir/")));
    }
    load.answered = true;
  }
}

// Marks what is there, and checks that counts are the sums of whole bundles. `before` are the counts
// of what does not belong to a load.
void CheckWhole(int port, std::vector<Load>* loads, const std::map<std::string, long>& before) {
  HttpClient client(port);
  std::map<std::string, long> expected = before;
  for (Load& load : *loads) {
    const long found = TotalOf(
        GetJson(&client, "/fhir/Patient?_summary=count&identifier=" + PercentEncode(load.patient)));
    ASSERT_LE(found, 1) << load.patient;
    if (load.answered) {
      ASSERT_EQ(found, 1) << "an answered transaction is lost: " << load.bundle->name;
    }
    load.answered = found == 1;
    if (!load.answered) continue;
    for (const auto& [type, count] : load.resources) expected[type] += count;
    for (std::size_t i = 0; i < load.locations.size(); i += 97) {
      EXPECT_EQ(client.Send("GET", load.locations[i]).status, 200) << load.locations[i];
    }
  }
  for (const auto& [type, count] : expected) {
    EXPECT_EQ(TotalOf(GetJson(&client, "/fhir/" + type + "?_summary=count")), count) << type;
    long read = 0;
    for (const Document& page : FetchAll(port, type)) {
      const Value entries = page.Root().Find("entry");
      if (entries.IsNone()) continue;
      for (const Value entry : entries.Children()) {
        read += entry.Find("resource").Find("id").IsNone() ? 0 : 1;
      }
    }
    EXPECT_EQ(read, count) << type << ": counts and reads agree";
  }
}

TEST(KillTest, AnsweredTransactionsSurviveAndOthersLeaveNoTrace) {
  const char* set = std::getenv("KILN_KILL_ROUNDS");
  const int rounds = set != nullptr ? std::atoi(set) : 3;
  std::vector<BundleFile> bundles = LoadSynthea(set != nullptr ? 1'000 : 42);
  const bool synthea = !bundles.empty();
  if (!synthea) {
    std::cout << "no Synthea data here (KILN_SYNTHEA_DIR): with bundles of our own making\n";
    bundles = MakeBundles(40 * rounds);
  }
  const TemporaryFolder folder;
  const ServerProcess::Settings settings = {{"INDEX_DB_DIR", folder.Path() + "/index"}};
  std::map<std::string, long> before;
  if (synthea) {
    auto server = ServerProcess::Start(settings);
    const std::vector<BundleFile> first(bundles.begin(), bundles.begin() + 2);
    for (const UploadedBundle& bundle : Upload(server->Port(), first, 1)) {
      for (const std::string& location : bundle.locations) {
        ++before[location.substr(0, location.find('/'))];
      }
    }
  }
  std::vector<Load> loads = PlanLoads(bundles);
  std::mt19937 random(std::random_device{}());
  for (int round = 0; round < rounds; ++round) {
    auto server = ServerProcess::Start(settings);
    std::atomic<std::size_t> next = 0;
    std::vector<std::thread> clients;
    for (int i = 0; i < 8; ++i) {
      clients.emplace_back(PostUntilKilled, server->Port(), &loads, &next);
    }
    // The moment is what is random here; nothing waits for it to be long enough.
    std::this_thread::sleep_for(std::chrono::milliseconds(50 + random() % 1'500));
    server->Kill();
    for (std::thread& client : clients) client.join();
    server = ServerProcess::Start(settings);
    CheckWhole(server->Port(), &loads, before);
    if (HasFatalFailure()) return;
    server->Stop();
  }
  const auto done =
      std::count_if(loads.begin(), loads.end(), [](const Load& l) { return l.answered; });
  std::cout << rounds << " kills, " << done << " of " << loads.size() << " transactions stored\n";
}

}  // namespace
}  // namespace e2e
