#include "fhir/search/path.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fhir::search {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

std::vector<std::string> Texts(std::string_view expression, std::string_view type) {
  std::vector<std::string> texts;
  const auto paths = CompilePaths(expression, type);
  EXPECT_TRUE(paths.has_value()) << expression;
  if (!paths) return texts;
  for (const Path& path : *paths) texts.push_back(path.text);
  return texts;
}

TEST(PathTest, EachOfTheNineShapesCompiles) {
  EXPECT_THAT(Texts("Patient.name.family", "Patient"), ElementsAre("Patient.name.family"));
  EXPECT_THAT(Texts("(Observation.value as Quantity)", "Observation"),
              ElementsAre("Observation.valueQuantity"));
  EXPECT_THAT(Texts("Condition.onset.as(dateTime)", "Condition"),
              ElementsAre("Condition.onsetDateTime"));
  EXPECT_THAT(Texts("Observation.subject.where(resolve() is Patient)", "Observation"),
              ElementsAre("Observation.subject"));
  EXPECT_THAT(Texts("Patient.telecom.where(system='email')", "Patient"),
              ElementsAre("Patient.telecom.where(system='email')"));
  EXPECT_THAT(Texts("Library.relatedArtifact.where(type='depends-on').resource", "Library"),
              ElementsAre("Library.relatedArtifact.where(type='depends-on').resource"));
  EXPECT_THAT(Texts("Bundle.entry[0].resource", "Bundle"), ElementsAre("Bundle.entry[0].resource"));
  EXPECT_THAT(Texts("(Observation.value as CodeableConcept).text", "Observation"),
              ElementsAre("Observation.valueCodeableConcept.text"));
  EXPECT_THAT(Texts("Patient.deceased.exists() and Patient.deceased != false", "Patient"),
              ElementsAre("Patient.deceased.exists()"));
}

TEST(PathTest, AlternativesOfOtherTypesAreLeftOut) {
  EXPECT_THAT(Texts("Patient.birthDate | Person.birthDate", "Person"),
              ElementsAre("Person.birthDate"));
  EXPECT_THAT(Texts("Patient.birthDate", "Person"), IsEmpty());
  EXPECT_THAT(Texts("Resource.meta.tag", "Person"), ElementsAre("Person.meta.tag"));
}

TEST(PathTest, AChoiceWithoutTypeIsOnePathForEachType) {
  EXPECT_THAT(Texts("Observation.effective", "Observation"),
              UnorderedElementsAre("Observation.effectiveDateTime", "Observation.effectiveInstant",
                                   "Observation.effectivePeriod", "Observation.effectiveTiming"));
}

TEST(PathTest, WhatNamesNoElementIsRefused) {
  EXPECT_FALSE(CompilePaths("Patient.nothing", "Patient").has_value());
  EXPECT_FALSE(CompilePaths("Patient.name.first()", "Patient").has_value());
  EXPECT_FALSE(CompilePaths("(Observation.value as Address)", "Observation").has_value());
  EXPECT_FALSE(CompilePaths("Patient.telecom.where(x='email')", "Patient").has_value());
}

TEST(PathTest, ResolveIsKeptBesideTheText) {
  const auto paths = CompilePaths("Flag.subject.where(resolve() is Patient)", "Flag");
  ASSERT_TRUE(paths.has_value());
  EXPECT_EQ(paths->at(0).resolve_is, "Patient");
}

TEST(PathTest, AComponentMayStartAtTheResource) {
  const auto paths = CompileRelativePaths("%resource.referenceSeq.chromosome",
                                          definitions::FindType("MolecularSequence.variant"),
                                          definitions::FindType("MolecularSequence"));
  ASSERT_TRUE(paths.has_value());
  EXPECT_TRUE(paths->at(0).from_resource);
  EXPECT_EQ(paths->at(0).text, "%resource.referenceSeq.chromosome");
}

}  // namespace
}  // namespace fhir::search
