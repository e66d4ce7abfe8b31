#include <gtest/gtest.h>

#include "tests/unit/fhir/search/search_fixture.h"

namespace fhir::search {
namespace {

bool Finds(std::string_view uri, std::string_view query) {
  const IndexEntries entries =
      Extract(R"({"resourceType":"ValueSet","url":")" + std::string(uri) + "\"}");
  return Matches("ValueSet", entries, query);
}

TEST(UriTest, UrisAreComparedWhole) {
  EXPECT_TRUE(Finds("http://a/b", "url=http://a/b"));
  EXPECT_FALSE(Finds("http://a/b", "url=http://a/B"));
  EXPECT_FALSE(Finds("http://a/b", "url=http://a/"));
  EXPECT_FALSE(Finds("http://a/b/", "url=http://a/b"));
}

TEST(UriTest, BelowGoesBySegments) {
  EXPECT_TRUE(Finds("http://a/b/c", "url:below=http://a/b"));
  EXPECT_TRUE(Finds("http://a/b", "url:below=http://a/b"));
  EXPECT_TRUE(Finds("http://a/b/c", "url:below=http://a/b/"));
  EXPECT_FALSE(Finds("http://a/bc", "url:below=http://a/b"));
  EXPECT_FALSE(Finds("http://a", "url:below=http://a/b"));
}

TEST(UriTest, AboveGoesBySegments) {
  EXPECT_TRUE(Finds("http://a/b", "url:above=http://a/b/c/d"));
  EXPECT_TRUE(Finds("http://a/b/", "url:above=http://a/b/c/d"));
  EXPECT_TRUE(Finds("http://a", "url:above=http://a/b"));
  EXPECT_TRUE(Finds("http://a/b", "url:above=http://a/b"));
  EXPECT_FALSE(Finds("http://a/b/c", "url:above=http://a/b"));
  EXPECT_FALSE(Finds("http:", "url:above=http://a/b"));
  EXPECT_FALSE(Ask("ValueSet", "url:above=" + std::string(100, '/')).has_value());
}

TEST(UriTest, AProfileWithoutVersionMatchesAnyVersion) {
  const IndexEntries entries =
      Extract(R"({"resourceType":"Patient","meta":{"profile":["http://p/x|1.0"]}})");
  EXPECT_TRUE(Matches("Patient", entries, "_profile=http://p/x"));
  EXPECT_TRUE(Matches("Patient", entries, "_profile=http://p/x|1.0"));
  EXPECT_FALSE(Matches("Patient", entries, "_profile=http://p/x|2.0"));
  EXPECT_FALSE(Matches("Patient", entries, "_profile=http://p/"));
}

TEST(UriTest, AnEditedUriCountsAsEdited) {
  const std::string_view json = R"({"resourceType":"ValueSet","url":"urn:uuid:1"})";
  const auto document = json::Document::Parse(json);
  const model::Edit edits[] = {{document->Root().Find("url").Index(), "http://new"}};
  const IndexEntries entries = Extract(json, edits);
  EXPECT_TRUE(Matches("ValueSet", entries, "url=http://new"));
  EXPECT_FALSE(Matches("ValueSet", entries, "url=urn:uuid:1"));
}

TEST(UriTest, AVeryLongUriIsFoundWholeAndByItsBeginning) {
  const std::string start = "http://a/" + std::string(3'000, 'x');
  const IndexEntries entries =
      Extract(R"({"resourceType":"ValueSet","url":")" + start + R"(1|2"})");
  for (const auto& entry : entries.List()) EXPECT_LT(entry.size, 4'200U);
  EXPECT_TRUE(Matches("ValueSet", entries, "url=" + start + "1"));
  EXPECT_TRUE(Matches("ValueSet", entries, "url=" + start + "1|2"));
  EXPECT_FALSE(Matches("ValueSet", entries, "url=" + start + "2"));
  EXPECT_FALSE(Matches("ValueSet", entries, "url=" + start + "1|3"));
  EXPECT_TRUE(Matches("ValueSet", entries, "url:below=http://a"));
  EXPECT_FALSE(Ask("ValueSet", "url:below=" + start).has_value());
  EXPECT_FALSE(Ask("ValueSet", "url:above=" + start).has_value());
}

}  // namespace
}  // namespace fhir::search
