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
  EXPECT_THAT(ValuesOf(Coded(), "Observation.code:token.2"),
              testing::Contains("\x01"
                                "b\0"s +
                                std::string(8, '\0')));
}

const IndexEntries& Named() {
  static const IndexEntries kEntries = Extract(
      R"({"resourceType":"Observation","status":"final",
          "code":{"coding":[{"system":"s","code":"a","display":"Heart  Rate"}],"text":"Puls\u00e9"},
          "category":[{"coding":[{"code":"vital"}]}],
          "identifier":[{"system":"i","value":"446053",
                         "type":{"text":"Medical Record","coding":[{"system":"t","code":"MR"},
                                                                  {"system":"u","code":"X|Y"},
                                                                  {"code":"bare"}]}},
                        {"system":"i","value":"2"}]})");
  return kEntries;
}

bool FindsNamed(std::string_view query) {
  return Matches("Observation", Named(), query);
}

TEST(TokenTest, TextSearchesTheBeginningOfWhatACodeIsCalled) {
  EXPECT_TRUE(FindsNamed("code:text=heart"));
  EXPECT_TRUE(FindsNamed("code:text=HEART rat"));
  EXPECT_TRUE(FindsNamed("code:text=pulse"));
  EXPECT_FALSE(FindsNamed("code:text=rate"));  // As a string is searched: from its start.
  EXPECT_FALSE(FindsNamed("code:text=a"));     // The code is no text.
  EXPECT_TRUE(FindsNamed("code:text=x,puls"));
  EXPECT_TRUE(FindsNamed("identifier:text=medical"));
  EXPECT_FALSE(FindsNamed("category:text=vital"));
  EXPECT_FALSE(FindsNamed("code=heart"));
  EXPECT_TRUE(FindsNamed("combo-code:text=heart"));
}

TEST(TokenTest, TextIsRefusedWhereThereIsNone) {
  EXPECT_FALSE(Ask("Observation", "status:text=final").has_value());
  EXPECT_FALSE(Ask("Patient", "telecom:text=x").has_value());
  EXPECT_FALSE(Ask("Patient", "active:text=x").has_value());
  EXPECT_FALSE(Ask("Observation", "code:text=%20").has_value());
  EXPECT_FALSE(Ask("Observation", "code:text=" + std::string(1025, 'a')).has_value());
}

TEST(TokenTest, ALongTextIsFoundByItsBeginning) {
  const std::string text(3000, 'a');
  const IndexEntries entries =
      Extract(R"({"resourceType":"Observation","code":{"text":")" + text + "\"}}");
  EXPECT_TRUE(Matches("Observation", entries, "code:text=" + text.substr(0, 1024)));
}

TEST(TokenTest, OfTypeComparesTypeAndValueOfOneIdentifier) {
  EXPECT_TRUE(FindsNamed("identifier:of-type=t|MR|446053"));
  EXPECT_TRUE(FindsNamed("identifier:of-type=u|X\\|Y|446053"));
  EXPECT_FALSE(FindsNamed("identifier:of-type=t|MR|2"));
  EXPECT_FALSE(FindsNamed("identifier:of-type=u|MR|446053"));
  EXPECT_FALSE(FindsNamed("identifier:of-type=t|MR|44605"));
  EXPECT_TRUE(FindsNamed("identifier:of-type=x|y|z,t|MR|446053"));
}

TEST(TokenTest, OfTypeNeedsAllThreeParts) {
  for (const std::string_view value :
       {"MR|446053", "|MR|446053", "t||446053", "t|MR|", "t|MR|4|4"}) {
    EXPECT_FALSE(Ask("Observation", "identifier:of-type=" + std::string(value)).has_value())
        << value;
  }
  EXPECT_FALSE(Ask("Observation", "code:of-type=t|MR|1").has_value());
}

// Value set "v": s|a and t|b. Below s|top: s|top, s|a.
class FakeTerminology final : public terminology::Terminology {
 public:
  Result<terminology::Concepts> Expand(std::string_view value_set) override {
    if (value_set == "v") return terminology::Concepts{{"s", "a"}, {"t", "b"}};
    if (value_set == "final") {
      return terminology::Concepts{{"http://hl7.org/fhir/observation-status", "final"}};
    }
    if (value_set == "empty") return terminology::Concepts{};
    return Fail(Invalid("there is no value set"));
  }
  Result<terminology::Concepts> Below(std::string_view system, std::string_view code) override {
    if (system == "s" && code == "top") return terminology::Concepts{{"s", "a"}, {"s", "top"}};
    return terminology::Concepts{{std::string(system), std::string(code)}};
  }
  Result<terminology::Concepts> Above(std::string_view system, std::string_view code) override {
    if (system == "s" && code == "leaf") return terminology::Concepts{{"s", "a"}, {"s", "leaf"}};
    return terminology::Concepts{{std::string(system), std::string(code)}};
  }
};

QueryOptions WithTerminology() {
  static FakeTerminology terminology;
  QueryOptions options;
  options.terminology = &terminology;
  return options;
}

bool FindsConcept(std::string_view query) {
  return Matches("Observation", Coded(), query, WithTerminology());
}

TEST(TokenTest, InMatchesConceptsOfAValueSet) {
  EXPECT_TRUE(FindsConcept("code:in=v"));
  EXPECT_FALSE(FindsConcept("code:in=final"));
  EXPECT_FALSE(FindsConcept("code:in=empty"));
  EXPECT_TRUE(FindsConcept("code:in=empty,v"));
  EXPECT_TRUE(FindsConcept("status:in=final"));
  EXPECT_FALSE(FindsConcept("category:in=v"));
}

TEST(TokenTest, NotInIncludesResourcesWithoutTheElement) {
  EXPECT_FALSE(FindsConcept("code:not-in=v"));
  EXPECT_TRUE(FindsConcept("code:not-in=final"));
  EXPECT_TRUE(FindsConcept("category:not-in=v"));
  EXPECT_TRUE(FindsConcept("code:not-in=empty"));
}

TEST(TokenTest, AboveAndBelowIncludeTheConceptItself) {
  EXPECT_TRUE(FindsConcept("code:below=s|top"));
  EXPECT_TRUE(FindsConcept("code:below=s|a"));
  EXPECT_FALSE(FindsConcept("code:below=s|leaf"));
  EXPECT_TRUE(FindsConcept("code:above=s|leaf"));
  EXPECT_FALSE(FindsConcept("code:above=s|top"));
}

TEST(TokenTest, ConceptModifiersAreRefusedWhereTheyMeanNothing) {
  for (const std::string_view query :
       {"code:in=unknown", "code:below=a", "code:below=|a", "code:above=s|", "identifier:in=v",
        "identifier:below=s|a"}) {
    const auto parsed = Ask("Observation", query, WithTerminology());
    ASSERT_FALSE(parsed.has_value()) << query;
    EXPECT_EQ(parsed.error().http_status, 400) << query;
  }
  EXPECT_FALSE(Ask("Observation", "code:in=v").has_value());  // No terminology.
  EXPECT_FALSE(Ask("Patient", "active:in=v", WithTerminology()).has_value());
}

}  // namespace
}  // namespace fhir::search
