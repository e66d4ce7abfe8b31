#include "fhir/search/extract.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/fhir/search/search_fixture.h"

namespace fhir::search {
namespace {

using namespace std::string_literals;
using testing::ElementsAre;
using testing::IsEmpty;

TEST(ExtractTest, EveryLiteralReferenceIsInTheReferencesIndexWithoutVersion) {
  const auto document = json::Document::Parse(R"({"resourceType":"Patient"})");
  model::StoredForm stored;
  stored.json = R"(["Patient/1","Practitioner/2/_history/3"])";
  stored.references = {{2, 9}, {14, 25}};
  IndexEntries entries;
  ASSERT_TRUE(ExtractEntries(R4(), {}, document->Root(), {}, stored, &entries).has_value());
  EXPECT_THAT(ValuesOf(entries, "references"), ElementsAre("Patient/1\0"s, "Practitioner/2\0"s));
}

TEST(ExtractTest, ContainedResourcesAreNotIndexed) {
  const IndexEntries entries = Extract(
      R"({"resourceType":"Observation","contained":[{"resourceType":"Patient","id":"p",
          "name":[{"family":"x"}]}],"subject":{"reference":"#p"}})");
  ASSERT_EQ(entries.List().size(), 1U);
  EXPECT_EQ(entries.ValueOf(entries.List()[0]), "\0"s);
}

TEST(ExtractTest, NullsInArraysAreSkipped) {
  const IndexEntries entries = Extract(
      R"({"resourceType":"Patient","name":[{"given":[null,"Ann"],"_given":[{"id":"a"},null]}]})");
  EXPECT_TRUE(Matches("Patient", entries, "given=ann"));
  EXPECT_EQ(ValuesOf(entries, "Patient.name.given:string").size(), 2U);
}

TEST(ExtractTest, ADuplicateValueIsOneEntry) {
  const IndexEntries entries = Extract(
      R"({"resourceType":"Patient","identifier":[{"system":"s","value":"1"},
          {"system":"s","value":"1"}]})");
  EXPECT_EQ(ValuesOf(entries, "Patient.identifier:token").size(), 2U);
}

TEST(ExtractTest, MetaIsIndexedForEveryType) {
  const IndexEntries entries = Extract(
      R"({"resourceType":"Binary","meta":{"tag":[{"system":"s","code":"t"}],
          "security":[{"code":"R"}],"source":"http://src"}})");
  EXPECT_TRUE(Matches("Binary", entries, "_tag=s|t&_security=R&_source=http://src"));
  EXPECT_FALSE(Matches("Binary", entries, "_tag=s|u"));
}

TEST(ExtractTest, ATypeWithoutRelevantElementsHasNoEntries) {
  EXPECT_THAT(Extract(R"({"resourceType":"Binary","data":"AAAA"})").List(), IsEmpty());
}

TEST(ExtractTest, InsurancePlansNameIsFoundAlthoughItsExpressionLacksTheType) {
  const IndexEntries entries =
      Extract(R"({"resourceType":"InsurancePlan","name":"Gold","alias":["Premium"]})");
  EXPECT_TRUE(Matches("InsurancePlan", entries, "name=gold"));
  EXPECT_TRUE(Matches("InsurancePlan", entries, "name=premium"));
}

TEST(ExtractTest, ARelatedArtifactIsFoundByItsKind) {
  const IndexEntries entries = Extract(
      R"({"resourceType":"Library","relatedArtifact":[{"type":"depends-on","resource":"http://a"},
          {"type":"predecessor","resource":"http://b"}]})");
  EXPECT_TRUE(Matches("Library", entries, "depends-on=http://a"));
  EXPECT_FALSE(Matches("Library", entries, "depends-on=http://b"));
  EXPECT_TRUE(Matches("Library", entries, "predecessor=http://b"));
}

std::string Repeated(std::string_view item, int count) {
  std::string list(item);
  for (int i = 1; i < count; ++i) list.append(",").append(item);
  return list;
}

int StatusOfExtraction(std::string_view json) {
  const auto document = json::Document::Parse(json);
  IndexEntries entries;
  const auto extracted = ExtractEntries(R4(), {}, document->Root(), {}, {}, &entries);
  return extracted ? 200 : extracted.error().http_status;
}

TEST(ExtractTest, TooLongCombinationsAreRefused) {
  std::string codings;
  for (int i = 0; i < 2'000; ++i) {
    codings.append(i == 0 ? "" : ",").append(R"({"code":")" + std::to_string(i) + R"("})");
  }
  const std::string start =
      R"({"resourceType":"Observation","code":{"coding":[)" + codings + R"(]},"valueString":")";
  EXPECT_EQ(StatusOfExtraction(start + "x\"}"), 200);
  EXPECT_EQ(StatusOfExtraction(start + std::string(40'000, 'x') + "\"}"), 422);
}

TEST(ExtractTest, WhatIsReadAgainForEachElementIsBounded) {
  const auto sequence = [](int size) {
    return R"({"resourceType":"MolecularSequence","referenceSeq":{"chromosome":{"coding":[)" +
           Repeated(R"({"id":"a"})", size) + R"(]}},"variant":[)" +
           Repeated(R"({"start":1,"end":2})", size) + "]}";
  };
  EXPECT_EQ(StatusOfExtraction(sequence(100)), 200);
  EXPECT_EQ(StatusOfExtraction(sequence(5'000)), 422);
}

TEST(ExtractTest, TextsThatAreTooLongAreRefused) {
  const auto patient = [](int names, std::size_t bytes) {
    return R"({"resourceType":"Patient","name":[{"given":[)" +
           Repeated("\"" + std::string(bytes, 'x') + "\"", names) + "]}]}";
  };
  EXPECT_EQ(StatusOfExtraction(patient(1, kMaxTextBytes)), 200);
  EXPECT_EQ(StatusOfExtraction(patient(1, kMaxTextBytes + 1)), 422);
  EXPECT_EQ(StatusOfExtraction(patient(40, kMaxTextBytes)), 422);  // In several indexes.
  EXPECT_EQ(StatusOfExtraction(R"({"resourceType":"Observation","code":{"coding":[{"code":"a"}]},)"
                               R"("valueString":")" +
                               std::string(kMaxTextBytes + 1, 'x') + "\"}"),
            422);
}

}  // namespace
}  // namespace fhir::search
