#include <cmath>
#include <optional>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "tests/unit/fhir/search/search_fixture.h"

namespace fhir::search {
namespace {

// A number in hundredths with a fixed count of decimals, so that the naive rules are exact.
struct Hundredths {
  std::string text;
  long value = 0;      // In thousandths, as the half of the last digit needs them.
  long half_unit = 0;  // Half of the last digit's unit.
};

Hundredths RandomNumber(std::mt19937* random) {
  // Also with more digits than a band has.
  constexpr long kMiddles[] = {0, 0, 120, 1240, -1240};
  const long digits = static_cast<long>((*random)() % 41) - 20 + kMiddles[(*random)() % 5];
  const unsigned decimals = (*random)() % 3;
  const long unit = decimals == 0 ? 1000 : decimals == 1 ? 100 : 10;
  const long value = digits * unit;
  const long whole = std::abs(value) / 1000;
  std::string text = (value < 0 ? "-" : "") + std::to_string(whole);
  std::string fraction = std::to_string(1000 + std::abs(value) % 1000).substr(1, decimals);
  if (decimals > 0) text += "." + fraction;
  return {text, value, unit / 2};
}

// A closed range; a number is a range of one. Open ends are far away.
struct Numbers {
  long low;
  long high;
};

bool Naive(std::string_view prefix, const Numbers& r, const Hundredths& s) {
  const bool within = r.low >= s.value - s.half_unit && r.high < s.value + s.half_unit;
  // -5 at one digit is (-5.5, -4.5] or [-5.5, -4.5): both ends are tested below, see the caller.
  if (prefix == "ne") return !within;
  if (prefix == "gt") return r.high > s.value;
  if (prefix == "lt") return r.low < s.value;
  if (prefix == "ge") return r.high >= s.value;
  if (prefix == "le") return r.low <= s.value;
  if (prefix == "sa") return r.low > s.value;
  if (prefix == "eb") return r.high < s.value;
  if (prefix == "ap") {
    const long tenth = std::abs(s.value);  // In ten-thousandths.
    return r.low * 10 <= s.value * 10 + tenth && r.high * 10 >= s.value * 10 - tenth;
  }
  return within;
}

constexpr std::string_view kPrefixes[] = {"", "eq", "ne", "gt", "lt", "ge", "le", "sa", "eb", "ap"};

void ExpectAgreement(std::string_view type, std::string_view parameter, const std::string& json,
                     const Numbers& numbers, std::string_view tail, std::mt19937* random) {
  const IndexEntries entries = Extract(json);
  for (int i = 0; i < 4; ++i) {
    const Hundredths searched = RandomNumber(random);
    for (const std::string_view prefix : kPrefixes) {
      const std::string query = EncodeParameters(
          {{std::string(parameter), std::string(prefix) + searched.text + std::string(tail)}});
      EXPECT_EQ(Matches(type, entries, query), Naive(prefix, numbers, searched))
          << json << " " << query;
    }
  }
}

TEST(NumericTest, NumbersAgreeWithTheNaiveRule) {
  std::mt19937 random(1);
  for (int round = 0; round < 400; ++round) {
    const Hundredths number = RandomNumber(&random);
    ExpectAgreement("ChargeItem", "factor-override",
                    R"({"resourceType":"ChargeItem","factorOverride":)" + number.text + "}",
                    {number.value, number.value}, "", &random);
  }
}

TEST(NumericTest, RangesAgreeWithTheNaiveRuleOpenEndsToo) {
  std::mt19937 random(2);
  for (int round = 0; round < 400; ++round) {
    Hundredths low = RandomNumber(&random);
    Hundredths high = RandomNumber(&random);
    if (high.value < low.value) std::swap(low, high);
    const auto open = random() % 4;
    Numbers numbers{low.value, high.value};
    std::string range;
    if (open != 0) range += R"("low":{"value":)" + low.text + "}";
    if (open == 0) numbers.low = -1'000'000'000;
    if (open >= 2) range += ",";
    if (open != 1) range += R"("high":{"value":)" + high.text + "}";
    if (open == 1) numbers.high = 1'000'000'000;
    ExpectAgreement(
        "RiskAssessment", "probability",
        R"({"resourceType":"RiskAssessment","prediction":[{"probabilityRange":{)" + range + "}}]}",
        numbers, "", &random);
  }
}

TEST(NumericTest, QuantitiesAgreeWithTheNaiveRuleWithAndWithoutUnit) {
  std::mt19937 random(3);
  for (int round = 0; round < 200; ++round) {
    const Hundredths number = RandomNumber(&random);
    const std::string json = R"({"resourceType":"Observation","valueQuantity":{"value":)" +
                             number.text + R"(,"unit":"milli","system":"s","code":"mg"}})";
    for (const std::string_view tail : {"", "|s|mg", "||mg", "||milli", "|s|"}) {
      ExpectAgreement("Observation", "value-quantity", json, {number.value, number.value}, tail,
                      &random);
    }
  }
}

// A unit that is `numerator / denominator` of the first of its kind.
struct NaiveUnit {
  const char* code;
  long numerator;
  long denominator;
};

// Both numbers in thousandths of the first unit, times the product of denominators.
bool NaiveConverted(std::string_view prefix, long found, const NaiveUnit& found_unit,
                    const Hundredths& searched, const NaiveUnit& unit) {
  const long to_common = unit.numerator * found_unit.denominator;
  const long v = found * found_unit.numerator * unit.denominator;
  return Naive(prefix, {v, v},
               {.text = {},
                .value = searched.value * to_common,
                .half_unit = searched.half_unit * to_common});
}

TEST(NumericTest, QuantitiesInUcumUnitsAgreeWithTheNaiveRuleAcrossUnits) {
  const std::vector<std::vector<NaiveUnit>> kinds = {
      {{"g", 1, 1}, {"mg", 1, 1000}, {"[lb_av]", 45359237, 100000}, {"dag", 10, 1}},
      {{"/h", 1, 1}, {"/min", 60, 1}, {"Hz", 3600, 1}, {"/d", 1, 24}},
      {{"mg/dL", 1, 1}, {"g/L", 100, 1}, {"ug/mL{x}", 1, 10}, {"mg/L", 1, 10}},
      {{"K", 1, 1}, {"[degR]", 5, 9}, {"mK", 1, 1000}}};
  std::mt19937 random(4);
  int hits = 0;
  for (int round = 0; round < 1500; ++round) {
    const auto& kind = kinds[random() % kinds.size()];
    const NaiveUnit& found_unit = kind[random() % kind.size()];
    const NaiveUnit& unit = kind[random() % kind.size()];
    const Hundredths found = RandomNumber(&random);
    const Hundredths searched = RandomNumber(&random);
    const IndexEntries entries =
        Extract(R"({"resourceType":"Observation","valueQuantity":{"value":)" + found.text +
                R"(,"system":"http://unitsofmeasure.org","code":")" + found_unit.code + R"("}})");
    for (const std::string_view prefix : kPrefixes) {
      const std::string query =
          EncodeParameters({{"value-quantity", std::string(prefix) + searched.text +
                                                   "|http://unitsofmeasure.org|" + unit.code}});
      const bool expected = NaiveConverted(prefix, found.value, found_unit, searched, unit);
      ASSERT_EQ(Matches("Observation", entries, query), expected)
          << found.text << found_unit.code << " " << query;
      hits += expected ? 1 : 0;
    }
  }
  EXPECT_GT(hits, 1500);
}

// Whether value-quantity=`query` finds the quantity; `quantity` without its braces.
bool Finds(const std::string& quantity, const std::string& query) {
  const IndexEntries entries =
      Extract(R"({"resourceType":"Observation","valueQuantity":{)" + quantity + "}}");
  return Matches("Observation", entries, EncodeParameters({{"value-quantity", query}}));
}

std::string Ucum(std::string_view value, std::string_view code) {
  return "\"value\":" + std::string(value) +
         ",\"system\":\"http://unitsofmeasure.org\",\"code\":\"" + std::string(code) + "\"";
}

TEST(NumericTest, TheSearchedPrecisionIsKeptThroughTheConversion) {
  // R4 3.1.1.4.6: 5.4 g is [5.35, 5.45) g, so [5350, 5450) mg.
  EXPECT_TRUE(Finds(Ucum("5350", "mg"), "5.4|http://unitsofmeasure.org|g"));
  EXPECT_TRUE(Finds(Ucum("5449.999", "mg"), "5.4|http://unitsofmeasure.org|g"));
  EXPECT_FALSE(Finds(Ucum("5349.999", "mg"), "5.4|http://unitsofmeasure.org|g"));
  EXPECT_FALSE(Finds(Ucum("5450", "mg"), "5.4|http://unitsofmeasure.org|g"));
  EXPECT_TRUE(Finds(Ucum("5.4", "g"), "5400|http://unitsofmeasure.org|mg"));
  EXPECT_FALSE(Finds(Ucum("5.401", "g"), "5400|http://unitsofmeasure.org|mg"));
  // [36.55, 36.65) Cel is [97.79, 97.97) [degF].
  EXPECT_TRUE(Finds(Ucum("97.79", "[degF]"), "36.6|http://unitsofmeasure.org|Cel"));
  EXPECT_FALSE(Finds(Ucum("97.97", "[degF]"), "36.6|http://unitsofmeasure.org|Cel"));
  EXPECT_FALSE(Finds(Ucum("97.78", "[degF]"), "36.6|http://unitsofmeasure.org|Cel"));
  // A tenth of the number as it is written, not of the kelvins.
  EXPECT_TRUE(Finds(Ucum("40.7", "Cel"), "ap37|http://unitsofmeasure.org|Cel"));
  EXPECT_FALSE(Finds(Ucum("40.8", "Cel"), "ap37|http://unitsofmeasure.org|Cel"));
}

TEST(NumericTest, OnlySystemAndCodeTogetherConvert) {
  const std::string grams = Ucum("5.4", "g");
  EXPECT_TRUE(Finds(grams, "5400|http://unitsofmeasure.org|mg"));
  EXPECT_TRUE(Finds(grams, "ge5000|http://unitsofmeasure.org|mg"));
  EXPECT_FALSE(Finds(grams, "5400||mg"));
  EXPECT_FALSE(Finds(grams, "5400"));
  EXPECT_FALSE(Finds(grams, "5400|http://unitsofmeasure.org|"));
  EXPECT_FALSE(Finds(grams, "5400|http://example.org|mg"));
  EXPECT_FALSE(
      Finds(R"("value":5.4,"system":"s","code":"g")", "5400|http://unitsofmeasure.org|mg"));
  EXPECT_FALSE(Finds(R"("value":5.4,"code":"g")", "5.4|http://unitsofmeasure.org|g"));
  EXPECT_TRUE(Finds(grams, "5.4||g"));
  EXPECT_TRUE(Finds(grams, "5.4"));
  EXPECT_TRUE(Finds(grams, "5.4|http://unitsofmeasure.org|"));
}

TEST(NumericTest, UnitsOfAnotherKindAreNotFoundNotEvenByNe) {
  EXPECT_FALSE(Finds(Ucum("5.4", "g"), "ne1|http://unitsofmeasure.org|cm"));
  EXPECT_FALSE(Finds(Ucum("5.4", "g"), "gt1|http://unitsofmeasure.org|cm"));
  EXPECT_TRUE(Finds(Ucum("5.4", "g"), "ne1|http://unitsofmeasure.org|kg"));
  EXPECT_FALSE(Finds(Ucum("5.4", "[iU]/L"), "5.4|http://unitsofmeasure.org|[arb'U]/L"));
}

TEST(NumericTest, CodesThatDoNotConvertAreComparedAsTheyAre) {
  for (const char* code : {"[pH]", "dB", "mmHg", "Cel/min", "no unit"}) {
    const std::string query = std::string("|http://unitsofmeasure.org|") + code;
    EXPECT_TRUE(Finds(Ucum("7.4", code), "7.4" + query)) << code;
    EXPECT_TRUE(Finds(Ucum("7.4", code), "lt8" + query)) << code;
    EXPECT_FALSE(Finds(Ucum("7.4", code), "7.5" + query)) << code;
    EXPECT_FALSE(Finds(Ucum("7.4", "mg"), "7.4" + query)) << code;
  }
}

TEST(NumericTest, RangesAndSampledDataConvertToo) {
  const IndexEntries range = Extract(
      R"({"resourceType":"Condition","onsetRange":{"low":{"value":2,
          "system":"http://unitsofmeasure.org","code":"a"},"high":{"value":3,
          "system":"http://unitsofmeasure.org","code":"a"}}})");
  const auto onset = [&](const std::string& value) {
    return Matches("Condition", range, EncodeParameters({{"onset-age", value}}));
  };
  EXPECT_TRUE(onset("gt30|http://unitsofmeasure.org|mo"));
  EXPECT_TRUE(onset("sa23|http://unitsofmeasure.org|mo"));
  EXPECT_FALSE(onset("sa24|http://unitsofmeasure.org|mo"));
  EXPECT_TRUE(onset("lt25|http://unitsofmeasure.org|mo"));
  EXPECT_FALSE(onset("gt36|http://unitsofmeasure.org|mo"));
  EXPECT_TRUE(onset("ap30|http://unitsofmeasure.org|mo"));
  EXPECT_FALSE(onset("ap30|http://unitsofmeasure.org|d"));
  EXPECT_FALSE(onset("3e1|http://unitsofmeasure.org|mo")) << "[25, 35) contains no 24";
  EXPECT_TRUE(onset("0e2|http://unitsofmeasure.org|mo")) << "[-50, 50) contains 24 to 36";
}

TEST(NumericTest, ImplicitPrecisionIsOfTheDigitsWritten) {
  const auto matches = [](std::string_view value, std::string_view query) {
    const IndexEntries entries = Extract(
        R"({"resourceType":"Observation","valueQuantity":{"value":)" + std::string(value) + "}}");
    return Matches("Observation", entries, "value-quantity=" + std::string(query));
  };
  EXPECT_TRUE(matches("5.35", "5.4"));
  EXPECT_FALSE(matches("5.45", "5.4"));
  EXPECT_TRUE(matches("99.5", "100"));
  EXPECT_FALSE(matches("100.5", "100"));
  EXPECT_FALSE(matches("99.5", "100.00"));
  EXPECT_TRUE(matches("140", "1e2"));
  EXPECT_TRUE(matches("1.2E+2", "120"));
  EXPECT_FALSE(matches("5.4", "gt5.4"));
  EXPECT_TRUE(matches("5.40000000000000001", "gt5.4"));
}

TEST(NumericTest, AnotherUnitOrSystemDoesNotMatch) {
  const IndexEntries entries = Extract(
      R"({"resourceType":"Observation","valueQuantity":{"value":5,"unit":"x","system":"s","code":"mg"}})");
  EXPECT_FALSE(Matches("Observation", entries, "value-quantity=5|s|g"));
  EXPECT_FALSE(Matches("Observation", entries, "value-quantity=5|t|mg"));
  EXPECT_FALSE(Matches("Observation", entries, "value-quantity=5||s"));
  EXPECT_TRUE(Matches("Observation", entries, "value-quantity=4,5|s|mg"));
}

TEST(NumericTest, MoneyHasItsCurrencyAsCode) {
  const IndexEntries entries =
      Extract(R"({"resourceType":"Invoice","totalNet":{"value":48.20,"currency":"EUR"}})");
  EXPECT_TRUE(Matches("Invoice", entries, "totalnet=48.2|urn:iso:std:iso:4217|EUR"));
  EXPECT_TRUE(Matches("Invoice", entries, "totalnet=48.2||EUR"));
  EXPECT_FALSE(Matches("Invoice", entries, "totalnet=48.2||USD"));
}

TEST(NumericTest, SampledDataIsTheRangeOfItsLimits) {
  const IndexEntries entries = Extract(
      R"({"resourceType":"Observation","valueSampledData":{"origin":{"value":0,"unit":"mV"},
          "lowerLimit":-3,"upperLimit":3}})");
  EXPECT_TRUE(Matches("Observation", entries, "value-quantity=gt2||mV"));
  EXPECT_FALSE(Matches("Observation", entries, "value-quantity=gt3||mV"));
  EXPECT_FALSE(Matches("Observation", entries, "value-quantity=gt2||V"));
}

TEST(NumericTest, WhatIsNotANumberIsRefused) {
  for (const std::string_view text : {"x", "1|2", "1|2|3|4", "gt", "|s|c", "1,x", "+1", "01"}) {
    EXPECT_FALSE(
        Ask("Observation", EncodeParameters({{"value-quantity", std::string(text)}})).has_value())
        << text;
  }
}

}  // namespace
}  // namespace fhir::search
