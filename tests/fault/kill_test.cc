// tests/fault/kill_test.cc
//
// kill -9 at a random moment of a load, again and again on the same directory. After each restart
// every transaction that was answered is there whole, no other is there in part, counts and reads
// agree, and the load goes on.
//
// KILN_KILL_ROUNDS sets the number of kills (3 in the suite).
#include <algorithm>
#include <atomic>
#include <chrono>
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

// One directory, from empty until all bundles are stored.
class KilledLoad {
 public:
  explicit KilledLoad(const std::vector<BundleFile>& bundles)
      : settings_({{"INDEX_DB_DIR", folder_.Path() + "/index"}}), loads_(PlanLoads(bundles)) {
    // What the patients refer to goes in first, undisturbed.
    std::vector<BundleFile> first;
    for (const BundleFile& bundle : bundles) {
      if (bundle.name.starts_with("0-")) first.push_back(bundle);
    }
    if (first.empty()) return;
    auto server = ServerProcess::Start(settings_);
    for (const UploadedBundle& bundle : Upload(server->Port(), first, 1)) {
      for (const std::string& location : bundle.locations) {
        ++before_[location.substr(0, location.find('/'))];
      }
    }
  }

  bool IsDone() const {
    return std::all_of(loads_.begin(), loads_.end(), [](const Load& l) { return l.answered; });
  }

  // Loads, kills after `delay`, restarts and checks. True if the kill met the load.
  bool KillAfter(std::chrono::milliseconds delay) {
    auto server = ServerProcess::Start(settings_);
    std::atomic<std::size_t> next = 0;
    std::vector<std::thread> clients;
    for (int i = 0; i < 8; ++i) {
      clients.emplace_back(PostUntilKilled, server->Port(), &loads_, &next);
    }
    // The moment is what is random here; nothing waits for it to be long enough.
    std::this_thread::sleep_for(delay);
    server->Kill();
    for (std::thread& client : clients) client.join();
    const bool met_load = !IsDone();
    server = ServerProcess::Start(settings_);
    CheckWhole(server->Port(), &loads_, before_);
    server->Stop();
    return met_load;
  }

 private:
  const TemporaryFolder folder_;
  const ServerProcess::Settings settings_;
  std::vector<Load> loads_;
  std::map<std::string, long> before_;
};

TEST(KillTest, AnsweredTransactionsSurviveAndOthersLeaveNoTrace) {
  const char* set = std::getenv("KILN_KILL_ROUNDS");
  const int rounds = set != nullptr ? std::atoi(set) : 3;
  std::vector<BundleFile> bundles = LoadSynthea(set != nullptr ? 1'000 : 42);
  if (bundles.empty()) {
    std::cout << "no Synthea data here (KILN_SYNTHEA_DIR): with bundles of our own making\n";
    bundles = MakeBundles(1'000);
  }
  std::mt19937 random(std::random_device{}());
  auto run = std::make_unique<KilledLoad>(bundles);
  int runs = 1;
  for (int kills = 0; kills < rounds;) {
    const std::chrono::milliseconds delay(20 + random() % 600);
    kills += run->KillAfter(delay) ? 1 : 0;
    if (HasFatalFailure()) return;
    if (run->IsDone() && kills < rounds) {
      run = std::make_unique<KilledLoad>(bundles);
      ++runs;
    }
  }
  std::cout << rounds << " kills during the load, " << runs << " times from an empty directory\n";
}

}  // namespace
}  // namespace e2e
