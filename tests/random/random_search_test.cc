// Random searches of every kind, against the naive evaluation of the same search over the JSON of
// all resources: on Synthea's data, and on data that kiln-generate makes.
//
//   KILN_RANDOM_SEARCHES  how many, instead of 10,000 and 2,000
//   KILN_RANDOM_SEED      another seed; the seed is printed
//   KILN_RANDOM_PATIENTS  how many of Synthea's patients, instead of 14
#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <map>
#include <set>
#include <span>

#include <gtest/gtest.h>

#include "load-testing/generator/population.h"
#include "tests/e2e/synthea_server.h"
#include "tests/random/comparison.h"
#include "tests/random/query_maker.h"

namespace random_search {
namespace {

using e2e::BundleFile;
using e2e::HttpClient;
using fhir::json::Document;
using reference::Condition;
using reference::NaiveStore;

long Setting(const char* name, long otherwise) {
  const char* set = std::getenv(name);
  return set != nullptr ? std::strtol(set, nullptr, 10) : otherwise;
}

// How many searches of each kind there were, and how many found something.
class Tally {
 public:
  void Count(const Query& query, bool has_hits) {
    std::set<std::string> kinds = {"all", query.kind};
    for (const Condition& condition : query.conditions) AddKinds(query, condition, &kinds);
    for (const std::string& kind : kinds) {
      auto& [count, hits] = counts_[kind];
      ++count;
      hits += has_hits ? 1 : 0;
    }
  }

  void Print() const {
    for (const auto& [kind, counts] : counts_) {
      std::cout << kind << ": " << counts.first << ", " << counts.second << " with hits\n";
    }
  }

  // Or the comparison compares nothing.
  void ExpectHits(std::span<const char* const> kinds) {
    for (const char* kind : kinds) EXPECT_GT(counts_[kind].second, 0) << kind;
    EXPECT_GT(counts_["all"].second, counts_["all"].first / 3);
  }

 private:
  static void AddKinds(const Query& query, const Condition& condition,
                       std::set<std::string>* kinds) {
    switch (condition.kind) {
      case Condition::Kind::kChain: kinds->insert("chain"); break;
      case Condition::Kind::kHas: kinds->insert("_has"); break;
      case Condition::Kind::kText: kinds->insert("_text"); break;
      case Condition::Kind::kId: kinds->insert("_id"); break;
      case Condition::Kind::kMissing: kinds->insert(":missing"); break;
      case Condition::Kind::kValues: AddValueKinds(query, condition, kinds); break;
    }
    for (const Condition& next : condition.next) AddKinds(query, next, kinds);
  }

  // By the search type, if the search's own type has the parameter, and by the modifier.
  static void AddValueKinds(const Query& query, const Condition& condition,
                            std::set<std::string>* kinds) {
    const auto* parameter = reference::FindParameter(query.types.front(), condition.code);
    if (parameter != nullptr) kinds->emplace(ToString(parameter->type));
    const bool is_type = fhir::definitions::IsResourceType(condition.modifier);
    if (!condition.modifier.empty()) {
      kinds->insert(":" + (is_type ? std::string("[type]") : condition.modifier));
    }
  }

  std::map<std::string, std::pair<long, long>> counts_;
};

constexpr const char* kKinds[] = {"number",    "date",     "string",      "token",   "reference",
                                  "composite", "quantity", "uri",         ":exact",  ":contains",
                                  ":text",     ":not",     ":in",         ":not-in", ":above",
                                  ":below",    ":[type]",  ":missing",    "_id",     "chain",
                                  "_has",      "sort",     "compartment", "system",  "include"};

// The entries of a batch are done at once, in whatever order: as a transaction they keep theirs.
void MakeTransaction(BundleFile* bundle) {
  const std::size_t type = bundle->json.substr(0, 200).find("\"batch\"");
  if (type != std::string::npos) bundle->json.replace(type, 7, "\"transaction\"");
}

// The data has no numbers and no references by identifier: assessments of its patients have.
std::vector<std::string> RiskAssessments(const NaiveStore& store, fuzz::Random* random) {
  std::vector<std::string> all;
  const std::size_t patients = store.Of("Patient").size();
  for (int i = 0; i < 150; ++i) {
    std::string number = std::to_string(random->Below(100));
    const std::size_t digits = random->Below(4);
    if (digits > 0) number += '.' + std::to_string(random->Below(1'000)).substr(0, digits);
    all.push_back(
        R"({"resourceType":"RiskAssessment","status":"final","subject":{"reference":"Patient/)" +
        store.IdOf("Patient", random->Below(patients)) +
        R"("},"performer":{"identifier":{"system":"http://performers.example","value":")" +
        std::to_string(random->Below(9)) + R"("}},"prediction":[{"probabilityDecimal":)" + number +
        "}]}");
  }
  return all;
}

void Create(HttpClient* client, const std::string& type, const std::string& json) {
  const auto response =
      client->Send("POST", "/fhir/" + type, json, {{"Content-Type", "application/fhir+json"}});
  ASSERT_EQ(response.status, 201) << response.body.substr(0, 500);
}

// A server with the bundles, and with value sets over their codes.
class RandomSearchTest : public testing::Test {
 protected:
  void Run(std::vector<BundleFile> bundles, long searches) {
    for (BundleFile& bundle : bundles) MakeTransaction(&bundle);
    const long seed = Setting("KILN_RANDOM_SEED", 1);
    searches = Setting("KILN_RANDOM_SEARCHES", searches);
    std::cout << "KILN_RANDOM_SEED=" << seed << "\n";
    const auto server = e2e::ServerProcess::Start({{"STORAGE", "in-memory"}});
    ASSERT_NE(server, nullptr);
    // One after the other: the same seed makes the same searches.
    Upload(server->Port(), bundles, 1);
    NaiveStore store;
    for (Document& page : e2e::FetchAll(server->Port(), "")) store.Add(std::move(page));
    fuzz::Random random(static_cast<std::uint64_t>(seed));
    HttpClient client(server->Port());
    for (const std::string& json : RiskAssessments(store, &random)) {
      Create(&client, "RiskAssessment", json);
    }
    for (Document& page : e2e::FetchAll(server->Port(), "RiskAssessment")) {
      store.Add(std::move(page));
    }
    const TerminologyMaker terminology(&store, &random);
    for (const std::string& json : terminology.Resources()) {
      Create(&client, json.find("CodeSystem") < 20 ? "CodeSystem" : "ValueSet", json);
    }
    Compare(server->Port(), &store, terminology, &random, searches);
  }

 private:
  static void Compare(int port, NaiveStore* store, const TerminologyMaker& terminology,
                      fuzz::Random* random, long searches) {
    QueryMaker maker(store, &terminology, random);
    Comparison comparison(port, store);
    Tally tally;
    for (long i = 0; i < searches; ++i) {
      const Query query = maker.Next();
      const Result result = comparison.Compare(query);
      if (!result.difference.empty()) {
        const Query reduced = comparison.Reduced(query);
        FAIL() << "search " << i << ", " << UrlOf(query) << "\nreduced to " << UrlOf(reduced)
               << "\n"
               << comparison.Compare(reduced).difference;
      }
      tally.Count(query, result.expected > 0);
    }
    tally.Print();
    // Another seed, or few searches, may miss the rare ones.
    if (searches >= 2'000 && std::getenv("KILN_RANDOM_SEED") == nullptr) tally.ExpectHits(kKinds);
  }
};

TEST_F(RandomSearchTest, AgreeWithTheNaiveEvaluationOnSynthea) {
  // Two files more: the hospitals and the practitioners.
  const auto patients = static_cast<std::size_t>(Setting("KILN_RANDOM_PATIENTS", 14));
  const std::vector<BundleFile> bundles = e2e::LoadSynthea(patients + 2);
  if (bundles.empty()) GTEST_SKIP() << "no Synthea data here (KILN_SYNTHEA_DIR)";
  Run(bundles, 10'000);
}

TEST_F(RandomSearchTest, AgreeWithTheNaiveEvaluationOnGeneratedData) {
  constexpr std::uint64_t kPatients = 6;
  const load_testing::Population population(5, 20);
  std::vector<BundleFile> bundles;
  for (const load_testing::Bundle& bundle : population.SiteBundles()) {
    bundles.push_back({"0-" + bundle.name, bundle.json});
  }
  for (std::uint64_t i = 0; i < kPatients; ++i) {
    load_testing::Bundle bundle;
    population.WritePatient(i, &bundle);
    bundles.push_back({bundle.name, bundle.json});
  }
  Run(bundles, 2'000);
}

}  // namespace
}  // namespace random_search
