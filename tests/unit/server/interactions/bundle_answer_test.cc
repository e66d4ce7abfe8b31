#include "server/interactions/bundle_answer.h"

#include <gtest/gtest.h>

namespace server {
namespace {

constexpr std::string_view kJson = R"({"resourceType":"Patient","id":"x","meta":{}})";

storage::ResourceView View(std::string_view id) {
  storage::ResourceView view;
  view.type = "Patient";
  view.id = id;
  view.version = 1;
  view.json = kJson;
  view.meta_offset = static_cast<std::uint32_t>(kJson.find("{}") + 1);
  return view;
}

std::size_t PositionOf(const std::string& text, std::string_view part) {
  const std::size_t position = text.find(part);
  EXPECT_NE(position, std::string::npos) << part;
  return position;
}

TEST(BundleAnswerTest, EntriesStandByPositionWhateverTheOrderOfReading) {
  for (const bool in_order : {true, false}) {
    BundleEntries entries("http://h/fhir");
    const std::vector<std::size_t> order =
        in_order ? std::vector<std::size_t>{0, 1, 2} : std::vector<std::size_t>{2, 0, 1};
    const std::string_view ids[] = {"a", "b", "c"};
    for (const std::size_t i : order) entries.AddMatch(i, View(ids[i]), Shape());
    const std::string body = AnswerBundle("searchset", 3, {}, &entries).body.Flatten();
    EXPECT_LT(PositionOf(body, "Patient/a"), PositionOf(body, "Patient/b"));
    EXPECT_LT(PositionOf(body, "Patient/b"), PositionOf(body, "Patient/c"));
    EXPECT_TRUE(fhir::json::Document::Parse(body).has_value()) << body;
  }
}

TEST(BundleAnswerTest, NoEntriesMakeNoArray) {
  BundleEntries entries("http://h/fhir");
  const std::string body = AnswerBundle("searchset", 0, {}, &entries).body.Flatten();
  EXPECT_EQ(body, R"({"resourceType":"Bundle","type":"searchset","total":0})");
}

TEST(BundleAnswerTest, TheBaseIsEscaped) {
  BundleEntries entries("http://h\"/fhir");
  entries.AddMatch(0, View("a"), Shape());
  const std::string body = AnswerBundle("searchset", std::nullopt, {}, &entries).body.Flatten();
  EXPECT_TRUE(fhir::json::Document::Parse(body).has_value()) << body;
}

TEST(BundleAnswerTest, ADeletionInAHistoryHasNoResource) {
  storage::ResourceView view = View("a");
  view.operation = storage::Operation::kDelete;
  view.version = 2;
  view.json = {};
  BundleEntries entries("http://h/fhir");
  entries.AddVersion(0, view, Shape());
  const std::string body = AnswerBundle("history", 1, {}, &entries).body.Flatten();
  const auto document = fhir::json::Document::Parse(body);
  ASSERT_TRUE(document.has_value()) << body;
  const fhir::json::Value entry = *document->Root().Find("entry").Children().begin();
  EXPECT_TRUE(entry.Find("resource").IsNone());
  EXPECT_EQ(entry.Find("request").Find("method").Text(), "DELETE");
  EXPECT_EQ(entry.Find("request").Find("url").Text(), "Patient/a");
  EXPECT_EQ(entry.Find("response").Find("etag").Text(), "W/\"2\"");
}

}  // namespace
}  // namespace server
