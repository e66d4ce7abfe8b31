// tests/e2e/synthea_test.cc
//
// The whole Synthea data through the built binary: it goes in whole, counts are right, pages are
// complete, and $everything is exactly the compartment; and filters in it. tests/random searches in it.
#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "fhir/definitions/definitions.h"
#include "tests/e2e/percent_encode.h"
#include "tests/e2e/synthea_server.h"
#include "tests/reference/naive_filter.h"
#include "tests/reference/naive_search.h"

namespace e2e {
namespace {

using fhir::definitions::SearchParameterDefinition;
using fhir::definitions::SearchType;
using fhir::json::Document;
using fhir::json::Value;

class SyntheaTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    bundles_ = new std::vector<BundleFile>(LoadSynthea());
    if (bundles_->empty()) return;
    server_ = ServerProcess::Start({{"STORAGE", "in-memory"}}).release();
    uploaded_ = new std::vector<UploadedBundle>(Upload(server_->Port(), *bundles_, 8));
  }
  static void TearDownTestSuite() {
    delete server_;
    delete uploaded_;
    delete bundles_;
  }
  void SetUp() override {
    if (bundles_->empty()) GTEST_SKIP() << "no Synthea data here (KILN_SYNTHEA_DIR)";
  }

  static std::vector<BundleFile>* bundles_;
  static ServerProcess* server_;
  static std::vector<UploadedBundle>* uploaded_;
};
std::vector<BundleFile>* SyntheaTest::bundles_ = nullptr;
ServerProcess* SyntheaTest::server_ = nullptr;
std::vector<UploadedBundle>* SyntheaTest::uploaded_ = nullptr;

TEST_F(SyntheaTest, EveryResourceGoesIn) {
  std::size_t resources = 0;
  for (const UploadedBundle& bundle : *uploaded_) resources += bundle.locations.size();
  EXPECT_EQ(resources, 92'114u);
}

TEST_F(SyntheaTest, CountsAreRight) {
  const std::vector<std::pair<std::string, long>> counts = {
      {"Observation?_summary=count", 42'929},
      {"Patient?gender=male&_summary=count", 56},
      {"Patient?gender=female&_summary=count", 64},
      {"Observation?date=2020&_summary=count", 17'419},
      {"Observation?date=ge2020&_summary=count", 18'402},
      {"Observation?category=laboratory&_summary=count", 29'206}};
  HttpClient client(server_->Port());
  for (const auto& [query, expected] : counts) {
    EXPECT_EQ(TotalOf(GetJson(&client, "/fhir/" + query)), expected) << query;
  }
}

TEST_F(SyntheaTest, WalkingPagesMeetsEachResourceOnce) {
  std::set<std::string> ids;
  std::size_t entries = 0;
  for (const Document& page : FetchAll(server_->Port(), "Observation")) {
    for (const Value entry : page.Root().Find("entry").Children()) {
      ids.emplace(entry.Find("resource").Find("id").Text());
      ++entries;
    }
  }
  EXPECT_EQ(entries, 42'929u);
  EXPECT_EQ(ids.size(), 42'929u);
}

// --- $everything against the bundles -----------------------------------------------------------

void AddReferences(const Value& value, std::set<std::string>* out) {
  for (const Value child : value.Children()) {
    if (child.IsString() && child.Name() == "reference") out->emplace(child.Text());
    AddReferences(child, out);
  }
}

// True if the bundle's own JSON puts `resource` into the compartment of `patient` (a urn).
bool InCompartment(const Value& resource, const std::string& patient) {
  const std::string type(resource.Find("resourceType").Text());
  const auto* member = fhir::definitions::FindCompartmentMember("Patient", type);
  if (member == nullptr) return false;
  for (const std::string_view code : member->parameters) {
    for (const SearchParameterDefinition& p : fhir::definitions::SearchParameters()) {
      if (p.code != code || std::find(p.base.begin(), p.base.end(), type) == p.base.end()) continue;
      // where(resolve() is Patient) cannot be told from a urn: there is one patient in a bundle.
      std::string expression(p.expression);
      for (std::size_t at;
           (at = expression.find(".where(resolve() is Patient)")) != std::string::npos;) {
        expression.erase(at, 28);
      }
      for (const auto& found : reference::Evaluate(expression, resource, type)) {
        if (found.value.IsObject() && found.value.Find("reference").StringOrEmpty() == patient)
          return true;
      }
    }
  }
  return false;
}

TEST_F(SyntheaTest, EverythingIsTheCompartmentAndWhatItRefersTo) {
  // What conditional references lead to: the criteria under which the first bundles were created.
  std::map<std::string, std::string> by_criteria;
  HttpClient client(server_->Port());
  for (const UploadedBundle& bundle : *uploaded_) {
    const Document document = *Document::Parse(bundle.file->json);
    std::map<std::string, std::string> stored;  // fullUrl -> Type/id
    std::vector<Value> resources;
    std::size_t at = 0;
    for (const Value entry : document.Root().Find("entry").Children()) {
      const std::string location = bundle.locations.at(at++);
      const std::string type(entry.Find("resource").Find("resourceType").Text());
      stored[std::string(entry.Find("fullUrl").Text())] = location;
      resources.push_back(entry.Find("resource"));
      const std::string_view criteria = entry.Find("request").Find("ifNoneExist").StringOrEmpty();
      if (!criteria.empty()) by_criteria[type + "?" + std::string(criteria)] = location;
    }
    if (resources[0].Find("resourceType").Text() != "Patient") continue;
    const std::string patient(
        (*document.Root().Find("entry").Children().begin()).Find("fullUrl").Text());
    std::set<std::string> expected = {stored[patient]};
    at = 0;
    for (const Value& resource : resources) {
      const std::string& location = bundle.locations.at(at++);
      if (location != stored[patient] && !InCompartment(resource, patient)) continue;
      expected.insert(location);
      std::set<std::string> references;
      AddReferences(resource, &references);
      for (const std::string& reference : references) {
        if (stored.contains(reference)) expected.insert(stored[reference]);
        if (by_criteria.contains(reference)) expected.insert(by_criteria[reference]);
      }
    }
    std::set<std::string> got;
    std::size_t entries = 0;
    for (std::string target = "/fhir/" + stored[patient] + "/$everything?_count=700";
         !target.empty();) {
      const Document page = GetJson(&client, target);
      for (const Value entry : page.Root().Find("entry").Children()) {
        const Value resource = entry.Find("resource");
        got.insert(std::string(resource.Find("resourceType").Text()) + "/" +
                   std::string(resource.Find("id").Text()));
        ++entries;
      }
      target = LinkOf(page, "next");
    }
    EXPECT_EQ(entries, got.size()) << "each resource once";
    ASSERT_EQ(got, expected) << bundle.file->name;
  }
}

// --- random filters ----------------------------------------------------------------------------

struct TypeData {
  std::vector<Document> pages;
  std::vector<std::pair<std::string, Value>> resources;  // id, resource
  std::vector<const SearchParameterDefinition*> parameters;
};

TypeData Fetch(int port, const std::string& type) {
  TypeData data;
  data.pages = FetchAll(port, type);
  for (const Document& page : data.pages) {
    const Value entries = page.Root().Find("entry");
    if (entries.IsNone()) continue;
    for (const Value entry : entries.Children()) {
      const Value resource = entry.Find("resource");
      data.resources.emplace_back(resource.Find("id").Text(), resource);
    }
  }
  for (const SearchParameterDefinition& p : fhir::definitions::SearchParameters()) {
    const bool here = std::find(p.base.begin(), p.base.end(), type) != p.base.end() ||
                      (p.base[0] == "Resource" && p.code != "_id" && p.code != "_lastUpdated");
    if (here && !p.expression.empty() && p.type != SearchType::kSpecial) {
      data.parameters.push_back(&p);
    }
  }
  return data;
}

constexpr const char* kTypes[] = {
    "Patient",      "Observation",       "Encounter",    "Condition", "Procedure",
    "Claim",        "MedicationRequest", "Practitioner", "Location",  "DiagnosticReport",
    "Immunization", "Organization",      "CarePlan",     "Device",    "ExplanationOfBenefit"};

int FilterRounds() {
  const char* set = std::getenv("KILN_RANDOM_FILTERS");
  return set != nullptr ? std::atoi(set) : 8;
}

// True if a search finds `expected`, page by page.
bool Finds(HttpClient* client, const std::string& search, const std::set<std::string>& expected) {
  std::set<std::string> got;
  for (std::string target = search + "&_elements=id&_count=10000"; !target.empty();) {
    const Document page = GetJson(client, target);
    EXPECT_EQ(TotalOf(page), static_cast<long>(expected.size())) << target;
    if (const Value entries = page.Root().Find("entry"); !entries.IsNone()) {
      for (const Value entry : entries.Children()) {
        got.emplace(entry.Find("resource").Find("id").Text());
      }
    }
    target = LinkOf(page, "next");
  }
  std::set<std::string> wrong;
  std::set_symmetric_difference(got.begin(), got.end(), expected.begin(), expected.end(),
                                std::inserter(wrong, wrong.end()));
  EXPECT_TRUE(wrong.empty()) << search << " differs in " << wrong.size() << " of "
                             << expected.size() << ", e.g. " << *wrong.begin();
  return wrong.empty();
}

TEST_F(SyntheaTest, RandomFiltersAgreeWithTheNaiveEvaluation) {
  // A filter asks for more than a search, and each is evaluated on every resource.
  const int rounds = FilterRounds();
  HttpClient client(server_->Port());
  int searches = 0;
  int with_some = 0;  // Of the resources, and not all.
  for (const std::string type : kTypes) {
    const TypeData data = Fetch(server_->Port(), type);
    reference::RandomFilter random(type, data.resources, data.parameters,
                                   static_cast<std::uint32_t>(type.size() * 104729 + 1));
    const int own_rounds = data.resources.size() > 10'000 ? rounds / 6 : rounds;
    for (int round = 0; round < own_rounds; ++round) {
      const reference::Filter filter = random.Next(round % 4);
      std::set<std::string> expected;
      for (const auto& [id, resource] : data.resources) {
        if (reference::Matches(filter, resource, type)) expected.insert(id);
      }
      ++searches;
      with_some += !expected.empty() && expected.size() < data.resources.size() ? 1 : 0;
      const std::string text = TextOf(filter);
      ASSERT_TRUE(Finds(&client, "/fhir/" + type + "?_filter=" + PercentEncode(text), expected))
          << text;
    }
  }
  std::cout << searches << " filters, " << with_some << " of them with some hits\n";
  EXPECT_GT(with_some, searches / 6);
}

}  // namespace
}  // namespace e2e
