#include "fhir/ucum/canonical_unit.h"

#include <optional>
#include <random>
#include <string>

#include <gtest/gtest.h>

namespace fhir::ucum {
namespace {

struct Canonical {
  std::string unit;
  std::string number;  // Encoded.
  bool operator==(const Canonical&) const = default;
};

Canonical Of(std::string_view number, std::string_view code) {
  std::optional<CanonicalUnit> made;
  const CanonicalUnit* unit = FindCanonicalUnit(code, &made);
  EXPECT_NE(unit, nullptr) << code;
  if (unit == nullptr) return {};
  return {unit->Name(), EncodeDecimal(unit->Convert(*ParseDecimal(number)))};
}

TEST(CanonicalUnitTest, TheSameQuantityInDifferentUnitsIsTheSame) {
  const char* cases[][4] = {
      {"5.4", "g", "5400", "mg"},
      {"5.4", "g", "0.0054", "kg"},
      {"1", "g/L", "100", "mg/dL"},
      {"1", "mg/dL", "10", "mg/L"},
      {"1", "g/dL", "10", "g/L"},
      {"7.2", "10*3/uL", "7.2", "10*9/L"},
      {"4.5", "10*6/uL", "4500000", "/uL"},
      {"1", "mmol/L", "1000", "umol/L"},
      {"1", "mmol/L", "1e-3", "mol/L"},
      {"1", "meq/L", "1", "mmol/L"},
      {"120", "mm[Hg]", "15.99864", "kPa"},
      {"60", "/min", "1", "Hz"},
      {"72", "/min", "1.2", "/s"},
      {"1", "kU/L", "1000", "U/L"},
      {"60", "U", "1", "umol/s"},
      {"1", "U", "1", "umol/min"},
      {"3.6", "km/h", "1", "m/s"},
      {"1", "[in_i]", "2.54", "cm"},
      {"6", "[ft_i]", "1.8288", "m"},
      {"1", "[lb_av]", "453.59237", "g"},
      {"16", "[oz_av]", "1", "[lb_av]"},
      {"37", "Cel", "310.15", "K"},
      {"98.6", "[degF]", "37", "Cel"},
      {"-40", "[degF]", "-40", "Cel"},
      {"0", "K", "-273.15", "Cel"},
      {"36600", "mCel", "36.6", "Cel"},
      {"80", "[degRe]", "100", "Cel"},
      {"50", "%", "0.5", "{ratio}"},
      {"1", "mg/g", "0.1", "%"},
      {"1", "1", "1", "{INR}"},
      {"2", "h", "120", "min"},
      {"1", "wk", "7", "d"},
      {"12", "mo", "1", "a"},
      {"1", "mL", "1", "cm3"},
      {"1000", "L", "1", "m3"},
      {"20", "[drp]", "1", "mL"},
      {"1", "[tbs_us]", "3", "[tsp_us]"},
      {"1", "kcal", "4184", "J"},
      {"1", "[IU]/mL", "1000", "[iU]/L"},
      {"90", "mL/min/{1.73_m2}", "5.4", "L/h"},
      {"25", "kg/m2", "2.5", "g/cm2"},
      {"1", "kat", "1", "mol/s"},
      {"1", "circ", "360", "deg"},
      {"60", "'", "1", "deg"},
      {"1", "[psi]", "1", "[lbf_av]/[in_i]2"},
      {"-5", "g", "-5000", "mg"},
      {"0", "g", "-0.0", "kg"},
      {"1e-9999", "g", "1e-9996", "mg"},
      {"1234567890123456789012345678", "g", "1234567890123456789012345678000", "mg"}};
  for (const auto& c : cases) EXPECT_EQ(Of(c[0], c[1]), Of(c[2], c[3])) << c[0] << " " << c[1];
}

TEST(CanonicalUnitTest, WhatDiffersDiffers) {
  EXPECT_NE(Of("5.4", "g").number, Of("5400.0000000000000000000000001", "mg").number);
  EXPECT_NE(Of("73", "/min").number, Of("73.0000000000000001", "/min").number);
  EXPECT_NE(Of("1", "g").unit, Of("1", "m").unit);
  EXPECT_NE(Of("1", "[iU]").unit, Of("1", "[arb'U]").unit);
  EXPECT_NE(Of("1", "[iU]").unit, Of("1", "1").unit);
}

TEST(CanonicalUnitTest, WhatIsNoDecimalIsCutOffAfter40Digits) {
  const auto decimal = [](std::string_view text) { return *EncodeDecimal(text); };
  EXPECT_EQ(Of("1", "/min").number, decimal("0.01666666666666666666666666666666666666666"));
  EXPECT_EQ(Of("-1", "/min").number, decimal("-0.01666666666666666666666666666666666666666"));
  EXPECT_EQ(Of("20", "/h").number, decimal("0.005555555555555555555555555555555555555555"));
  EXPECT_EQ(Of("98.7", "[degF]").number, decimal("310.2055555555555555555555555555555555555"));
}

TEST(CanonicalUnitTest, NumbersFarBeyondAnOffsetAreNotMovedByIt) {
  EXPECT_EQ(Of("1e9999", "Cel").number, *EncodeDecimal("1e9999"));
  EXPECT_EQ(Of("1e-9999", "Cel").number, *EncodeDecimal("273.15"));
  EXPECT_EQ(Of("-1e-9999", "Cel").number, *EncodeDecimal("273.15"));
}

TEST(CanonicalUnitTest, UnknownCodesHaveNone) {
  std::optional<CanonicalUnit> made;
  for (const char* code : {"", "mmHg", "[pH]", "dB", "Cel/s"}) {
    EXPECT_EQ(FindCanonicalUnit(code, &made), nullptr) << code;
  }
}

// (value in 1/100) of a unit that is numerator/denominator of the first in its row.
struct NaiveUnit {
  const char* code;
  long numerator;
  long denominator;
};

TEST(CanonicalUnitTest, OrderIsThatOfCrossMultiplication) {
  const std::vector<std::vector<NaiveUnit>> kinds = {
      {{"g", 1, 1},
       {"mg", 1, 1000},
       {"kg", 1000, 1},
       {"[lb_av]", 45359237, 100000},
       {"[oz_av]", 45359237, 1600000},
       {"[gr]", 6479891, 100000000}},
      {{"/h", 1, 1}, {"/min", 60, 1}, {"Hz", 3600, 1}, {"/d", 1, 24}, {"/wk", 1, 168}},
      {{"m", 1, 1}, {"[in_i]", 254, 10000}, {"[ft_us]", 1200, 3937}, {"[Ch]", 1, 3000}},
      {{"mL", 1, 1}, {"[tsp_us]", 473176473, 96000000}, {"[drp]", 1, 20}, {"L", 1000, 1}},
      {{"K", 1, 1}, {"[degR]", 5, 9}, {"mK", 1, 1000}}};
  std::mt19937 random(5);
  const auto number = [&](long* hundredths) {
    *hundredths = static_cast<long>(random() % 4001) - 2000;
    return std::to_string(*hundredths) + "e-2";
  };
  for (int round = 0; round < 20'000; ++round) {
    const auto& kind = kinds[random() % kinds.size()];
    const NaiveUnit& a = kind[random() % kind.size()];
    const NaiveUnit& b = kind[random() % kind.size()];
    long va = 0;
    long vb = 0;
    const Canonical ca = Of(number(&va), a.code);
    const Canonical cb = Of(number(&vb), b.code);
    __extension__ using Wide = __int128;
    const Wide left = Wide{va} * a.numerator * b.denominator;
    const Wide right = Wide{vb} * b.numerator * a.denominator;
    ASSERT_EQ(ca.unit, cb.unit);
    ASSERT_EQ(ca.number < cb.number, left < right) << va << " " << a.code << " " << vb << b.code;
    ASSERT_EQ(ca.number == cb.number, left == right) << va << " " << a.code << " " << vb << b.code;
  }
}

TEST(CanonicalUnitTest, BytesOnDiskAreTheseBytes) {
  EXPECT_EQ(Of("5.4", "mg/dL"), (Canonical{"g.m-3", *EncodeDecimal("54")}));
  EXPECT_EQ(Of("1", "mmol/L"), (Canonical{"m-3", *EncodeDecimal("602214076e15")}));
  EXPECT_EQ(Of("1", "mm[Hg]"), (Canonical{"g.m-1.s-2", *EncodeDecimal("133322")}));
}

}  // namespace
}  // namespace fhir::ucum
