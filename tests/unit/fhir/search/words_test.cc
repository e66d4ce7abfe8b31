// _text and _content, and the text of narratives.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fhir/search/types/xhtml_text.h"
#include "tests/unit/fhir/search/search_fixture.h"

namespace fhir::search {
namespace {

IndexEntries Narrative(std::string_view div, const Registry& registry = R4()) {
  const std::string json = R"({"resourceType":"Patient","text":{"status":"generated","div":")" +
                           std::string(div) + R"("},"gender":"male"})";
  auto document = json::Document::Parse(json);
  EXPECT_TRUE(document.has_value()) << json;
  IndexEntries entries;
  EXPECT_TRUE(ExtractEntries(registry, {}, document->Root(), {}, {}, &entries).has_value());
  return entries;
}

const IndexEntries& Sample() {
  static const IndexEntries kEntries = Narrative(
      "<div xmlns='http://www.w3.org/1999/xhtml'><p>Bone cancer,<br/>2nd stage</p><!-- secret -->"
      "<table title='hidden'><tr><td>M\\u00fcller</td><td>na&iuml;ve</td></tr></table>"
      "H<sub>2</sub>O &lt; 5&#x41;&nbsp;x&amp;y</div>");
  return kEntries;
}

bool Finds(std::string_view query) {
  return Matches("Patient", Sample(), query);
}

TEST(WordsTest, AWordIsFoundWholeAndFolded) {
  EXPECT_TRUE(Finds("_text=bone"));
  EXPECT_TRUE(Finds("_text=CANCER"));
  EXPECT_TRUE(Finds("_text=muller"));
  EXPECT_TRUE(Finds("_text=na%C3%AFve"));
  EXPECT_FALSE(Finds("_text=canc"));
  EXPECT_FALSE(Finds("_text=male"));       // Not in the narrative.
  EXPECT_FALSE(Finds("_text=generated"));  // Nor is its status.
}

TEST(WordsTest, WordsOfOneValueAreAllNeededAndACommaMeansAny) {
  EXPECT_TRUE(Finds("_text=stage bone"));
  EXPECT_FALSE(Finds("_text=bone liver"));
  EXPECT_TRUE(Finds("_text=liver,bone cancer"));
  EXPECT_FALSE(Finds("_text=liver,bone liver"));
  EXPECT_TRUE(Finds("_text=bone,liver&_text=stage"));
  EXPECT_TRUE(Finds("_text=cancer-bone"));  // Two words.
  EXPECT_TRUE(Finds("_text=bone\\, cancer"));
}

TEST(WordsTest, OnlyWhatAReaderSeesIsText) {
  EXPECT_TRUE(Finds("_text=2nd"));
  EXPECT_FALSE(Finds("_text=secret"));
  EXPECT_FALSE(Finds("_text=hidden"));
  EXPECT_FALSE(Finds("_text=xmlns"));
  EXPECT_FALSE(Finds("_text=div"));
  EXPECT_TRUE(Finds("_text=h2o"));  // sub is an inline element.
  EXPECT_FALSE(Finds("_text=lt"));
  EXPECT_TRUE(Finds("_text=5a"));
  EXPECT_TRUE(Finds("_text=x y"));
}

TEST(WordsTest, OperatorsAreRefused) {
  for (const std::string_view value : {"\"bone cancer\"", "(bone OR liver) and metastases",
                                       "bone OR liver", "bone AND cancer", "NOT bone", "canc*"}) {
    const auto parsed = Ask("Patient", "_text=" + std::string(value));
    ASSERT_FALSE(parsed.has_value()) << value;
    EXPECT_EQ(parsed.error().http_status, 400);
    EXPECT_THAT(parsed.error().issues[0].diagnostics, testing::HasSubstr("_text"));
  }
  EXPECT_FALSE(Ask("Patient", "_text=--").has_value());
  EXPECT_FALSE(Ask("Patient", "_text:exact=x").has_value());
  EXPECT_FALSE(Ask("Patient", "_text:contains=x").has_value());
  EXPECT_FALSE(Ask("Patient", "_sort=_text").has_value());
  EXPECT_FALSE(Ask("Bundle", "_text=x").has_value());  // No DomainResource.
}

TEST(WordsTest, MissingAsksForTheNarrative) {
  EXPECT_TRUE(Finds("_text:missing=false"));
  EXPECT_TRUE(Matches("Patient", Narrative("<div><hr/></div>"), "_text:missing=false"));
  EXPECT_TRUE(Matches("Patient", Extract(R"({"resourceType":"Patient"})"), "_text:missing=true"));
}

TEST(WordsTest, LongWordsThatDifferAtTheEndAreDifferent) {
  const std::string word(70, 'a');
  const IndexEntries entries = Narrative("<div>" + word + "b</div>");
  EXPECT_TRUE(Matches("Patient", entries, "_text=" + word + "b"));
  EXPECT_FALSE(Matches("Patient", entries, "_text=" + word + "c"));
  EXPECT_FALSE(Matches("Patient", entries, "_text=" + word));
}

TEST(WordsTest, BytesAreAsDocumented) {
  EXPECT_THAT(ValuesOf(Narrative("<div>b a b</div>"), "Patient.text.div:words"),
              testing::ElementsAre("\x01"
                                   "a",
                                   "\x01"
                                   "b"));
}

TEST(WordsTest, ContentIsTheTextOfTheWholeResource) {
  static const std::unique_ptr<const Registry> kRegistry =
      Registry::BuildR4({.index_content = true});
  auto document = json::Document::Parse(
      R"({"resourceType":"Observation","id":"theid","meta":{"profile":["http://prof"]},
          "text":{"status":"generated","div":"<div class='c'>narrative</div>"},
          "effectiveDateTime":"2020-01-02","valueString":"Feels well",
          "code":{"coding":[{"system":"http://loinc.org","code":"8867-4","display":"Heart rate"}]},
          "subject":{"reference":"Patient/p1","display":"Eve"},
          "contained":[{"resourceType":"Patient","name":[{"family":"Inner"}]}],
          "valueAttachment":{"data":"Zm9v"}})");
  IndexEntries entries;
  ASSERT_TRUE(ExtractEntries(*kRegistry, {}, document->Root(), {}, {}, &entries).has_value());
  const auto finds = [&](std::string_view word) {
    const auto query = ParseQuery(*kRegistry, "Observation", {{"_content", std::string(word)}}, {});
    EXPECT_TRUE(query.has_value()) << word;
    return query && Matches(query->where, {"x", 0, &entries});
  };
  for (const auto* word :
       {"narrative", "well feels", "heart", "eve", "inner", "8867", "generated"}) {
    EXPECT_TRUE(finds(word)) << word;
  }
  for (const auto* word :
       {"theid", "loinc", "p1", "class", "2020", "prof", "Zm9v", "observation"}) {
    EXPECT_FALSE(finds(word)) << word;
  }
}

TEST(XhtmlTextTest, WhatIsNotWellFormedIsText) {
  EXPECT_EQ(TextOfXhtml("a & b &; &unknownname; &#xZZ;c"), "a   b  ;  unknownname;  c");
  EXPECT_EQ(TextOfXhtml("<p>a"), " a");
  EXPECT_EQ(TextOfXhtml("a<"), "a ");
  EXPECT_EQ(TextOfXhtml("a<!-- b"), "a");
  EXPECT_EQ(TextOfXhtml("<p title=\"a>b\">c"), " c");
  EXPECT_EQ(TextOfXhtml("&Auml;&szlig;&Omega;&#65;&#x1F600;&#xD800;"), "AßωA😀 ");
}

}  // namespace
}  // namespace fhir::search
