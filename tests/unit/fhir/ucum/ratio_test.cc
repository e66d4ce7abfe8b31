#include "fhir/ucum/ratio.h"

#include <gtest/gtest.h>

namespace fhir::ucum {
namespace {

Ratio Of(std::string_view decimal) {
  return Ratio(*ParseDecimal(decimal));
}

std::string Text(const Ratio& ratio) {
  return ratio.Numerator().str() + "/" + ratio.Denominator().str() + "e" +
         std::to_string(ratio.Exponent());
}

TEST(RatioTest, DecimalsHaveNoDenominator) {
  EXPECT_EQ(Text(Of("1")), "1/1e0");
  EXPECT_EQ(Text(Of("0.0254")), "254/1e-4");
  EXPECT_EQ(Text(Of("60")), "6/1e1");
  EXPECT_EQ(Text(Of("1e-24")), "1/1e-24");
  EXPECT_EQ(Text(Of("8") * Of("125")), "1/1e3");
  EXPECT_EQ(Text(Of("8").ToThe(-1)), "125/1e-3");
  EXPECT_EQ(Text(Of("16").ToThe(-1)), "625/1e-4");
}

TEST(RatioTest, WhatIsNoDecimalIsInLowestTerms) {
  EXPECT_EQ(Text(Of("60").ToThe(-1)), "5/3e-2");
  EXPECT_EQ(Text(Of("5") * Of("9").ToThe(-1)), "5/9e0");
  EXPECT_EQ(Text(Of("60").ToThe(-1) * Of("60")), "1/1e0");
  EXPECT_EQ(Text(Of("60").ToThe(-1) * Of("3.6")), "6/1e-2");
  EXPECT_EQ(Text(Of("12").ToThe(-2) * Of("6").ToThe(2)), "25/1e-2");
}

TEST(RatioTest, PowersOfZeroAndOne) {
  EXPECT_EQ(Text(Of("7").ToThe(0)), "1/1e0");
  EXPECT_EQ(Text(Of("7").ToThe(1)), "7/1e0");
}

TEST(RatioTest, TellsWhenItIsTooLarge) {
  EXPECT_FALSE(Of("1e24").ToThe(99).IsUnreasonable());
  EXPECT_TRUE((Of("1e99").ToThe(60)).IsUnreasonable());
  EXPECT_TRUE(Of("1234567").ToThe(99).ToThe(2).IsUnreasonable());
}

}  // namespace
}  // namespace fhir::ucum
