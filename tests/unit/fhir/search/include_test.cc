#include "fhir/search/include.h"

#include <gmock/gmock.h>

#include "tests/unit/fhir/search/search_fixture.h"

namespace fhir::search {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Include Parse(std::string_view name, std::string_view value) {
  auto include = ParseInclude(R4(), name, value, nullptr);
  EXPECT_TRUE(include.has_value()) << value;
  return include ? *std::move(include) : Include();
}

Referred ReferencesOf(const Include& include, std::string_view json) {
  auto document = json::Document::Parse(json);
  EXPECT_TRUE(document.has_value());
  const ExtractOptions options{TimeZone::Utc(), std::string(kBaseUrl)};
  return ReferencesIn(R4(), options, include, document->Root());
}

TEST(IncludeTest, TheFormsOfAValue) {
  const Include all = Parse("_include", "*");
  EXPECT_TRUE(all.IsOfAllReferences());
  EXPECT_EQ(all.source, "");
  const Include of_type = Parse("_revinclude:iterate", "Observation:*");
  EXPECT_TRUE(of_type.IsOfAllReferences());
  EXPECT_TRUE(of_type.reverse);
  EXPECT_TRUE(of_type.iterate);
  EXPECT_EQ(of_type.source, "Observation");
  const Include narrow = Parse("_include:recurse", "Observation:subject:Patient");
  EXPECT_FALSE(narrow.reverse);
  EXPECT_TRUE(narrow.iterate);
  EXPECT_EQ(narrow.target, "Patient");
  EXPECT_FALSE(narrow.references.empty());
  EXPECT_THAT(narrow.canonical_targets, IsEmpty());
  EXPECT_EQ(Parse("_include", "Observation:patient").target, "Patient");
  EXPECT_THAT(Parse("_include", "QuestionnaireResponse:questionnaire").canonical_targets,
              ElementsAre("Questionnaire"));
}

TEST(IncludeTest, AnUnknownParameterIsToldApart) {
  bool unknown = false;
  EXPECT_FALSE(ParseInclude(R4(), "_include", "Patient:organisation", &unknown).has_value());
  EXPECT_TRUE(unknown);
  unknown = false;
  EXPECT_FALSE(ParseInclude(R4(), "_include", "Patient:name", &unknown).has_value());
  EXPECT_FALSE(unknown);
  const auto strict = ParseInclude(R4(), "_include", "Patient:organizatoin", nullptr);
  ASSERT_FALSE(strict.has_value());
  EXPECT_NE(strict.error().issues[0].diagnostics.find("'organization'"), std::string::npos);
}

TEST(IncludeTest, ReferencesStandWhereTheParameterLooks) {
  const std::string json = R"({"resourceType":"Observation",
    "subject":{"reference":"http://here/fhir/Patient/p/_history/3"},
    "performer":[{"reference":"Practitioner/d"},{"reference":"#c"},{"display":"x"},
                 {"identifier":{"value":"7"}},{"reference":"http://there/fhir/Practitioner/d"}],
    "instantiatesCanonical":"http://x|1"})";
  const Referred subject = ReferencesOf(Parse("_include", "Observation:subject"), json);
  EXPECT_THAT(subject.literals, ElementsAre("Patient/p"));
  EXPECT_THAT(subject.canonicals, IsEmpty());
  EXPECT_THAT(ReferencesOf(Parse("_include", "Observation:performer"), json).literals,
              ElementsAre("Practitioner/d"));
  const Referred questionnaire =
      ReferencesOf(Parse("_include", "QuestionnaireResponse:questionnaire"),
                   R"({"resourceType":"QuestionnaireResponse","questionnaire":"http://q|1"})");
  EXPECT_THAT(questionnaire.canonicals, ElementsAre("http://q|1"));
}

TEST(IncludeTest, ReferrersAreThoseOfTheExtractedEntries) {
  const Expression referrers =
      ReferrersTo(Parse("_revinclude", "Observation:subject"), "Patient", {"p"}, {});
  const auto refers = [&](std::string_view members) {
    const IndexEntries entries =
        Extract(R"({"resourceType":"Observation",)" + std::string(members) + "}");
    return Matches(referrers, {"x", 0, &entries});
  };
  EXPECT_TRUE(refers(R"("subject":{"reference":"Patient/p"})"));
  EXPECT_FALSE(refers(R"("subject":{"reference":"Patient/pp"})"));
  EXPECT_FALSE(refers(R"("performer":[{"reference":"Patient/p"}])"));
}

TEST(IncludeTest, CanonicalsOfAResourceAreWithAndWithoutItsVersion) {
  const auto of = [](std::string_view json) {
    const auto document = json::Document::Parse(json);
    return CanonicalsOf(document->Root());
  };
  EXPECT_THAT(of(R"({"url":"http://q","version":"1"})"), ElementsAre("http://q", "http://q|1"));
  EXPECT_THAT(of(R"({"url":"http://q"})"), ElementsAre("http://q"));
  EXPECT_THAT(of(R"({"version":"1"})"), IsEmpty());
}

TEST(IncludeTest, AResultMayNotAskForTooManyOrForTextOnly) {
  std::string query;
  for (int i = 0; i < 101; ++i) query += "_include=*&";
  EXPECT_FALSE(Ask("Patient", query).has_value());
  EXPECT_TRUE(Ask("Patient", query.substr(0, query.size() / 2)).has_value());
  EXPECT_FALSE(Ask("Patient", "_include=*&_summary=text").has_value());
}

}  // namespace
}  // namespace fhir::search
