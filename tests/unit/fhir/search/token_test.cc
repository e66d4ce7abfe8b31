#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/fhir/search/search_fixture.h"

namespace fhir::search {
namespace {

using namespace std::string_literals;

const IndexEntries& Coded() {
  static const IndexEntries kEntries = Extract(
      R"({"resourceType":"Observation","status":"final",
          "code":{"coding":[{"system":"s","code":"a"},{"code":"b"},{"system":"t"}],"text":"x"},
          "identifier":[{"system":"i","value":"1|2"},{"value":"3,4"}]})");
  return kEntries;
}

bool Finds(std::string_view query) {
  return Matches("Observation", Coded(), query);
}

TEST(TokenTest, ACodeWithoutBarMatchesAnySystem) {
  EXPECT_TRUE(Finds("code=a"));
  EXPECT_TRUE(Finds("code=b"));
  EXPECT_FALSE(Finds("code=A"));
  EXPECT_FALSE(Finds("code=c,"));
  EXPECT_TRUE(Finds("code=c,b"));
}

TEST(TokenTest, ASystemNarrowsAndAnEmptyOneMeansNone) {
  EXPECT_TRUE(Finds("code=s|a"));
  EXPECT_FALSE(Finds("code=t|a"));
  EXPECT_FALSE(Finds("code=|a"));
  EXPECT_TRUE(Finds("code=|b"));
}

TEST(TokenTest, ASystemAloneMatchesAllOfIt) {
  EXPECT_TRUE(Finds("code=s|"));
  EXPECT_TRUE(Finds("code=t|"));
  EXPECT_FALSE(Finds("code=u|"));
}

TEST(TokenTest, CodesThatBeginAlikeAreDifferent) {
  const IndexEntries entries =
      Extract(R"({"resourceType":"Patient","identifier":[{"system":"s","value":"12"}]})");
  EXPECT_FALSE(Matches("Patient", entries, "identifier=1"));
  EXPECT_FALSE(Matches("Patient", entries, "identifier=123"));
  EXPECT_FALSE(Matches("Patient", entries, "identifier=s|1"));
}

TEST(TokenTest, EscapedSeparatorsBelongToTheValue) {
  EXPECT_TRUE(Finds("identifier=i|1\\|2"));
  EXPECT_TRUE(Finds("identifier=3\\,4"));
  EXPECT_FALSE(Finds("identifier=3,4"));
  EXPECT_FALSE(Ask("Observation", "identifier=i|1|2").has_value());
}

TEST(TokenTest, ABoundCodeHasTheSystemOfItsBinding) {
  EXPECT_TRUE(Finds("status=final"));
  EXPECT_TRUE(Finds("status=http://hl7.org/fhir/observation-status|final"));
  EXPECT_FALSE(Finds("status=|final"));
}

TEST(TokenTest, NotIncludesResourcesWithoutTheElement) {
  EXPECT_FALSE(Finds("code:not=a"));
  EXPECT_FALSE(Finds("code:not=c,a"));
  EXPECT_TRUE(Finds("code:not=c"));
  EXPECT_TRUE(Finds("method:not=c"));
}

TEST(TokenTest, BooleansAreTokens) {
  const IndexEntries entries = Extract(R"({"resourceType":"Patient","active":true})");
  EXPECT_TRUE(Matches("Patient", entries, "active=true"));
  EXPECT_FALSE(Matches("Patient", entries, "active=false"));
}

TEST(TokenTest, DeceasedIsFalseWithoutTheElement) {
  const IndexEntries none = Extract(R"({"resourceType":"Patient"})");
  EXPECT_TRUE(Matches("Patient", none, "deceased=false"));
  const IndexEntries alive = Extract(R"({"resourceType":"Patient","deceasedBoolean":false})");
  EXPECT_TRUE(Matches("Patient", alive, "deceased=false"));
  const IndexEntries dead = Extract(R"({"resourceType":"Patient","deceasedDateTime":"2020"})");
  EXPECT_TRUE(Matches("Patient", dead, "deceased=true"));
  EXPECT_FALSE(Matches("Patient", dead, "deceased=false"));
  EXPECT_TRUE(Matches("Patient", dead, "death-date=2020"));
}

TEST(TokenTest, AContactPointIsItsValueAndFilteredBySystem) {
  const IndexEntries entries = Extract(
      R"({"resourceType":"Patient","telecom":[{"system":"email","value":"a@b"},
          {"system":"phone","value":"5"}]})");
  EXPECT_TRUE(Matches("Patient", entries, "telecom=5"));
  EXPECT_TRUE(Matches("Patient", entries, "email=a@b"));
  EXPECT_FALSE(Matches("Patient", entries, "email=5"));
  EXPECT_TRUE(Matches("Patient", entries, "phone=5"));
}

TEST(TokenTest, LongCodesThatDifferAtTheEndAreDifferent) {
  const std::string code(300, 'a');
  const IndexEntries entries = Extract(
      R"({"resourceType":"Patient","identifier":[{"system":"s","value":")" + code + "\"}]}");
  EXPECT_TRUE(Matches("Patient", entries, "identifier=" + code));
  EXPECT_TRUE(Matches("Patient", entries, "identifier=s|" + code));
  EXPECT_FALSE(Matches("Patient", entries, "identifier=" + code.substr(1)));
  EXPECT_FALSE(Matches("Patient", entries, "identifier=" + code.substr(1) + "b"));
}

TEST(TokenTest, ElementsWithoutAnyTokenAreNotMissing) {
  const IndexEntries entries =
      Extract(R"({"resourceType":"Observation","code":{"text":"only text"}})");
  EXPECT_TRUE(Matches("Observation", entries, "code:missing=false"));
  EXPECT_FALSE(Matches("Observation", entries, "code:missing=true"));
  EXPECT_TRUE(Matches("Observation", entries, "method:missing=true"));
}

TEST(TokenTest, ANulInACodeDoesNotEndIt) {
  const IndexEntries entries =
      Extract(R"({"resourceType":"Patient","identifier":[{"value":"a\u0000b"}]})");
  EXPECT_FALSE(Matches("Patient", entries, "identifier=a"));
  EXPECT_TRUE(Matches("Patient", entries, "identifier=a%00b"));
}

TEST(TokenTest, ValuesWithNeitherSystemNorCodeAreRefused) {
  EXPECT_FALSE(Ask("Observation", "code=|").has_value());
  EXPECT_FALSE(Ask("Observation", "code=,").has_value());
}

TEST(TokenTest, BytesAreAsDocumented) {
  EXPECT_THAT(ValuesOf(Coded(), "Observation.code:token"), testing::Contains("\x01"
                                                                             "b\0"s +
                                                                             std::string(8, '\0')));
}

}  // namespace
}  // namespace fhir::search
