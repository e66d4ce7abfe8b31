#include "load-testing/generator/population.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "fhir/json/document.h"
#include "fhir/validation/structure.h"

namespace load_testing {
namespace {

constexpr std::size_t kManySites = 195;

void ExpectValid(const Bundle& bundle) {
  const auto document = fhir::json::Document::Parse(bundle.json);
  ASSERT_TRUE(document.has_value()) << bundle.name;
  const auto inspection = fhir::validation::InspectResource(document->Root());
  EXPECT_TRUE(inspection.issues.empty()) << bundle.name << " " << inspection.issues[0].expression
                                         << " " << inspection.issues[0].diagnostics;
}

// All that stand between `before` and the next quotation mark.
template <class Each>
void ForEachBetween(std::string_view text, std::string_view before, Each each) {
  for (std::size_t at = 0; (at = text.find(before, at)) != std::string_view::npos;) {
    at += before.size();
    each(text.substr(at, text.find('"', at) - at));
  }
}

TEST(PopulationTest, EveryResourceIsValid) {
  const Population population(7, 400);  // More than the table has.
  for (const Bundle& bundle : population.SiteBundles()) ExpectValid(bundle);
  Bundle bundle;
  for (std::uint64_t patient = 0; patient < 30; ++patient) {
    population.WritePatient(patient, &bundle);
    ExpectValid(bundle);
  }
}

TEST(PopulationTest, EveryReferenceWithinABundleResolves) {
  const Population population(8, kManySites);
  Bundle bundle;
  for (std::uint64_t patient = 0; patient < 30; ++patient) {
    population.WritePatient(patient, &bundle);
    std::set<std::string_view> ids;
    ForEachBetween(bundle.json, R"("fullUrl":"urn:uuid:)",
                   [&](std::string_view id) { ids.insert(id); });
    EXPECT_EQ(ids.size(), bundle.resources);
    ForEachBetween(bundle.json, R"("reference":"urn:uuid:)",
                   [&](std::string_view id) { EXPECT_TRUE(ids.contains(id)) << id; });
  }
}

TEST(PopulationTest, EverySiteThatIsReferredToIsCreatedOnce) {
  const Population population(9, kManySites);
  std::multiset<std::string> created;
  for (const Bundle& bundle : population.SiteBundles()) {
    ForEachBetween(bundle.json, R"("ifNoneExist":")",
                   [&](std::string_view condition) { created.emplace(condition); });
  }
  EXPECT_EQ(created.size(), 3 * kManySites);
  Bundle bundle;
  population.WritePatient(0, &bundle);
  for (const std::string_view type : {"Organization", "Location", "Practitioner"}) {
    std::size_t references = 0;
    ForEachBetween(bundle.json, R"("reference":")" + std::string(type) + "?",
                   [&](std::string_view condition) {
                     ++references;
                     EXPECT_EQ(created.count(std::string(condition)), 1U) << condition;
                   });
    EXPECT_GT(references, 0U) << type;
  }
}

TEST(PopulationTest, TypesComeAsOftenAndAreAsLargeAsInSynthea) {
  // What comes with patients in 120 patients of Synthea's data, 91,336 resources.
  const std::map<std::string_view, double> synthea = {{"Observation", 42929},
                                                      {"Claim", 9856},
                                                      {"DiagnosticReport", 8229},
                                                      {"MedicationRequest", 5087},
                                                      {"Encounter", 4769},
                                                      {"DocumentReference", 4769},
                                                      {"Procedure", 3608},
                                                      {"Immunization", 1616},
                                                      {"Condition", 1597},
                                                      {"SupplyDelivery", 1886},
                                                      {"CareTeam", 540},
                                                      {"CarePlan", 540},
                                                      {"Medication", 326},
                                                      {"ImagingStudy", 145},
                                                      {"ExplanationOfBenefit", 4769},
                                                      {"Patient", 120},
                                                      {"Provenance", 120},
                                                      {"AllergyIntolerance", 76},
                                                      {"Device", 28},
                                                      {"MedicationAdministration", 326}};
  constexpr double kSyntheaResources = 91'336;
  constexpr double kSyntheaBytes = 1'545;  // For each resource.
  constexpr int kPatients = 600;

  const Population population(1, kManySites);
  std::map<std::string, double, std::less<>> counts;
  double resources = 0;
  double bytes = 0;
  Bundle bundle;
  for (std::uint64_t patient = 0; patient < kPatients; ++patient) {
    population.WritePatient(patient, &bundle);
    resources += static_cast<double>(bundle.resources);
    bytes += static_cast<double>(bundle.json.size());
    ForEachBetween(bundle.json, R"("method":"POST","url":")",
                   [&](std::string_view type) { ++counts[std::string(type)]; });
  }
  EXPECT_EQ(counts.size(), synthea.size());
  for (const auto& [type, count] : synthea) {
    const double expected = count / kSyntheaResources;
    // Types of which there are few vary more, as few patients have many of them.
    const double tolerance = expected > 0.01 ? 0.06 * expected : 0.0012;
    EXPECT_NEAR(counts[std::string(type)] / resources, expected, tolerance) << type;
  }
  EXPECT_NEAR(resources / kPatients, kSyntheaResources / 120, 40);
  constexpr double kEntryBytes = 120;  // What a bundle has around each resource.
  EXPECT_NEAR(bytes / resources - kEntryBytes, kSyntheaBytes, 0.05 * kSyntheaBytes);
}

TEST(PopulationTest, TheSameSeedMakesTheSameBytesInAnyOrder) {
  const Population one(42, kManySites);
  const Population other(42, kManySites);
  Bundle first;
  Bundle second;
  one.WritePatient(5, &first);
  other.WritePatient(3, &second);
  EXPECT_NE(first.json, second.json);
  other.WritePatient(5, &second);
  EXPECT_EQ(first.json, second.json);
  EXPECT_EQ(first.name, second.name);
  EXPECT_EQ(first.resources, second.resources);
}

TEST(PopulationTest, AnotherSeedMakesOtherPatientsAtTheSameSites) {
  const Population one(1, kManySites);
  const Population other(2, kManySites);
  Bundle first;
  Bundle second;
  one.WritePatient(0, &first);
  other.WritePatient(0, &second);
  EXPECT_NE(first.name, second.name);
  EXPECT_NE(first.json, second.json);
  EXPECT_EQ(one.SiteBundles()[0].json, other.SiteBundles()[0].json);
  EXPECT_EQ(one.SiteBundles()[1].json, other.SiteBundles()[1].json);
}

}  // namespace
}  // namespace load_testing
