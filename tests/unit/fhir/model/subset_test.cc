#include "fhir/model/subset.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace fhir::model {
namespace {

constexpr const char* kTag =
    R"({"system":"http://terminology.hl7.org/CodeSystem/v3-ObservationValue","code":"SUBSETTED"})";

constexpr const char* kObservation =
    R"({"resourceType":"Observation","id":"x","meta":{"versionId":"1","lastUpdated":"2020-01-01T00:00:00Z"},)"
    R"("text":{"status":"generated","div":"<div/>"},"status":"final","_status":{"id":"s"},"code":{"text":"c"},)"
    R"("issued":"2020-01-01T00:00:00Z","_issued":{"id":"i"},"valueQuantity":{"value":1.10}})";

std::string Subset(std::string_view text, const std::vector<std::string_view>& elements) {
  json::Document document = json::Document::Parse(text).value();
  std::string out;
  AppendElements(&out, document.Root(), elements);
  EXPECT_TRUE(json::Document::Parse(out)) << out;
  return out;
}

std::string Head() {
  return std::string(R"({"resourceType":"Observation","id":"x","meta":{"versionId":"1",)") +
         R"("lastUpdated":"2020-01-01T00:00:00Z","tag":[)" + kTag + "]}";
}

TEST(SubsetTest, WhatTheTypeRequiresIsAlwaysThere) {
  EXPECT_EQ(Subset(kObservation, {}),
            Head() + R"(,"status":"final","_status":{"id":"s"},"code":{"text":"c"}})");
}

TEST(SubsetTest, AnElementGoesWithItsSibling) {
  EXPECT_EQ(
      Subset(kObservation, {"issued", "nonsense"}),
      Head() +
          R"(,"status":"final","_status":{"id":"s"},"code":{"text":"c"},"issued":"2020-01-01T00:00:00Z",)" +
          R"("_issued":{"id":"i"}})");
}

TEST(SubsetTest, AChoiceIsNamedWithOrWithoutItsType) {
  const std::string expected = Head() +
                               R"(,"status":"final","_status":{"id":"s"},"code":{"text":"c"},)" +
                               R"("valueQuantity":{"value":1.10}})";
  EXPECT_EQ(Subset(kObservation, {"value"}), expected);
  EXPECT_EQ(Subset(kObservation, {"valueQuantity"}), expected);
}

TEST(SubsetTest, LeavingOutTextKeepsTheRest) {
  json::Document document = json::Document::Parse(kObservation).value();
  std::string out;
  const std::vector<std::string_view> elements = {"text", "status"};
  AppendWithout(&out, document.Root(), elements);
  EXPECT_EQ(
      out,
      Head() + R"(,"status":"final","_status":{"id":"s"},"code":{"text":"c"},)" +
          R"("issued":"2020-01-01T00:00:00Z","_issued":{"id":"i"},"valueQuantity":{"value":1.10}})");
}

TEST(SubsetTest, OtherTagsStayAndTheMarkComesOnce) {
  const std::string once =
      std::string(R"({"resourceType":"Patient","meta":{"tag":[{"code":"a"},)") + kTag + "]}}";
  EXPECT_EQ(Subset(R"({"resourceType":"Patient","meta":{"tag":[{"code":"a"}]},"active":true})", {}),
            once);
  EXPECT_EQ(Subset(once, {}), once);
}

TEST(SubsetTest, WithoutMetaTheMarkIsPutAtTheEnd) {
  EXPECT_EQ(
      Subset(R"({"resourceType":"Patient","active":true})", {"active"}),
      std::string(R"({"resourceType":"Patient","active":true,"meta":{"tag":[)") + kTag + "]}}");
}

std::string Summary(std::string_view text) {
  json::Document document = json::Document::Parse(text).value();
  std::string out;
  AppendSummary(&out, document.Root());
  EXPECT_TRUE(json::Document::Parse(out)) << out;
  return out;
}

TEST(SubsetTest, ASummaryHasWhatTheDefinitionsMark) {
  EXPECT_EQ(Summary(kObservation),
            Head() + R"(,"status":"final","_status":{"id":"s"},"code":{"text":"c"},)" +
                R"("issued":"2020-01-01T00:00:00Z","_issued":{"id":"i"},)" +
                R"("valueQuantity":{"value":1.10}})");
}

TEST(SubsetTest, ASummaryIsShortAtEveryDepth) {
  const std::string tag = std::string(R"("meta":{"tag":[)") + kTag + "]}";
  EXPECT_EQ(Summary(R"({"resourceType":"Observation","meta":{},"component":[)"
                    R"({"id":"a","code":{"coding":[{"code":"x","extension":[{"url":"u"}]}]},)"
                    R"("interpretation":[{"text":"high"}],"valueInteger":1},)"
                    R"({"interpretation":[{"text":"low"}]}]})"),
            R"({"resourceType":"Observation",)" + tag +
                R"(,"component":[{"code":{"coding":[{"code":"x"}]},"valueInteger":1}]})");
  // A stored bundle holds resources of other types.
  EXPECT_EQ(
      Summary(R"({"resourceType":"Bundle","meta":{},"type":"collection","entry":[{"resource":)"
              R"({"resourceType":"Patient","active":true,"photo":[{"title":"me"}]}}]})"),
      R"({"resourceType":"Bundle",)" + tag + R"(,"type":"collection","entry":[{"resource":)" +
          R"({"resourceType":"Patient","active":true}}]})");
}

TEST(SubsetTest, ASummaryLeavesNothingEmptyBehind) {
  EXPECT_EQ(Summary(R"({"resourceType":"Observation","meta":{},"component":[{"id":"a"}],)"
                    R"("status":"final"})"),
            std::string(R"({"resourceType":"Observation","meta":{"tag":[)") + kTag +
                R"(]},"status":"final"})");
}

TEST(SubsetTest, ASummaryKeepsWhatChangesTheMeaningAndWhatIsRequired) {
  EXPECT_EQ(
      Summary(R"({"resourceType":"Appointment","modifierExtension":[{"url":"u",)"
              R"("valueBoolean":true}],"extension":[{"url":"u"}],"status":"booked",)"
              R"("participant":[{"status":"accepted"}],"meta":{}})"),
      std::string(R"({"resourceType":"Appointment","modifierExtension":[{"url":"u",)") +
          R"("valueBoolean":true}],"status":"booked","participant":[{"status":"accepted"}],)" +
          R"("meta":{"tag":[)" + kTag + "]}}");
}

}  // namespace
}  // namespace fhir::model
