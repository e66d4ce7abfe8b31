#include "fhir/terminology/expander.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fhir::terminology {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Concept S(std::string code) {
  return {"s", std::move(code)};
}

class ExpanderTest : public testing::Test {
 protected:
  ExpanderTest() {
    Add("CodeSystem", "s",
        R"("url":"s","content":"complete","concept":[{"code":"a","concept":[{"code":"b"},{"code":"c"}]},{"code":"d"}])");
    Add("CodeSystem", "part", R"("url":"part","content":"fragment","concept":[{"code":"a"}])");
  }

  void Add(const std::string& type, const std::string& url, std::string_view rest) {
    auto document =
        json::Document::Parse(R"({"resourceType":")" + type + "\"," + std::string(rest) + "}");
    ASSERT_TRUE(document.has_value()) << rest;
    resources_[type + " " + url] = std::make_shared<const json::Document>(*std::move(document));
  }
  void AddValueSet(const std::string& url, std::string_view compose) {
    Add("ValueSet", url, R"("compose":{)" + std::string(compose) + "}");
  }

  Result<Concepts> Expand(std::string_view url) { return MakeExpander().Expand(url); }
  Result<Concepts> Compose(std::string_view compose) {
    AddValueSet("v", compose);
    return Expand("v");
  }
  void ExpectRefused(std::string_view compose, std::string_view named) {
    const auto concepts = Compose(compose);
    ASSERT_FALSE(concepts.has_value()) << compose;
    EXPECT_EQ(concepts.error().http_status, 400) << compose;
    EXPECT_THAT(concepts.error().issues[0].diagnostics, HasSubstr("'v'"));
    EXPECT_THAT(concepts.error().issues[0].diagnostics, HasSubstr(std::string(named)));
  }

  Expander MakeExpander() {
    return Expander(
        [this](std::string_view type,
               std::string_view reference) -> Result<std::shared_ptr<const json::Document>> {
          ++lookups_;
          const auto found = resources_.find(std::string(type) + " " + std::string(reference));
          if (found == resources_.end()) return Fail(Invalid("no " + std::string(reference)));
          return found->second;
        });
  }

  int lookups_ = 0;

 private:
  std::map<std::string, std::shared_ptr<const json::Document>> resources_;
};

TEST_F(ExpanderTest, ListedConceptsNeedNoCodeSystem) {
  EXPECT_THAT(*Compose(R"("include":[{"system":"x","concept":[{"code":"2"},{"code":"1"}]},
                                     {"system":"w","concept":[{"code":"1"}]}])"),
              ElementsAre(Concept{"w", "1"}, Concept{"x", "1"}, Concept{"x", "2"}));
}

TEST_F(ExpanderTest, AWholeSystemIsAllOfItsConcepts) {
  EXPECT_THAT(*Compose(R"("include":[{"system":"s"}])"),
              ElementsAre(S("a"), S("b"), S("c"), S("d")));
  ExpectRefused(R"("include":[{"system":"part"}])", "'part'");
  ExpectRefused(R"("include":[{"system":"http://snomed.info/sct"}])", "snomed");
  ExpectRefused(R"("include":[{"system":"s","version":"2"}])", "s|2");
}

TEST_F(ExpanderTest, FiltersGoByTheHierarchy) {
  const auto filtered = [&](std::string_view op, std::string_view property = "concept",
                            std::string_view value = "a") {
    return Compose(R"("include":[{"system":"s","filter":[{"property":")" + std::string(property) +
                   R"(","op":")" + std::string(op) + R"(","value":")" + std::string(value) +
                   R"("}]}])");
  };
  EXPECT_THAT(*filtered("is-a"), ElementsAre(S("a"), S("b"), S("c")));
  EXPECT_THAT(*filtered("is-a", "code", "b"), ElementsAre(S("b")));
  EXPECT_THAT(*filtered("descendent-of"), ElementsAre(S("b"), S("c")));
  EXPECT_THAT(*filtered("=", "parent"), ElementsAre(S("b"), S("c")));
  for (const std::string_view op : {"regex", "in", "not-in", "is-not-a", "exists", "generalizes"}) {
    EXPECT_FALSE(filtered(op).has_value()) << op;
  }
  EXPECT_FALSE(filtered("is-a", "concept", "x").has_value());
  EXPECT_FALSE(filtered("is-a", "other").has_value());
}

TEST_F(ExpanderTest, SeveralFiltersMustAllHold) {
  EXPECT_THAT(
      *Compose(R"("include":[{"system":"s","filter":[{"property":"concept","op":"is-a","value":"a"},
                                     {"property":"code","op":"=","value":"c"}]}])"),
      ElementsAre(S("c")));
}

TEST_F(ExpanderTest, ExcludedConceptsAreLeftOut) {
  EXPECT_THAT(*Compose(R"("include":[{"system":"s"}],"exclude":[{"system":"s",
                "filter":[{"property":"concept","op":"is-a","value":"a"}]}])"),
              ElementsAre(S("d")));
  ExpectRefused(R"("include":[{"system":"s"}],"exclude":[{"system":"part"}])", "'part'");
}

TEST_F(ExpanderTest, ImportedValueSetsAndTheSystemMustAllHold) {
  AddValueSet("one", R"("include":[{"system":"s","concept":[{"code":"a"},{"code":"b"}]}])");
  AddValueSet("two", R"("include":[{"system":"s","concept":[{"code":"b"},{"code":"c"}]}])");
  EXPECT_THAT(*Compose(R"("include":[{"valueSet":["one"]}])"), ElementsAre(S("a"), S("b")));
  EXPECT_THAT(*Compose(R"("include":[{"valueSet":["one","two"]}])"), ElementsAre(S("b")));
  EXPECT_THAT(*Compose(R"("include":[{"valueSet":["one"]},{"valueSet":["two"]}])"),
              ElementsAre(S("a"), S("b"), S("c")));
  EXPECT_THAT(
      *Compose(R"("include":[{"system":"s","filter":[{"property":"code","op":"=","value":"c"}],
                                      "valueSet":["two"]}])"),
      ElementsAre(S("c")));
  ExpectRefused(R"("include":[{"valueSet":["unknown"]}])", "unknown");
}

TEST_F(ExpanderTest, AValueSetThatIncludesItselfIsRefused) {
  AddValueSet("w", R"("include":[{"valueSet":["v"]}])");
  ExpectRefused(R"("include":[{"valueSet":["w"]}])", "itself");
}

TEST_F(ExpanderTest, WhatIsNotSaidExactlyIsRefused) {
  ExpectRefused(R"("inactive":false,"include":[{"system":"s"}])", "inactive");
  ExpectRefused(R"("lockedDate":"2020-01-01","include":[{"system":"s"}])", "lockedDate");
  ExpectRefused(R"("include":[{"version":"1"}])", "compose");
  ExpectRefused(R"("include":[{"system":"s","concept":[{"code":"a"}],
                   "filter":[{"property":"code","op":"=","value":"a"}]}])",
                "filters");
  EXPECT_TRUE(Compose(R"("inactive":true,"lockedDate":"2020-01-01",
                         "include":[{"system":"s","concept":[{"code":"a"}]}])")
                  .has_value());
}

TEST_F(ExpanderTest, AStoredExpansionServesWhereThereIsNoCompose) {
  Add("ValueSet", "e", R"("expansion":{"timestamp":"2020","total":3,"contains":[
      {"system":"s","code":"a","abstract":true,"contains":[{"system":"s","code":"b"}]},
      {"system":"t","code":"c"}]})");
  EXPECT_THAT(*Expand("e"), ElementsAre(S("b"), Concept{"t", "c"}));
  Add("ValueSet", "f",
      R"("expansion":{"timestamp":"2020","total":9,"contains":[{"system":"s","code":"a"}]})");
  EXPECT_FALSE(Expand("f").has_value());
  Add("ValueSet", "g",
      R"("expansion":{"timestamp":"2020","offset":1,"contains":[{"system":"s","code":"a"}]})");
  EXPECT_FALSE(Expand("g").has_value());
  Add("ValueSet", "h", R"("status":"active")");
  EXPECT_FALSE(Expand("h").has_value());
  Add("ValueSet", "i", R"("expansion":{"timestamp":"2020"})");
  EXPECT_THAT(*Expand("i"), IsEmpty());
}

TEST_F(ExpanderTest, ExpansionsAreBounded) {
  std::string concepts;
  for (std::size_t i = 0; i <= kMaxConcepts; ++i) {
    concepts += (i == 0 ? "" : ",") + (R"({"code":")" + std::to_string(i) + "\"}");
  }
  const auto many = Compose(R"("include":[{"system":"x","concept":[)" + concepts + "]}]");
  ASSERT_FALSE(many.has_value());
  EXPECT_EQ(many.error().http_status, 403);
}

TEST_F(ExpanderTest, NothingIsReadTwice) {
  AddValueSet("v",
              R"("include":[{"system":"s"}],"exclude":[{"system":"s","concept":[{"code":"a"}]}])");
  Expander expander = MakeExpander();
  EXPECT_EQ(expander.Expand("v")->size(), 3U);
  EXPECT_EQ(expander.Expand("v")->size(), 3U);
  EXPECT_THAT(*expander.Below("s", "a"), ElementsAre(S("a"), S("b"), S("c")));
  EXPECT_THAT(*expander.Above("s", "b"), ElementsAre(S("a"), S("b")));
  EXPECT_EQ(lookups_, 2);
}

}  // namespace
}  // namespace fhir::terminology
