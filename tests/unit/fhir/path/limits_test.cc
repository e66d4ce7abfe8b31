// What a client writes may cost only so much, and must never crash.
#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/unit/fhir/path/evaluate.h"

namespace fhir::path {
namespace {

const Texts kTooCostly = {"error too-costly"};

TEST(FhirPathLimitsTest, ExpressionsThatNeverEndAreStopped) {
  const Evaluator evaluate(R"({"resourceType":"Basic","id":"abc"})");
  for (const std::string expression : {
           "(1).repeat($this + 1)",
           "(1).repeatAll($this)",
           "'a'.repeat($this & $this)",
           "'x'.repeat($this.replace('', 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx'))",
       }) {
    EXPECT_EQ(evaluate(expression), kTooCostly) << expression;
  }
}

TEST(FhirPathLimitsTest, TextsThatGrowAreStoppedBeforeTheyAreMade) {
  const Evaluator evaluate(R"({"resourceType":"Basic"})");
  std::string doubling = "'0123456789abcdef'";
  for (int i = 0; i < 60; ++i) doubling = "(" + doubling + ").select($this & $this)";
  EXPECT_EQ(evaluate(doubling), kTooCostly);
  std::string replacing = "'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'";
  for (int i = 0; i < 10; ++i) replacing += ".replace('a', 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa')";
  EXPECT_EQ(evaluate(replacing), kTooCostly);
  std::string matching = "'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'";
  for (int i = 0; i < 10; ++i) {
    matching += ".replaceMatches('a', 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa')";
  }
  EXPECT_EQ(evaluate(matching), kTooCostly);
  std::string doubled = "1";
  for (int i = 0; i < 60; ++i) doubled = "(" + doubled + ").select($this.combine($this))";
  EXPECT_EQ(evaluate(doubled), kTooCostly);
}

TEST(FhirPathLimitsTest, TheDeepestExpressionThatCompilesIsEvaluated) {
  const Evaluator evaluate(R"({"resourceType":"Basic"})");
  const auto nested = [](std::uint32_t depth) {
    std::string expression;
    for (std::uint32_t i = 0; i < depth; ++i) expression += "iif(true, ";
    return expression + "1" + std::string(depth, ')');
  };
  EXPECT_EQ(evaluate(nested(kMaxExpressionDepth - 1)), Texts{"1"});
  EXPECT_EQ(evaluate(nested(kMaxExpressionDepth)), Texts{"error invalid"});
}

TEST(FhirPathLimitsTest, TheStepLimitIsTheContexts) {
  Evaluator evaluate(R"({"resourceType":"Basic"})");
  evaluate.Context().max_steps = 10;
  EXPECT_EQ(evaluate("1 + 1"), Texts{"2"});
  EXPECT_EQ(evaluate("1 + 1 + 1 + 1 + 1 + 1 + 1"), kTooCostly);
  evaluate.Context().max_steps = 0;
  EXPECT_EQ(evaluate("1"), kTooCostly);
}

TEST(FhirPathLimitsTest, RegularExpressionsThatBacktrackElsewhereAreLinear) {
  const Evaluator evaluate(R"({"resourceType":"Basic"})");
  const std::string text(30'000, 'a');
  EXPECT_EQ(evaluate("'" + text + "'.matches('^(a+)+$')"), Texts{"true"});
  EXPECT_EQ(evaluate("'" + text + "b'.matchesFull('(a|aa)+')"), Texts{"false"});
  EXPECT_EQ(evaluate("'a'.matches('((a{100}){100}){100}')"), Texts{"error invalid"});
}

TEST(FhirPathLimitsTest, ManyDifferentCodesAreTakenApartQuickly) {
  std::string json = R"({"resourceType":"ValueSet","expansion":{"contains":[)";
  for (int i = 0; i < 20'000; ++i) {
    json += (i > 0 ? ",{\"code\":\"c" : "{\"code\":\"c") + std::to_string(i) + "\"}";
  }
  const Evaluator evaluate(json + "]}}");
  EXPECT_EQ(evaluate("expansion.contains.code.isDistinct()"), Texts{"true"});
  EXPECT_EQ(evaluate("expansion.contains.distinct().count()"), Texts{"20000"});
}

TEST(FhirPathLimitsTest, BigElementsCostMoreThanSmallOnes) {
  std::string json = R"({"resourceType":"ValueSet","expansion":{"contains":[)";
  for (int i = 0; i < 20'000; ++i) {
    json += (i > 0 ? ",{\"code\":\"c" : "{\"code\":\"c") + std::to_string(i) + "\"}";
  }
  const Evaluator evaluate(json + "]}}");
  EXPECT_EQ(evaluate("expansion.contains.select(%resource | %context)"), kTooCostly);
  EXPECT_EQ(evaluate("expansion.contains.where(%resource = %context)"), kTooCostly);
  EXPECT_EQ(evaluate("expansion.contains.where(%resource ~ %context)"), kTooCostly);
}

// Pieces of FHIRPath at random: most are refused, many run, none may crash or hang.
TEST(FhirPathLimitsTest, RandomExpressionsNeitherCrashNorHang) {
  const std::vector<std::string> pieces = {"a",
                                           "name",
                                           "given",
                                           "value",
                                           "$this",
                                           "$index",
                                           "$total",
                                           "%resource",
                                           "{}",
                                           "(",
                                           ")",
                                           "[",
                                           "]",
                                           ".",
                                           ",",
                                           "1",
                                           "0.5",
                                           "'x'",
                                           "@2020-02",
                                           "@T10:30",
                                           "@2020-01-01T10:00:00Z",
                                           "4 days",
                                           "5 'mg'",
                                           "true",
                                           " and ",
                                           " or ",
                                           " implies ",
                                           " = ",
                                           " ~ ",
                                           " < ",
                                           " | ",
                                           " + ",
                                           " - ",
                                           " * ",
                                           " / ",
                                           " div ",
                                           " mod ",
                                           " & ",
                                           " in ",
                                           " is ",
                                           " as ",
                                           "Patient",
                                           "System.String",
                                           "where(",
                                           "select(",
                                           "repeat(",
                                           "all(",
                                           "iif(",
                                           "children()",
                                           "descendants()",
                                           "first()",
                                           "count()",
                                           "toString()",
                                           "toQuantity()",
                                           "lowBoundary()",
                                           "highBoundary(4)",
                                           "sort()",
                                           "replace('', 'y')",
                                           "matches('.*')",
                                           "substring(1)",
                                           "aggregate(",
                                           "combine(",
                                           "not()",
                                           "resolve()",
                                           "extension('u')",
                                           "type()",
                                           "power(2)",
                                           "sqrt()",
                                           "split('')",
                                           "distinct()"};
  Evaluator evaluate(R"({"resourceType":"Patient","name":[{"given":["A","B"],"family":"C"}],
      "extension":[{"url":"u","valueQuantity":{"value":1.5,"unit":"mg"}}]})");
  evaluate.Context().max_steps = 2'000;
  std::mt19937 random(20'261'201);
  int evaluated = 0;
  for (int i = 0; i < 60'000; ++i) {
    std::string expression;
    for (std::uint32_t k = 0, length = random() % 9 + 1; k < length; ++k) {
      expression += pieces[random() % pieces.size()];
      if (random() % 3 == 0) expression += ".";
    }
    const auto opened = std::ranges::count(expression, '(');
    const auto closed = std::ranges::count(expression, ')');
    if (opened > closed) expression.append(static_cast<std::size_t>(opened - closed), ')');
    const Texts result = evaluate(expression);
    if (result != Texts{"error invalid"}) ++evaluated;
  }
  EXPECT_GT(evaluated, 2'000);
}

}  // namespace
}  // namespace fhir::path
