#include <gtest/gtest.h>

#include "tests/unit/fhir/search/search_fixture.h"

namespace fhir::search {
namespace {

const IndexEntries& Named() {
  static const IndexEntries kEntries = Extract(
      R"({"resourceType":"Patient","name":[{"family":"Müller","given":["Anna","Maria"],
          "prefix":["Dr."]},{"text":"Annie M"}],
          "address":[{"line":["Am Platz 1"],"city":"Köln","postalCode":"50667"}]})");
  return kEntries;
}

bool Finds(std::string_view query) {
  return Matches("Patient", Named(), query);
}

TEST(StringTest, TheBeginningMatchesWithoutCaseAndAccents) {
  EXPECT_TRUE(Finds("family=muller"));
  EXPECT_TRUE(Finds("family=M%C3%9CLL"));
  EXPECT_FALSE(Finds("family=uller"));
  EXPECT_FALSE(Finds("family=mullers"));
}

TEST(StringTest, ExactLooksAtTheWholeTextAsWritten) {
  EXPECT_TRUE(Finds("family:exact=M%C3%BCller"));
  EXPECT_FALSE(Finds("family:exact=muller"));
  EXPECT_FALSE(Finds("family:exact=M%C3%BCll"));
}

TEST(StringTest, ContainsLooksAnywhere) {
  EXPECT_TRUE(Finds("family:contains=LLE"));
  EXPECT_FALSE(Finds("family:contains=llx"));
}

TEST(StringTest, EveryPartOfANameOrAddressCounts) {
  for (const std::string_view query :
       {"name=anna", "name=maria", "name=dr", "name=annie", "name=mull", "address=koln",
        "address=am+platz", "address=5066", "address-city=koln", "given=maria"}) {
    EXPECT_TRUE(Finds(query)) << query;
  }
  EXPECT_FALSE(Finds("address-city=am"));
  EXPECT_FALSE(Finds("given=muller"));
}

TEST(StringTest, EscapedCommasBelongToTheText) {
  const IndexEntries entries = Extract(R"({"resourceType":"Location","name":"a, b, c"})");
  EXPECT_TRUE(Matches("Location", entries, "name:exact=a\\,+b\\,+c"));
  EXPECT_FALSE(Matches("Location", entries, "name:exact=a,+b,+c"));
}

TEST(StringTest, ContainsFindsTheEndOfALongText) {
  std::string text;
  for (int i = 0; i < 20'000; ++i) text += std::to_string(i) + " ";
  text += "needle";
  const IndexEntries entries =
      Extract(R"({"resourceType":"Library","description":")" + text + "\"}");
  EXPECT_TRUE(Matches("Library", entries, "description:contains=needle"));
  EXPECT_TRUE(Matches("Library", entries, "description:contains=+7000+7001"));
  for (int i = 0; i < 19'990; i += 7) {
    const std::string part = std::to_string(i) + "+" + std::to_string(i + 1) + "+";
    EXPECT_TRUE(Matches("Library", entries, "description:contains=" + part)) << part;
  }
  EXPECT_TRUE(Matches("Library", entries, "description=0+1+2+3"));
  EXPECT_FALSE(Matches("Library", entries, "description=7000"));
  EXPECT_FALSE(Matches("Library", entries, "description:contains=needles"));
}

TEST(StringTest, NothingToSearchByIsRefused) {
  EXPECT_FALSE(Ask("Patient", "family=+").has_value());
  EXPECT_FALSE(Ask("Patient", "family:contains=" + std::string(2000, 'a')).has_value());
}

}  // namespace
}  // namespace fhir::search
