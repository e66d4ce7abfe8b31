#include "fhir/path/quantity.h"

#include <string>

#include <gtest/gtest.h>

namespace fhir::path {
namespace {

Quantity Q(std::string_view text) {
  const auto value = ParseQuantity(text);
  EXPECT_TRUE(value.has_value()) << text;
  return value.value_or(Quantity{});
}

TEST(FhirPathQuantityTest, OrderHoldsAcrossUnits) {
  EXPECT_EQ(Compare(Q("5.4 'g'"), Q("5400 'mg'")), std::strong_ordering::equal);
  EXPECT_EQ(Compare(Q("1 '[in_i]'"), Q("2.5 'cm'")), std::strong_ordering::greater);
  EXPECT_EQ(Compare(Q("60 '/min'"), Q("1 'Hz'")), std::strong_ordering::equal);
  EXPECT_EQ(Compare(Q("0 'Cel'"), Q("273.15 'K'")), std::strong_ordering::equal);
  EXPECT_EQ(Compare(Q("1 'g'"), Q("1 's'")), std::nullopt);
}

TEST(FhirPathQuantityTest, AnUnknownUnitIsComparableWithItselfOnly) {
  EXPECT_EQ(Compare(Q("1 'no such'"), Q("2 'no such'")), std::strong_ordering::less);
  EXPECT_EQ(Compare(Q("1 'no such'"), Q("1 'g'")), std::nullopt);
  EXPECT_FALSE(AreComparable(Q("1 'cm'"), Q("1 '[s]'")));
}

TEST(FhirPathQuantityTest, CalendarYearsAndMonthsAreNotThoseOfUcum) {
  EXPECT_EQ(Compare(Q("1 year"), Q("12 months")), std::strong_ordering::equal);
  EXPECT_EQ(Compare(Q("1 year"), Q("1 'a'")), std::nullopt);
  EXPECT_TRUE(AreEquivalent(Q("1 year"), Q("1 'a'")));
  EXPECT_EQ(Compare(Q("1 week"), Q("7 'd'")), std::strong_ordering::equal);
  EXPECT_EQ(Compare(Q("1 month"), Q("30 days")), std::nullopt);
}

TEST(FhirPathQuantityTest, EquivalenceRoundsToTheCoarserValue) {
  EXPECT_TRUE(AreEquivalent(Q("4 'g'"), Q("4040 'mg'")));
  EXPECT_FALSE(AreEquivalent(Q("4.0 'g'"), Q("4060.0 'mg'")));
  EXPECT_FALSE(AreEquivalent(Q("4 'g'"), Q("4 'm'")));
}

TEST(FhirPathQuantityTest, SumsTakeTheFirstUnitAndProductsMakeANewOne) {
  const auto sum = AddQuantities(Q("1 'g'"), Q("500 'mg'"), /*subtract=*/false);
  ASSERT_TRUE(sum);
  EXPECT_EQ(ToString(sum->value), "1.5");
  EXPECT_EQ(sum->unit.view, "g");
  EXPECT_FALSE(AddQuantities(Q("1 'g'"), Q("1 'm'"), /*subtract=*/true));
  const auto area = Multiply(Q("2.0 'cm'"), Q("2.0 'm'"));
  ASSERT_TRUE(area);
  EXPECT_EQ(Compare(*area, Q("0.040 'm2'")), std::strong_ordering::equal);
  const auto speed = Divide(Q("10 'm/s'"), Q("5 'kg/s'"));
  ASSERT_TRUE(speed);
  EXPECT_EQ(Compare(*speed, Q("2 'm/kg'")), std::strong_ordering::equal);
  EXPECT_FALSE(Divide(Q("1 'm'"), Q("0 'm'")));
}

TEST(FhirPathQuantityTest, TextsOfQuantities) {
  EXPECT_TRUE(ParseQuantity("1").has_value());
  EXPECT_TRUE(ParseQuantity("-1.5 'mg'").has_value());
  EXPECT_TRUE(ParseQuantity("1 day")->is_calendar);
  for (const std::string text :
       {"", "1 wk", "1.a", "x", "1 'mg", "1 ''", "1e3 'mg'", "1 'a' 'b'"}) {
    EXPECT_FALSE(ParseQuantity(text)) << text;
  }
}

}  // namespace
}  // namespace fhir::path
