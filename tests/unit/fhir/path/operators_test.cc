// Operators and functions where HL7's suite has no case, or needs company.
#include <string>

#include <gtest/gtest.h>

#include "tests/unit/fhir/path/evaluate.h"

namespace fhir::path {
namespace {

constexpr std::string_view kObservation = R"({
  "resourceType": "Observation", "status": "final",
  "valueQuantity": {"value": 185, "unit": "lbs", "system": "http://unitsofmeasure.org",
                    "code": "[lb_av]"},
  "component": [{"valueInteger": 1}, {"valueInteger": 2}, {"valueString": "2"}],
  "category": [{"coding": [{"system": "s", "code": "1.0"}, {"system": "s", "code": "2"}]},
               {"coding": [{"code": "2", "system": "S"}, {"code": "1.0", "system": "s"}]}]
})";

class FhirPathOperatorsTest : public testing::Test {
 protected:
  const Evaluator evaluate_{kObservation};
};

TEST_F(FhirPathOperatorsTest, EmptyGoesThroughOperators) {
  for (const std::string expression :
       {"{} = 1", "1 + {}", "{} < 1", "'a' + {}", "{} in {}", "-{}", "{} is Integer", "{}.first()",
        "{} and {}", "true and {}", "false or {}", "true implies {}"}) {
    EXPECT_EQ(evaluate_(expression), Texts{}) << expression;
  }
  EXPECT_EQ(evaluate_("{} | {} ~ {}"), Texts{"true"});
  EXPECT_EQ(evaluate_("'a' & {}"), Texts{"a"});
  EXPECT_EQ(evaluate_("{}.all(false)"), Texts{"true"});
}

TEST_F(FhirPathOperatorsTest, ADecidedConditionDoesNotEvaluateTheRest) {
  EXPECT_EQ(evaluate_("false and (1 | 2)"), Texts{"false"});
  EXPECT_EQ(evaluate_("true or (1 | 2)"), Texts{"true"});
  EXPECT_EQ(evaluate_("true and (1 | 2)"), Texts{"error invalid"});
}

TEST_F(FhirPathOperatorsTest, ElementsAreEqualByTheirMembersWhateverTheirOrder) {
  EXPECT_EQ(evaluate_("category[0].coding[0] = category[1].coding[1]"), Texts{"true"});
  EXPECT_EQ(evaluate_("category[0] = category[1]"), Texts{"false"});
  EXPECT_EQ(evaluate_("category[0] ~ category[1]"), Texts{"true"});
  EXPECT_EQ(evaluate_("category.coding.distinct().count()"), Texts{"3"});
  EXPECT_EQ(evaluate_("category[0].coding[0] in category[1].coding"), Texts{"true"});
}

TEST_F(FhirPathOperatorsTest, QuantitiesOfFhirAreSystemQuantities) {
  EXPECT_EQ(evaluate_("value > 80 'kg'"), Texts{"true"});
  EXPECT_EQ(evaluate_("value < 1 'm'"), Texts{});
  EXPECT_EQ(evaluate_("(value + 5 '[lb_av]').toString()"), Texts{"190 '[lb_av]'"});
  EXPECT_EQ(evaluate_("value is System.Quantity"), Texts{"false"});
}

TEST_F(FhirPathOperatorsTest, NumbersOverflowToEmpty) {
  EXPECT_EQ(evaluate_("2147483647 + 1"), Texts{});
  EXPECT_EQ(evaluate_("100000 * 100000"), Texts{});
  EXPECT_EQ(evaluate_("100000.0 * 100000"), Texts{"10000000000.0"});
  EXPECT_EQ(evaluate_("7 div 0 | 7 mod 0 | 7 / 0"), Texts{});
  EXPECT_EQ(evaluate_("10.power(1000)"), Texts{});
  EXPECT_EQ(evaluate_("2.power(0.5).round(5)"), Texts{"1.41421"});
  EXPECT_EQ(evaluate_("1000.exp()"), Texts{});
  EXPECT_EQ(evaluate_("0.ln() | (-1).sqrt() | 1.log(1)"), Texts{});
}

TEST_F(FhirPathOperatorsTest, TypesThatDoNotGoTogetherAreAnError) {
  for (const std::string expression :
       {"1 + 'a'", "'a' < 1", "true > false", "@2020 + 1", "@2020 + 1 'mo'", "@T10 < @2020",
        "1 & 'a'", "-'a'", "(1 | 2) + 1", "category + 1", "1['a']", "1.substring(0)",
        "'a'.skip('b')", "(1 | 'a').allTrue()"}) {
    EXPECT_EQ(evaluate_(expression), Texts{"error invalid"}) << expression;
  }
}

TEST_F(FhirPathOperatorsTest, StringsAreCountedInCodePoints) {
  EXPECT_EQ(evaluate_("'Müller€😀'.length()"), Texts{"8"});
  EXPECT_EQ(evaluate_("'Müller'.substring(1, 2)"), Texts{"ül"});
  EXPECT_EQ(evaluate_("'Müller'.indexOf('l')"), Texts{"2"});
  EXPECT_EQ(evaluate_("'Müller'.lastIndexOf('l')"), Texts{"3"});
  EXPECT_EQ(evaluate_("'ü€😀'.toChars()"), (Texts{"ü", "€", "😀"}));
  EXPECT_EQ(evaluate_("'straße'.upper() | 'ÄB'.lower()"), (Texts{"STRASSE", "äb"}));
  EXPECT_EQ(evaluate_("'a  B' ~ 'A b'"), Texts{"true"});
  EXPECT_EQ(evaluate_("'\\ud83d\\ude00' = '😀'"), Texts{"true"});
  EXPECT_EQ(evaluate_("'abc'.substring(3) | 'abc'.substring(-1)"), Texts{});
  EXPECT_EQ(evaluate_("'äö'.replace('', '-')"), Texts{"-ä-ö-"});
}

TEST_F(FhirPathOperatorsTest, RegularExpressionsHaveGroups) {
  EXPECT_EQ(evaluate_("'11/30/1972'.replaceMatches('\\\\b(?<m>\\\\d{1,2})/(?<d>\\\\d{1,2})/"
                      "(?<y>\\\\d{2,4})\\\\b', '${d}-${m}-$3')"),
            Texts{"30-11-1972"});
  EXPECT_EQ(evaluate_("'ab'.replaceMatches('b', '\\\\$x')"), Texts{"a$x"});
  EXPECT_EQ(evaluate_("'ab'.matches('(')"), Texts{"error invalid"});
  EXPECT_EQ(evaluate_("'ab'.matches('(?=a)')"), Texts{"error invalid"});
  EXPECT_EQ(evaluate_("'üb'.matchesFull('.b')"), Texts{"true"});
}

TEST_F(FhirPathOperatorsTest, DecodedBytesMustBeText) {
  EXPECT_EQ(evaluate_("'ff'.decode('hex') | 'zz'.decode('hex') | '*'.decode('base64')"), Texts{});
  EXPECT_EQ(evaluate_("'c3bc'.decode('hex')"), Texts{"ü"});
  EXPECT_EQ(evaluate_("'ü'.encode('base64').decode('base64')"), Texts{"ü"});
  EXPECT_EQ(evaluate_("'a'.encode('rot13')"), Texts{});
  EXPECT_EQ(evaluate_("'\\\\u0'.unescape('json')"), Texts{});
}

TEST_F(FhirPathOperatorsTest, ConversionsTellWhatTheyCanDo) {
  EXPECT_EQ(evaluate_("category[0].convertsToString()"), Texts{"false"});
  EXPECT_EQ(evaluate_("'Y'.toBoolean() | 'off'.toBoolean()"), Texts{"true"});
  EXPECT_EQ(evaluate_("'2147483648'.convertsToInteger()"), Texts{"false"});
  EXPECT_EQ(evaluate_("'+1'.toInteger()"), Texts{"1"});
  EXPECT_EQ(evaluate_("@2020-01-02T10:00:00Z.toDate()"), Texts{"2020-01-02"});
  EXPECT_EQ(evaluate_("(1500 'mg').toQuantity('g').toString()"), Texts{"1.5 'g'"});
  EXPECT_EQ(evaluate_("(1 | 2).toString()"), Texts{"error invalid"});
}

TEST_F(FhirPathOperatorsTest, IteratingFunctionsKnowTheirPlace) {
  EXPECT_EQ(evaluate_("('a' | 'b').select($index)"), (Texts{"0", "1"}));
  EXPECT_EQ(evaluate_("component.value.ofType(integer).aggregate($this + $total, 10)"),
            Texts{"13"});
  EXPECT_EQ(evaluate_("(1 | 2 | 3).aggregate($total + $this)"), Texts{});
  EXPECT_EQ(evaluate_("(3 | 1 | 2).sort(-$this)"), (Texts{"3", "2", "1"}));
  EXPECT_EQ(evaluate_("(3 | 'a').sort()"), Texts{"error invalid"});
  EXPECT_EQ(evaluate_("(1).repeat(iif($this < 4, $this + 1, {}))"), (Texts{"2", "3", "4"}));
  EXPECT_EQ(evaluate_("(1 | 2).skip(-1).take(5)"), (Texts{"1", "2"}));
}

TEST_F(FhirPathOperatorsTest, TraceSeesWhatPassesThrough) {
  Evaluator evaluate(kObservation);
  std::string seen;
  evaluate.Context().trace = [&seen](std::string_view name, const Collection& items) {
    seen += std::string(name) + std::to_string(items.size()) + ";";
  };
  EXPECT_EQ(evaluate("component.trace('a', value).trace('b').count()"), Texts{"3"});
  EXPECT_EQ(seen, "a3;b3;");
}

}  // namespace
}  // namespace fhir::path
