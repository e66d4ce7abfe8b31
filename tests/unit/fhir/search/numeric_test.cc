#include <cmath>
#include <optional>
#include <random>

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
  const long digits = static_cast<long>((*random)() % 41) - 20;  // -20 … 20
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
