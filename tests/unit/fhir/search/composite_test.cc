#include <gtest/gtest.h>

#include "tests/unit/fhir/search/search_fixture.h"

namespace fhir::search {
namespace {

const IndexEntries& BloodPressure() {
  static const IndexEntries kEntries = Extract(
      R"({"resourceType":"Observation","code":{"coding":[{"system":"l","code":"bp"}]},
          "component":[
            {"code":{"coding":[{"system":"l","code":"sys"},{"code":"alt"}]},
             "valueQuantity":{"value":120,"system":"u","code":"mm"}},
            {"code":{"coding":[{"system":"l","code":"dia"}]},
             "valueQuantity":{"value":80,"system":"u","code":"mm"}}]})");
  return kEntries;
}

bool Finds(std::string_view query) {
  return Matches("Observation", BloodPressure(), query);
}

TEST(CompositeTest, ComponentsMustStandTogether) {
  EXPECT_TRUE(Finds("component-code-value-quantity=l|sys$120"));
  EXPECT_TRUE(Finds("component-code-value-quantity=sys$120"));
  EXPECT_TRUE(Finds("component-code-value-quantity=alt$gt100"));
  EXPECT_FALSE(Finds("component-code-value-quantity=sys$80"));
  EXPECT_FALSE(Finds("component-code-value-quantity=l|dia$gt100"));
  EXPECT_FALSE(Finds("component-code-value-quantity=m|sys$120"));
  EXPECT_FALSE(Finds("component-code-value-quantity=sy$120"));
}

TEST(CompositeTest, TheUnitOfTheLastComponentCounts) {
  EXPECT_TRUE(Finds("component-code-value-quantity=sys$120|u|mm"));
  EXPECT_TRUE(Finds("component-code-value-quantity=l|sys$ge120||mm"));
  EXPECT_FALSE(Finds("component-code-value-quantity=sys$120|u|cm"));
  EXPECT_TRUE(Finds("component-code-value-quantity=x$1,sys$lt121|u|mm"));
}

TEST(CompositeTest, ComboTakesTheRootAndTheComponents) {
  EXPECT_TRUE(Finds("combo-code-value-quantity=dia$80"));
  EXPECT_FALSE(Finds("code-value-quantity=dia$80"));
  const IndexEntries root = Extract(
      R"({"resourceType":"Observation","code":{"coding":[{"code":"w"}]},"valueQuantity":{"value":7}})");
  EXPECT_TRUE(Matches("Observation", root, "combo-code-value-quantity=w$7"));
  EXPECT_TRUE(Matches("Observation", root, "code-value-quantity=w$7"));
}

TEST(CompositeTest, DatesInTuplesFollowTheDateRulesWhateverTheirLength) {
  const IndexEntries entries = Extract(
      R"({"resourceType":"Observation","code":{"coding":[{"code":"w"}]},
          "valuePeriod":{"start":"2020-01-01","end":"2020-06-30"}})");
  EXPECT_TRUE(Matches("Observation", entries, "code-value-date=w$2020"));
  EXPECT_FALSE(Matches("Observation", entries, "code-value-date=w$2020-01"));
  EXPECT_TRUE(Matches("Observation", entries, "code-value-date=w$gt2020-05"));
  EXPECT_FALSE(Matches("Observation", entries, "code-value-date=w$gt2020-07"));
  EXPECT_TRUE(Matches("Observation", entries, "code-value-date=w$lt2020-02"));
  EXPECT_TRUE(Matches("Observation", entries, "code-value-date=w$sa2019"));
  EXPECT_TRUE(Matches("Observation", entries, "code-value-date=w$eb2021"));
  EXPECT_FALSE(Matches("Observation", entries, "code-value-date=w$ne2020"));
}

TEST(CompositeTest, StringsInTuplesMatchByTheirBeginning) {
  const IndexEntries entries = Extract(
      R"({"resourceType":"Observation","code":{"coding":[{"code":"w"}]},"valueString":"Rötlich"})");
  EXPECT_TRUE(Matches("Observation", entries, "code-value-string=w$rot"));
  EXPECT_FALSE(Matches("Observation", entries, "code-value-string=w$ot"));
}

TEST(CompositeTest, ASystemAloneWorksOnlyInTheLastComponent) {
  const IndexEntries entries = Extract(
      R"({"resourceType":"Observation","code":{"coding":[{"code":"w"}]},
          "valueCodeableConcept":{"coding":[{"system":"s","code":"v"}]}})");
  EXPECT_TRUE(Matches("Observation", entries, "code-value-concept=w$s|"));
  EXPECT_FALSE(Matches("Observation", entries, "code-value-concept=w$t|"));
  EXPECT_FALSE(Ask("Observation", "code-value-concept=s|$v").has_value());
}

TEST(CompositeTest, ReferenceAndTokenOfADocumentRelation) {
  const IndexEntries entries = Extract(
      R"({"resourceType":"DocumentReference","relatesTo":[
          {"code":"replaces","target":{"reference":"DocumentReference/1"}},
          {"code":"signs","target":{"reference":"http://x/DocumentReference/2"}}]})");
  EXPECT_TRUE(Matches("DocumentReference", entries, "relationship=DocumentReference/1$replaces"));
  EXPECT_TRUE(Matches("DocumentReference", entries, "relationship=1$replaces"));
  EXPECT_FALSE(Matches("DocumentReference", entries, "relationship=1$signs"));
  EXPECT_TRUE(
      Matches("DocumentReference", entries, "relationship=http://x/DocumentReference/2$signs"));
}

TEST(CompositeTest, ThreeComponentsOneOfThemFromTheResource) {
  const IndexEntries entries = Extract(
      R"({"resourceType":"MolecularSequence","referenceSeq":{"chromosome":{"coding":[{"code":"1"}]},
          "windowStart":10,"windowEnd":200},"variant":[{"start":22,"end":25}]})");
  EXPECT_TRUE(Matches("MolecularSequence", entries, "chromosome-variant-coordinate=1$22$25"));
  EXPECT_TRUE(Matches("MolecularSequence", entries, "chromosome-variant-coordinate=1$gt20$lt30"));
  EXPECT_FALSE(Matches("MolecularSequence", entries, "chromosome-variant-coordinate=1$gt20$lt25"));
  EXPECT_FALSE(Matches("MolecularSequence", entries, "chromosome-variant-coordinate=1$22$26"));
  EXPECT_FALSE(Matches("MolecularSequence", entries, "chromosome-variant-coordinate=2$22$25"));
  EXPECT_TRUE(Matches("MolecularSequence", entries, "chromosome-window-coordinate=1$lt11$gt199"));
}

TEST(CompositeTest, RangesInTuplesFollowTheRangeRules) {
  const IndexEntries entries = Extract(
      R"({"resourceType":"Measure","useContext":[{"code":{"system":"c","code":"age"},
          "valueRange":{"low":{"value":18,"code":"a"},"high":{"value":65,"code":"a"}}}]})");
  EXPECT_TRUE(Matches("Measure", entries, "context-type-quantity=age$gt60"));
  EXPECT_FALSE(Matches("Measure", entries, "context-type-quantity=age$gt65"));
  EXPECT_FALSE(Matches("Measure", entries, "context-type-quantity=age$30"));
  EXPECT_TRUE(Matches("Measure", entries, "context-type-quantity=c|age$ap20||a"));
  EXPECT_FALSE(Matches("Measure", entries, "context-type-quantity=c|age$ap90||a"));
  EXPECT_TRUE(Matches("Measure", entries, "context-type-quantity=age$ne30"));
}

TEST(CompositeTest, WrongCountsOfValuesAreRefused) {
  EXPECT_FALSE(Ask("Observation", "code-value-quantity=a").has_value());
  EXPECT_FALSE(Ask("Observation", "code-value-quantity=a$1$2").has_value());
  EXPECT_FALSE(Ask("Observation", "code-value-quantity=a$").has_value());
  EXPECT_FALSE(Ask("Observation", "_sort=code-value-quantity").has_value());
}

TEST(CompositeTest, TooManyCombinationsAreRefusedAndNotCut) {
  std::string codings;
  for (int i = 0; i < 1000; ++i) {
    codings += (i > 0 ? "," : "") + ("{\"code\":\"" + std::to_string(i)) + "\"}";
  }
  const std::string json = R"({"resourceType":"Observation","code":{"coding":[)" + codings +
                           R"(]},"valueCodeableConcept":{"coding":[)" + codings + "]}}";
  const auto document = json::Document::Parse(json);
  IndexEntries entries;
  const auto extracted = ExtractEntries(R4(), {}, document->Root(), {}, {}, &entries);
  ASSERT_FALSE(extracted.has_value());
  EXPECT_EQ(extracted.error().http_status, 422);
}

TEST(CompositeTest, QuantitiesInUcumUnitsConvert) {
  const IndexEntries entries = Extract(
      R"({"resourceType":"Observation","code":{"coding":[{"system":"l","code":"w"}]},
          "valueQuantity":{"value":70.5,"system":"http://unitsofmeasure.org","code":"kg"}})");
  const auto finds = [&](const std::string& value) {
    return Matches("Observation", entries, EncodeParameters({{"code-value-quantity", value}}));
  };
  EXPECT_TRUE(finds("l|w$70500|http://unitsofmeasure.org|g"));
  EXPECT_TRUE(finds("w$70500|http://unitsofmeasure.org|g"));
  EXPECT_TRUE(finds("l|w$gt155|http://unitsofmeasure.org|[lb_av]"));
  EXPECT_FALSE(finds("l|w$gt156|http://unitsofmeasure.org|[lb_av]"));
  EXPECT_FALSE(finds("l|x$70500|http://unitsofmeasure.org|g"));
  EXPECT_FALSE(finds("l|w$70500||g"));
  EXPECT_TRUE(finds("l|w$70.5||kg"));
  EXPECT_TRUE(finds("l|w$70.5"));
}

}  // namespace
}  // namespace fhir::search
