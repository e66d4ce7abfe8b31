#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fhir/search/filter/syntax.h"

namespace fhir::search {
namespace {

using Kind = FilterNode::Kind;
using testing::HasSubstr;

// The tree with parentheses around everything.
std::string Show(const FilterNode& node) {
  if (node.kind == Kind::kNot) return "!" + Show(node.children.front());
  if (node.kind == Kind::kTest) {
    std::string path;
    for (const FilterStep& step : node.path) {
      path += (path.empty() ? "" : ".") + step.name + (step.type.empty() ? "" : ":" + step.type);
      for (const FilterNode& filter : step.filter) path += "[" + Show(filter) + "]";
    }
    return path + " " + std::string(CodeOf(node.op)) + " {" + node.value + "}";
  }
  std::string text = "(";
  for (const FilterNode& child : node.children) {
    if (text.size() > 1) text += node.kind == Kind::kAnd ? " & " : " | ";
    text += Show(child);
  }
  return text + ")";
}

std::string Parsed(std::string_view text) {
  const auto filter = ParseFilter(text);
  EXPECT_TRUE(filter.has_value()) << text << ": "
                                  << (filter ? "" : filter.error().issues[0].diagnostics);
  return filter ? Show(*filter) : "";
}

void ExpectRefused(const std::string& text, std::string_view named, int status = 400) {
  const auto filter = ParseFilter(text);
  ASSERT_FALSE(filter.has_value()) << text;
  EXPECT_EQ(filter.error().http_status, status) << text;
  EXPECT_THAT(filter.error().issues[0].diagnostics, HasSubstr(std::string(named))) << text;
}

TEST(FilterSyntaxTest, ReadsTheExamplesOfTheSpecification) {
  EXPECT_EQ(Parsed(R"(name co "pet")"), "name co {pet}");
  EXPECT_EQ(Parsed(R"(given eq "peter" and birthdate ge 2014-10-10)"),
            "(given eq {peter} & birthdate ge {2014-10-10})");
  EXPECT_EQ(Parsed("code eq http://loinc.org|1234-5"), "code eq {http://loinc.org|1234-5}");
  EXPECT_EQ(Parsed(R"(subject.name co "pet")"), "subject.name co {pet}");
  EXPECT_EQ(Parsed(R"(related[type eq "has-component"].target pr true)"),
            "related[type eq {has-component}].target pr {true}");
  EXPECT_EQ(Parsed("related[type eq has-component].target re Observation/4"),
            "related[type eq {has-component}].target re {Observation/4}");
}

TEST(FilterSyntaxTest, WordsBindFromLeftToRight) {
  EXPECT_EQ(Parsed("a eq 1 or b eq 2 and c eq 3"), "((a eq {1} | b eq {2}) & c eq {3})");
  EXPECT_EQ(Parsed("a eq 1 or (b eq 2 and c eq 3)"), "(a eq {1} | (b eq {2} & c eq {3}))");
  EXPECT_EQ(Parsed("a eq 1 and b eq 2 and c eq 3"), "(a eq {1} & b eq {2} & c eq {3})");
  EXPECT_EQ(Parsed("not (a eq 1) and b eq 2"), "(!a eq {1} & b eq {2})");
  EXPECT_EQ(Parsed("not(not(a eq 1))or(b eq 2)"), "(!!a eq {1} | b eq {2})");
  EXPECT_EQ(Parsed(" ( a eq 1 ) "), "a eq {1}");
}

TEST(FilterSyntaxTest, PathsHaveTypesAndBrackets) {
  EXPECT_EQ(Parsed("subject:Patient[active eq true and name sw x].organization.name eq y"),
            "subject:Patient[(active eq {true} & name sw {x})].organization.name eq {y}");
}

TEST(FilterSyntaxTest, StringsAreJsonAndTokensEndAtSpacesAndClosingBrackets) {
  EXPECT_EQ(Parsed(R"(name eq "a \"b\" ) ] é\u00e9\n")"), "name eq {a \"b\" ) ] éé\n}");
  EXPECT_EQ(Parsed("(name eq a(b\"c[)"), "name eq {a(b\"c[}");
  EXPECT_EQ(Parsed("name eq a\u00A0and\u2003name\teq b"), "(name eq {a} & name eq {b})");
}

TEST(FilterSyntaxTest, WhatIsBrokenIsRefusedWithItsPlace) {
  ExpectRefused("", "(at character 1)");
  ExpectRefused("   ", "(at character 4)");
  ExpectRefused("name", "(at character 5)");
  ExpectRefused("name eq", "(at character 8)");
  ExpectRefused("name eq ", "(at character 9)");
  ExpectRefused("name is x", "(at character 6)");
  ExpectRefused("name EQ x", "operator");
  ExpectRefused("é eq x", "(at character 1)");
  ExpectRefused("name eq \"é\" nor a eq b", "(at character 13)");
  ExpectRefused("(name eq x", "')'");
  ExpectRefused("name eq x)", "(at character 10)");
  ExpectRefused("a[b eq c eq d", "']'");
  ExpectRefused("a[b eq c] eq d", "'.'");
  ExpectRefused("a. eq d", "name");
  ExpectRefused("a: eq d", "type");
  ExpectRefused("not a eq b", "parentheses");
  ExpectRefused("a eq b and", "name");
  ExpectRefused(R"(a eq "b)", "does not end");
  ExpectRefused(R"(a eq "b\")", "does not end");
  ExpectRefused(R"(a eq "\x")", "JSON");
  ExpectRefused(R"(a eq "\ud800")", "JSON");
  ExpectRefused(R"(a eq "\u0000")", "NUL");
  ExpectRefused(R"(a eq "")", "empty");
  ExpectRefused(R"(a eq "b"c)", "white space");
}

TEST(FilterSyntaxTest, DepthAndSizeAreBounded) {
  const auto repeat = [](std::string_view part, std::size_t times) {
    std::string text;
    for (std::size_t i = 0; i < times; ++i) text += part;
    return text;
  };
  EXPECT_EQ(Parsed(repeat("(", 40) + "a eq b" + repeat(")", 40)), "a eq {b}");
  ExpectRefused(repeat("(", 100'000) + "a eq b", "levels", 403);
  ExpectRefused(repeat("not(", 100'000) + "a eq b", "levels", 403);
  ExpectRefused(repeat("a[", 100'000), "levels", 403);
  ExpectRefused(repeat("a.", 100'000) + "b eq c", "levels", 403);
  ExpectRefused(repeat("a eq b and a eq b or ", 60) + "a eq b", "levels", 403);
  ExpectRefused(repeat("a eq b and ", 1'000) + "a eq b", "tests", 403);
  EXPECT_EQ(ParseFilter(repeat("a eq b and ", 999) + "a eq b")->children.size(), 1'000U);
}

}  // namespace
}  // namespace fhir::search
