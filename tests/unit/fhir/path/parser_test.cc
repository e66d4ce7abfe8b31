#include "fhir/path/parser.h"

#include <string>

#include <gtest/gtest.h>

#include "fhir/definitions/definitions.h"
#include "fhir/path/fhirpath.h"
#include "tests/unit/fhir/path/evaluate.h"

namespace fhir::path {
namespace {

// The position that the error names, or 0 if there is none.
int ErrorPosition(std::string_view expression) {
  const auto compiled = Compile(expression);
  if (compiled) return 0;
  EXPECT_EQ(compiled.error().http_status, 400);
  const std::string& text = compiled.error().issues[0].diagnostics;
  const std::size_t at = text.find(" at ");
  return at == std::string::npos ? -1 : std::stoi(text.substr(at + 4));
}

TEST(FhirPathParserTest, ErrorsNameTheirPosition) {
  EXPECT_EQ(ErrorPosition("2 + 2 /"), 8);
  EXPECT_EQ(ErrorPosition("a.b c"), 5);
  EXPECT_EQ(ErrorPosition("a.nosuch()"), 3);
  EXPECT_EQ(ErrorPosition("a.where()"), 3);
  EXPECT_EQ(ErrorPosition("a.first(1)"), 3);
  EXPECT_EQ(ErrorPosition("a is string1"), 6);
  EXPECT_EQ(ErrorPosition("'open"), 1);
  EXPECT_EQ(ErrorPosition("1 /* open"), 3);
  EXPECT_EQ(ErrorPosition("@2015-13"), 1);
  EXPECT_EQ(ErrorPosition("a ? b"), 3);
  EXPECT_EQ(ErrorPosition("'\\x'"), 1);
  EXPECT_EQ(ErrorPosition("'\\ud800'"), 1);
  EXPECT_EQ(ErrorPosition("$that"), 1);
  EXPECT_EQ(ErrorPosition("% a"), 1);
}

TEST(FhirPathParserTest, WhatIsNoExpressionIsRefused) {
  for (const std::string text :
       {"",     " ",   ")",   "(",     "a.", ".a",       "a[",          "a[]", "a[1",
        "a..b", "a b", "and", "a and", "f(", "a.where(", "a.where(b,)", "{a}", "1 2",
        "a is", "`",   "a.1", "1.a.",  "!a", "@",        "@T",          "a,b", "a.$this"}) {
    EXPECT_NE(ErrorPosition(text), 0) << text;
  }
}

TEST(FhirPathParserTest, KeywordsThatAreNamesTooMayBeNames) {
  for (const std::string text : {"contains.contains", "is.as", "day.year", "in.where(as = 1)",
                                 "`and`.`div`", "a contains contains"}) {
    EXPECT_EQ(ErrorPosition(text), 0) << text;
  }
}

TEST(FhirPathParserTest, NestingAndLengthAreBounded) {
  const auto repeated = [](std::string_view text, int times) {
    std::string out;
    for (int i = 0; i < times; ++i) out += text;
    return out;
  };
  EXPECT_EQ(ErrorPosition(repeated("(", 30) + "1" + repeated(")", 30)), 0);
  for (const int times : {1'000, 30'000}) {
    EXPECT_NE(ErrorPosition(repeated("(", times) + "1" + repeated(")", times)), 0);
    EXPECT_NE(ErrorPosition(repeated("- ", times) + "1"), 0);
    EXPECT_NE(ErrorPosition("1" + repeated("+1", times)), 0);
    EXPECT_NE(ErrorPosition("a" + repeated(".a", times)), 0);
    EXPECT_NE(ErrorPosition("a" + repeated("[0]", times)), 0);
    EXPECT_NE(ErrorPosition(repeated("not(", times)), 0);
    EXPECT_NE(ErrorPosition("a" + repeated(" is Patient", times)), 0);
  }
  EXPECT_NE(ErrorPosition("'" + std::string(kMaxExpressionBytes, 'x') + "'"), 0);
}

TEST(FhirPathParserTest, OperatorsBindAsTheGrammarSays) {
  const Evaluator evaluate(R"({"resourceType":"Basic"})");
  EXPECT_EQ(evaluate("1 + 2 * 3 - 4"), Texts{"3"});
  EXPECT_EQ(evaluate("10 - 2 - 3"), Texts{"5"});
  EXPECT_EQ(evaluate("-1.abs()"), Texts{"-1"});
  EXPECT_EQ(evaluate("1 | 1 is Integer"), (Texts{"1", "true"}));
  EXPECT_EQ(evaluate("1 < 2 = true"), Texts{"true"});
  EXPECT_EQ(evaluate("true or true and false"), Texts{"true"});
  EXPECT_EQ(evaluate("false implies false and false"), Texts{"true"});
  EXPECT_EQ(evaluate("-2147483648"), Texts{"-2147483648"});
}

TEST(FhirPathParserTest, EverySearchParameterOfR4Compiles) {
  std::size_t count = 0;
  for (const auto& parameter : definitions::SearchParameters()) {
    if (parameter.expression.empty()) continue;
    ++count;
    EXPECT_TRUE(Compile(parameter.expression)) << parameter.url << ": " << parameter.expression;
    for (const auto& component : parameter.components) {
      EXPECT_TRUE(Compile(component.expression)) << parameter.url << ": " << component.expression;
    }
  }
  EXPECT_GT(count, 1'300U);
}

}  // namespace
}  // namespace fhir::path
