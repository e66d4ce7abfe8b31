#include "fhir/path/decimal.h"

#include <string>

#include <gtest/gtest.h>

namespace fhir::path {
namespace {

Decimal D(std::string_view text) {
  const auto value = ParseDecimal(text);
  EXPECT_TRUE(value.has_value()) << text;
  return value.value_or(Decimal{});
}

std::string Text(const std::optional<Decimal>& value) {
  return value ? ToString(*value) : "nothing";
}

TEST(FhirPathDecimalTest, DigitsAreKeptAsWritten) {
  for (const std::string text : {"0", "0.0", "1.10", "-0.005", "120", "1234567890987654321.0"}) {
    EXPECT_EQ(ToString(D(text)), text);
  }
  EXPECT_EQ(ToString(D("1.2E+2")), "120");
  EXPECT_EQ(ToString(D("15e-3")), "0.015");
}

TEST(FhirPathDecimalTest, WhatIsNoNumberOrDoesNotFitIsRefused) {
  const std::string nines(37, '9');
  EXPECT_EQ(ToString(D(nines)), nines);
  for (const std::string text : {"", "-", ".5", "5.", "1.2.3", "1e", "1e99999", "0x1"}) {
    EXPECT_FALSE(ParseDecimal(text)) << text;
  }
  EXPECT_FALSE(ParseDecimal(nines + "9"));
  EXPECT_FALSE(ParseDecimal("1e40"));
  EXPECT_FALSE(ParseDecimal("0." + std::string(2000, '0')));
}

TEST(FhirPathDecimalTest, SumsAndProductsAreExact) {
  EXPECT_EQ(Text(Add(D("0.1"), D("0.2"))), "0.3");
  EXPECT_EQ(Text(Add(D("1.2"), D("1.8"))), "3.0");
  EXPECT_EQ(Text(Subtract(D("1.8"), D("1.2"))), "0.6");
  EXPECT_EQ(Text(Multiply(D("1.2"), D("1.8"))), "2.16");
  EXPECT_EQ(Text(Remainder(D("2.2"), D("1.8"))), "0.4");
  EXPECT_EQ(Text(DivideToInteger(D("-7"), D("2"))), "-3");
}

TEST(FhirPathDecimalTest, AQuotientIsRoundedHalfAwayFromZero) {
  EXPECT_EQ(Text(Divide(D("1"), D("2"))), "0.5");
  EXPECT_EQ(Text(Divide(D("2"), D("3"))), "0.66666666666666666667");
  EXPECT_EQ(Text(Divide(D("-2"), D("3"))), "-0.66666666666666666667");
  EXPECT_EQ(Text(Divide(D("1"), D("0.001"))), "1000");
  EXPECT_EQ(Text(Divide(D("1"), D("0"))), "nothing");
}

TEST(FhirPathDecimalTest, WhatDoesNotFitIsNothing) {
  const Decimal big = D(std::string(37, '9'));
  EXPECT_EQ(Text(Add(big, D("1"))), "nothing");
  EXPECT_EQ(Text(Multiply(big, D("2"))), "nothing");
  EXPECT_EQ(Text(Add(big, D("0.1"))), "nothing");
  EXPECT_EQ(Text(Divide(big, D("0.1"))), "nothing");
}

TEST(FhirPathDecimalTest, OrderHoldsBetweenTheLargestAndTheSmallest) {
  const Decimal big = D(std::string(37, '9'));
  const Decimal small = D("1e-37");
  EXPECT_TRUE(Compare(small, big) < 0);
  EXPECT_TRUE(Compare(big, small) > 0);
  EXPECT_TRUE(Compare(Negate(big), small) < 0);
  EXPECT_TRUE(Compare(small, Negate(big)) > 0);
  EXPECT_TRUE(Compare(D("1.10"), D("1.1")) == 0);
}

TEST(FhirPathDecimalTest, RescalingRoundsAsAsked) {
  EXPECT_EQ(Text(Rescale(D("2.5"), 0, Rounding::kHalfAwayFromZero)), "3");
  EXPECT_EQ(Text(Rescale(D("-2.5"), 0, Rounding::kHalfAwayFromZero)), "-3");
  EXPECT_EQ(Text(Rescale(D("-2.1"), 0, Rounding::kDown)), "-3");
  EXPECT_EQ(Text(Rescale(D("-1.1"), 0, Rounding::kUp)), "-1");
  EXPECT_EQ(Text(Rescale(D("-1.56"), 0, Rounding::kTowardsZero)), "-1");
  EXPECT_EQ(Text(Rescale(D("1.5"), 4, Rounding::kDown)), "1.5000");
  EXPECT_EQ(Text(Rescale(D("1"), 40, Rounding::kDown)), "nothing");
}

TEST(FhirPathDecimalTest, FloatingPointIsRoundedToFifteenDigits) {
  EXPECT_EQ(Text(FromLongDouble(0.1L)), "0.1");
  EXPECT_EQ(Text(FromLongDouble(ToLongDouble(D("12.25")))), "12.25");
  EXPECT_EQ(Text(FromLongDouble(1.0L / 0.0L)), "nothing");
  EXPECT_EQ(Text(FromLongDouble(1e300L)), "nothing");
}

}  // namespace
}  // namespace fhir::path
