// Runs every case of HL7's FHIRPath suite for R4. A case that does not hold must
// stand in known_cases.cc with its reason, and a case that stands there must not
// hold: the list can only shrink by being edited.
//
// Cases that expect a semantic error are run in strict mode, where an unknown
// element is one.
#include <algorithm>
#include <iostream>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "fhir/path/fhirpath.h"
#include "tests/conformance/fhirpath/known_cases.h"
#include "tests/conformance/fhirpath/suite.h"

namespace fhir::path {
namespace {

constexpr std::int64_t kClockUnixMs = 1'767'225'600'000;  // 2026-01-01T00:00:00Z

// System types have the names of FHIR's primitives but for their first letter.
std::string TypeName(const Item& item) {
  const TypeInfo type = TypeOf(item);
  std::string name(type.name);
  if (type.type_namespace == "System" && name != "Quantity") {
    name[0] = static_cast<char>(name[0] - 'A' + 'a');
  }
  return name;
}

std::string Describe(const Collection& items) {
  std::string out;
  for (const Item& item : items) {
    const auto text = ToText(item);
    out += " " + TypeName(item) + ":" + (text ? std::string(text->view) : "…");
  }
  return out;
}

// "@2015" and "@T10:30" are written as literals.
std::string WithoutAt(const std::string& text) {
  if (text.starts_with("@T")) return text.substr(2);
  return text.starts_with('@') ? text.substr(1) : text;
}

std::vector<std::string> Texts(const Collection& items) {
  std::vector<std::string> texts;
  for (const Item& item : items) {
    const auto text = ToText(item);
    texts.push_back(text ? std::string(text->view) : "(no text)");
  }
  return texts;
}

// Empty if the result is what the case expects, else what it is.
std::string Compare(const Case& test, const Collection& items) {
  std::vector<std::string> actual = Texts(items);
  std::vector<std::string> expected;
  for (const ExpectedItem& item : test.expected) expected.push_back(WithoutAt(item.text));
  if (!test.is_ordered) {
    std::ranges::sort(actual);
    std::ranges::sort(expected);
  }
  bool same = actual == expected;
  for (std::size_t i = 0; same && i < items.size(); ++i) {
    const std::string& type = test.expected[i].type;
    same = type.empty() || type == TypeName(items[i]);
  }
  return same ? "" : "is" + Describe(items);
}

// Empty if the case holds, else why not.
std::string RunCase(const Case& test, Inputs* inputs) {
  const json::Document* input = inputs->Find(test.input_file);
  if (input == nullptr) return "no input";
  const auto expression = Compile(test.expression);
  if (!expression) {
    return test.invalid.empty() ? "error: " + expression.error().issues[0].diagnostics : "";
  }
  if (test.invalid == "syntax") return "no error in the syntax is found";
  EvaluationContext context = ContextFor(input->Root());
  context.now_unix_ms = kClockUnixMs;
  context.strict = test.mode == "strict" || test.invalid == "semantic";
  auto items = Evaluate(*expression, context);
  if (!items) return test.invalid.empty() ? "error: " + items.error().issues[0].diagnostics : "";
  if (!test.invalid.empty()) return "is no error but" + Describe(*items);
  if (test.is_predicate) {
    const auto condition = ToCondition(*items);
    if (!condition) return "is no condition";
    *items = {Item(condition->value_or(false))};
  }
  return Compare(test, *items);
}

TEST(FhirPathConformanceTest, EveryCaseOfTheSuiteHoldsOrIsListedWithItsReason) {
  const auto cases = LoadCases(SuiteFolder() / "tests-fhir-r4.xml");
  if (!cases) GTEST_SKIP() << "no FHIRPath suite at " << SuiteFolder();
  Inputs inputs(SuiteFolder());
  std::set<std::string_view> known;
  for (const KnownCase& listed : KnownCases()) known.insert(listed.name);
  std::set<std::string_view> not_holding;
  for (const Case& test : *cases) {
    const std::string problem = RunCase(test, &inputs);
    if (problem.empty()) continue;
    not_holding.insert(test.name);
    EXPECT_TRUE(known.contains(test.name))
        << test.group << " / " << test.name << ": " << test.expression << "\n  " << problem;
  }
  EXPECT_EQ(inputs.Problems(), "");
  for (const KnownCase& listed : KnownCases()) {
    EXPECT_TRUE(not_holding.contains(listed.name))
        << listed.name << " holds: take it off the list of known cases";
  }
  std::cout << cases->size() - not_holding.size() << " of " << cases->size() << " hold\n";
}

}  // namespace
}  // namespace fhir::path
