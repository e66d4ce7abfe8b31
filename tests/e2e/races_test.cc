// Many clients at once: nothing twice, nothing lost, nothing in between.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>
#include <set>
#include <thread>

#include "tests/e2e/fhir_client.h"

namespace e2e {
namespace {

constexpr std::size_t kClients = 32;

class RacesTest : public ServerTest {};

TEST_F(RacesTest, ConditionalCreatesAtOnceMakeOneResource) {
  std::atomic<int> created = 0;
  std::atomic<int> found = 0;
  std::mutex mu;
  std::set<std::string> ids;
  InParallel(kClients, [&](std::size_t) {
    FhirClient client(Port());
    const Answer answer = client.Post(
        "Patient", R"({"resourceType":"Patient","identifier":[{"system":"r","value":"1"}]})",
        {{"If-None-Exist", "identifier=r|1"}});
    if (answer.Status() == 201) ++created;
    if (answer.Status() == 200) ++found;
    const std::lock_guard lock(mu);
    ids.insert(answer.LocatedId());
  });
  EXPECT_EQ(created, 1);
  EXPECT_EQ(found, 31);
  EXPECT_EQ(ids.size(), 1u);
  EXPECT_EQ(Client().Count("Patient?identifier=r|1"), 1);
}

TEST_F(RacesTest, TransactionsWithIfNoneExistAtOnceMakeOneResourceAndAllReferToIt) {
  const std::string bundle = BundleOf(
      "transaction",
      {Entry("POST", "Patient",
             R"({"resourceType":"Patient","identifier":[{"system":"r","value":"2"}]})",
             "urn:uuid:5a0b8a52-4b4f-4c1d-8f43-111111111111", R"("ifNoneExist":"identifier=r|2")"),
       Entry("POST", "Observation",
             R"({"resourceType":"Observation","status":"final","code":{"text":"race"},)"
             R"("subject":{"reference":"urn:uuid:5a0b8a52-4b4f-4c1d-8f43-111111111111"}})")});
  std::atomic<int> succeeded = 0;
  InParallel(kClients, [&](std::size_t) {
    FhirClient client(Port());
    const Answer answer = client.Post("", bundle);
    if (answer.Status() == 200) ++succeeded;
  });
  EXPECT_EQ(succeeded, 32);
  const Answer patients = Client().Get("Patient?identifier=r|2");
  ASSERT_EQ(patients.Total(), 1);
  EXPECT_EQ(Client().Count("Observation?subject=Patient/" + patients.Ids().front()), 32);
  EXPECT_EQ(Client().Count("Observation?patient.identifier=r|2"), 32);
}

TEST_F(RacesTest, UpdatesAtOnceAreOneCreationAndVersionsWithoutGaps) {
  std::atomic<int> created = 0;
  std::mutex mu;
  std::set<std::string> etags;
  InParallel(kClients, [&](std::size_t index) {
    FhirClient client(Port());
    const Answer answer =
        client.Put("Patient/updated", R"({"resourceType":"Patient","id":"updated","name":[{)"
                                      R"("family":"f)" +
                                          std::to_string(index) + R"("}]})");
    if (answer.Status() == 201) ++created;
    EXPECT_TRUE(answer.Status() == 200 || answer.Status() == 201) << answer.http.body;
    const std::lock_guard lock(mu);
    etags.insert(answer.Header("etag"));
  });
  EXPECT_EQ(created, 1);
  std::set<std::string> expected;
  for (int version = 1; version <= 32; ++version) {
    expected.insert("W/\"" + std::to_string(version) + "\"");
  }
  EXPECT_EQ(etags, expected);
  EXPECT_EQ(Client().Get("Patient/updated/_history").Total(), 32);
  EXPECT_EQ(Client().Count("Patient?_id=updated"), 1);
}

TEST_F(RacesTest, OneOfManyUpdatesOfTheSameVersionWins) {
  Client().Put("Patient/matched", R"({"resourceType":"Patient","id":"matched"})");
  std::atomic<int> updated = 0;
  std::atomic<int> refused = 0;
  InParallel(kClients, [&](std::size_t index) {
    FhirClient client(Port());
    const Answer answer = client.Put(
        "Patient/matched",
        R"({"resourceType":"Patient","id":"matched","language":"l)" + std::to_string(index) + "\"}",
        {{"If-Match", "W/\"1\""}});
    if (answer.Status() == 200) ++updated;
    if (answer.Status() == 412) ++refused;
  });
  EXPECT_EQ(updated, 1);
  EXPECT_EQ(refused, 31);
  EXPECT_EQ(Client().Get("Patient/matched").Header("etag"), "W/\"2\"");
}

TEST_F(RacesTest, OneOfManyCreationsAtAnAbsentIdWins) {
  std::atomic<int> created = 0;
  std::atomic<int> refused = 0;
  InParallel(kClients, [&](std::size_t) {
    FhirClient client(Port());
    const Answer answer = client.Put(
        "Patient/absent", R"({"resourceType":"Patient","id":"absent"})", {{"If-None-Match", "*"}});
    if (answer.Status() == 201) ++created;
    if (answer.Status() == 412) ++refused;
  });
  EXPECT_EQ(created, 1);
  EXPECT_EQ(refused, 31);
}

TEST_F(RacesTest, NoReferenceDanglesWhenItsTargetIsDeletedMeanwhile) {
  for (int round = 0; round < 20; ++round) {
    const std::string id = "target" + std::to_string(round);
    Client().Put("Patient/" + id, R"({"resourceType":"Patient","id":")" + id + "\"}");
    int deleted = 0;
    int referred = 0;
    InParallel(2, [&](std::size_t index) {
      FhirClient client(Port());
      if (index == 0) {
        deleted = client.Delete("Patient/" + id).Status();
      } else {
        referred = client
                       .Post("Basic", R"({"resourceType":"Basic","code":{"text":"x"},)"
                                      R"("subject":{"reference":"Patient/)" +
                                          id + "\"}}")
                       .Status();
      }
    });
    if (deleted == 204) {
      EXPECT_EQ(referred, 409);
      EXPECT_EQ(Client().Get("Patient/" + id).Status(), 410);
    } else {
      EXPECT_EQ(deleted, 409);
      EXPECT_EQ(referred, 201);
    }
  }
}

TEST_F(RacesTest, ASearchSeesWhatWasAnsweredBefore) {
  InParallel(8, [&](std::size_t index) {
    FhirClient client(Port());
    for (int i = 0; i < 25; ++i) {
      const std::string value = std::to_string(index) + "-" + std::to_string(i);
      const std::string query = "Device?identifier=seen|" + value;
      EXPECT_EQ(client.Count(query), 0);
      const std::string id = client.Create(
          R"({"resourceType":"Device","identifier":[{"system":"seen","value":")" + value + "\"}]}");
      EXPECT_EQ(client.Get(query).Ids(), std::vector{id});
      EXPECT_EQ(client.Delete("Device/" + id).Status(), 204);
      EXPECT_EQ(client.Count(query), 0);
    }
  });
}

TEST_F(RacesTest, ALargeTransactionDoesNotHoldUpSmallWrites) {
  std::vector<std::string> entries;
  for (int i = 0; i < 20'000; ++i) {
    entries.push_back(Entry("POST", "Substance",
                            R"({"resourceType":"Substance","code":{"text":"s"},"identifier":[{)"
                            R"("system":"large","value":")" +
                                std::to_string(i) + "\"}]}"));
  }
  const std::string bundle = BundleOf("transaction", entries);
  std::atomic<bool> done = false;
  std::chrono::steady_clock::duration large{};
  std::thread sender([&] {
    FhirClient client(Port());
    const auto start = std::chrono::steady_clock::now();
    EXPECT_EQ(client.Post("", bundle, {{"Prefer", "return=minimal"}}).Status(), 200);
    large = std::chrono::steady_clock::now() - start;
    done = true;
  });
  std::vector<std::chrono::steady_clock::duration> small;
  while (!done || small.size() < 100) {
    const auto start = std::chrono::steady_clock::now();
    Client().Create(R"({"resourceType":"Basic","code":{"text":"small"}})");
    small.push_back(std::chrono::steady_clock::now() - start);
  }
  sender.join();
  std::sort(small.begin(), small.end());
  // Bounded by the large one's own write at most, and not by all that it needs before that.
  constexpr std::chrono::milliseconds kBound{250};
  const auto p99 = small[small.size() * 99 / 100];
  EXPECT_LT(p99, std::max<std::chrono::steady_clock::duration>(kBound, large / 4))
      << "p99 ns of " << small.size() << "; large: " << large.count();
  EXPECT_EQ(Client().Count("Substance?identifier=large|"), 20'000);
}

}  // namespace
}  // namespace e2e
