#include "fhir/ucum/unit.h"

#include <string>

#include <gtest/gtest.h>

#include "fhir/ucum/canonical_unit.h"
#include "fhir/ucum/unit_rows.h"

namespace fhir::ucum {
namespace {

// "numerator[/denominator][e exponent] base units"; "-" if the code is not known.
std::string Parsed(std::string_view code) {
  const auto unit = ParseUnit(code);
  if (!unit) return "-";
  std::string text = unit->factor.Numerator().str();
  if (unit->factor.Denominator() != 1) text += "/" + unit->factor.Denominator().str();
  if (unit->factor.Exponent() != 0) text += "e" + std::to_string(unit->factor.Exponent());
  return text + " " + CanonicalUnit(*unit).Name();
}

struct Case {
  const char* code;
  const char* expected;
};

void ExpectAll(std::initializer_list<Case> cases) {
  for (const Case& c : cases) EXPECT_EQ(Parsed(c.code), c.expected) << c.code;
}

TEST(UnitTest, BaseUnitsAndPrefixes) {
  ExpectAll({{"g", "1 g"},
             {"kg", "1e3 g"},
             {"mg", "1e-3 g"},
             {"ug", "1e-6 g"},
             {"m", "1 m"},
             {"km", "1e3 m"},
             {"dam", "1e1 m"},
             {"cm", "1e-2 m"},
             {"s", "1 s"},
             {"ms", "1e-3 s"},
             {"K", "1 K"},
             {"cd", "1 cd"},
             {"rad", "1 rad"},
             {"C", "1 C"},
             {"Pa", "1e3 g.m-1.s-2"},
             {"dar", "1e1 m2"},
             {"KiBy", "8192 1"},
             {"1", "1 1"},
             {"cg", "1e-2 g"}});
}

TEST(UnitTest, DerivedUnits) {
  ExpectAll({{"L", "1e-3 m3"},
             {"l", "1e-3 m3"},
             {"dL", "1e-4 m3"},
             {"N", "1e3 g.m.s-2"},
             {"J", "1e3 g.m2.s-2"},
             {"V", "1e3 C-1.g.m2.s-2"},
             {"Hz", "1 s-1"},
             {"mol", "602214076e15 1"},
             {"mm[Hg]", "133322 g.m-1.s-2"},
             {"cm[H2O]", "980665e-1 g.m-1.s-2"},
             {"cal", "4184 g.m2.s-2"},
             {"[in_i]", "254e-4 m"},
             {"[lb_av]", "45359237e-5 g"},
             {"[oz_av]", "28349523125e-9 g"},
             {"min", "6e1 s"},
             {"h", "36e2 s"},
             {"d", "864e2 s"},
             {"wk", "6048e2 s"},
             {"a", "315576e2 s"},
             {"mo", "26298e2 s"},
             {"%", "1e-2 1"},
             {"[ppm]", "1e-6 1"},
             {"B", "-"},
             {"u", "16605390666e-34 g"},
             {"Ao", "1e-10 m"}});
}

TEST(UnitTest, ProductsQuotientsAndExponents) {
  ExpectAll({{"mg/dL", "1e1 g.m-3"},
             {"g/L", "1e3 g.m-3"},
             {"10*3/uL", "1e12 m-3"},
             {"10^3/uL", "1e12 m-3"},
             {"10*9/L", "1e12 m-3"},
             {"m2.s-1", "1 m2.s-1"},
             {"m+2", "1 m2"},
             {"kg/m2", "1e3 g.m-2"},
             {"cm2", "1e-4 m2"},
             {"mL/min", "5/3e-8 m3.s-1"},
             {"mL/min/kg", "5/3e-11 g-1.m3.s-1"},
             {"mL/(min.kg)", "5/3e-11 g-1.m3.s-1"},
             {"mL/min.kg", "5/3e-5 g.m3.s-1"},
             {"/min", "5/3e-2 s-1"},
             {"/uL", "1e9 m-3"},
             {"U/L", "301107038/3e11 m-3.s-1"},
             {"m/m", "1 1"},
             {"10*-3", "1e-3 1"},
             {"4.[pi]", "125663706143591729538505735331180115367886775975004232838997783692e-64 1"},
             {"(mg)", "1e-3 g"},
             {"((mg)/(dL))", "1e1 g.m-3"},
             {"12.h", "432e2 s"},
             {"s0", "1 1"}});
}

TEST(UnitTest, AnnotationsSayNothing) {
  ExpectAll({{"{score}", "1 1"},
             {"/{HPF}", "1 1"},
             {"mL/min/{1.73_m2}", "5/3e-8 m3.s-1"},
             {"10*3{cells}/uL", "1e12 m-3"},
             {"m[H2O]{35Cel}", "980665e1 g.m-1.s-2"},
             {"{RBC}/uL", "1e9 m-3"},
             {"10*6.{RBC}/uL", "1e15 m-3"},
             {"/100{WBC}", "1e-2 1"},
             {"mg{a}/(dL{b})", "1e1 g.m-3"},
             {"{}", "1 1"}});
}

TEST(UnitTest, ArbitraryUnitsCompareWithThemselvesOnly) {
  ExpectAll({{"[iU]", "1 [iU]"},
             {"[IU]", "1 [iU]"},
             {"k[IU]/L", "1e6 [iU].m-3"},
             {"m[iU]/mL", "1e3 [iU].m-3"},
             {"[arb'U]/mL", "1e6 [arb'U].m-3"},
             {"[CFU]", "1 [CFU]"}});
}

TEST(UnitTest, ScalesWithAnOffsetStandAlone) {
  ExpectAll({{"Cel", "1 K"},
             {"Cel{body}", "1 K"},
             {"mCel", "1e-3 K"},
             {"[degF]", "5/9 K"},
             {"[degRe]", "125e-2 K"},
             {"[degR]", "5/9 K"},
             {"Cel/min", "-"},
             {"2.Cel", "-"},
             {"Cel2", "-"},
             {"(Cel)", "-"}});
  EXPECT_FALSE(ParseUnit("Cel")->offset.IsZero());
  EXPECT_TRUE(ParseUnit("K")->offset.IsZero());
}

TEST(UnitTest, WhatIsNoStraightLineIsNotConverted) {
  ExpectAll({{"[pH]", "-"},
             {"dB", "-"},
             {"B[SPL]", "-"},
             {"Np", "-"},
             {"[p'diop]", "-"},
             {"%[slope]", "-"},
             {"[hp'_X]", "-"},
             {"bit_s", "-"},
             {"[m/s2/Hz^(1/2)]", "-"},
             {"B[10.nV]", "-"}});
}

TEST(UnitTest, RefusesWhatIsNotUcum) {
  for (const char* code :
       {"",     "mmHg", "MGA",      "mcg",       "cc",       "k[in_i]", "kmin",   "mg//dL",
        "mg/",  ".mg",  "mg dL",    " mg",       "mg ",      "mg/dl)",  "(mg/dL", "()",
        "m2-1", "m--1", "m-",       "m100",      "{a",       "a}",      "{a{b}}", "{a b}",
        "0",    "mg/0", "[iU",      "-1",        "mg{a}{b}", "(mg)2",   "2mg",    "mg*2",
        "K[i",  "k",    "mg/(/dL)", "\xC2\xB5g", "m\xC2\xB2"}) {
    EXPECT_EQ(Parsed(code), "-") << code;
  }
  EXPECT_EQ(Parsed("10*"), "1e1 1");
  EXPECT_EQ(Parsed("1.5.mg"), "5e-3 g") << "a product of numbers, no decimal";
}

TEST(UnitTest, HostileCodesAreRefusedQuickly) {
  EXPECT_EQ(Parsed(std::string(300, 'm')), "-");
  EXPECT_EQ(Parsed("Ym99.Ym99.Ym99.Ym99"), "-");
  EXPECT_EQ(Parsed("[pi]99"), "-");
  EXPECT_EQ(Parsed(std::string(120, '(') + "m" + std::string(120, ')')), "1 m");
  EXPECT_EQ(Parsed(std::string(255, '(')), "-");
}

TEST(UnitTest, EveryUnitOfTheTableIsThere) {
  EXPECT_EQ(kUnitRows.size(), 312u);
  EXPECT_EQ(kPrefixRows.size(), 24u);
  for (const UnitRow& row : kUnitRows) {
    EXPECT_EQ(ParseUnit(row.code).has_value(), row.kind != UnitKind::kFunction) << row.code;
  }
}

}  // namespace
}  // namespace fhir::ucum
