// Histories: of an instance at a time, of a type, of all types.
#include <algorithm>

#include "tests/integration/server/in_process_server.h"

namespace server {
namespace {

class HistoryTest : public InProcessServer {
 protected:
  void PutPatient(const std::string& id, const std::string& gender) {
    ASSERT_LT(Put("Patient/" + id,
                  R"({"resourceType":"Patient","id":")" + id + R"(","gender":")" + gender + R"("})")
                  .Status(),
              300);
  }
  void PutObservation(const std::string& id) {
    ASSERT_LT(
        Put("Observation/" + id, R"({"resourceType":"Observation","id":")" + id + R"("})").Status(),
        300);
  }
  std::string LastUpdated(std::string_view path) { return Get(path).Text("meta", "lastUpdated"); }
};

// "DELETE Patient/x W/"2"" of each entry.
std::vector<std::string> Lines(const Answer& answer) {
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < answer.EntryCount(); ++i) {
    const std::string at = std::to_string(i);
    lines.push_back(answer.Text("entry", at, "request", "method") + " " +
                    answer.Text("entry", at, "fullUrl").substr(kBase.size() + 1) + " " +
                    answer.Text("entry", at, "response", "etag"));
  }
  return lines;
}

using Strings = std::vector<std::string>;

TEST_F(HistoryTest, OfATypeHasAllItsVersionsNewestFirst) {
  PutPatient("x", "male");
  PutObservation("o");
  PutPatient("y", "male");
  PutPatient("x", "female");
  Delete("Patient/x");
  const Answer history = Get("Patient/_history");
  ASSERT_EQ(history.Status(), 200) << history.body;
  EXPECT_EQ(history.Text("type"), "history");
  EXPECT_EQ(history.Text("total"), "4");
  EXPECT_EQ(Lines(history), (Strings{"DELETE Patient/x W/\"3\"", "PUT Patient/x W/\"2\"",
                                     "PUT Patient/y W/\"1\"", "PUT Patient/x W/\"1\""}));
  EXPECT_TRUE(history.At("entry", "0", "resource").IsNone());
  EXPECT_EQ(history.Text("entry", "1", "resource", "gender"), "female");
  EXPECT_EQ(Get("Encounter/_history").Text("total"), "0");
  EXPECT_EQ(Get("Nothing/_history").Status(), 404);
}

TEST_F(HistoryTest, OfTheSystemHasAllTypes) {
  EXPECT_EQ(Get("_history").Text("total"), "0");
  PutPatient("x", "male");
  PutObservation("o");
  Delete("Patient/x");
  const Answer history = Get("_history");
  EXPECT_EQ(history.Text("total"), "3");
  EXPECT_EQ(Lines(history), (Strings{"DELETE Patient/x W/\"2\"", "PUT Observation/o W/\"1\"",
                                     "PUT Patient/x W/\"1\""}));
}

TEST_F(HistoryTest, SaysHowAVersionCameToBe) {
  const std::string id = Post("Patient", R"({"resourceType":"Patient"})").Text("id");
  PutPatient(id, "male");
  Delete("Patient/" + id);
  PutPatient(id, "male");
  PutPatient("other", "male");
  for (const std::string& of : {"Patient/" + id + "/", std::string("Patient/"), std::string()}) {
    const Answer history = Get(of + "_history");
    const int first = of == "Patient/" + id + "/" ? 0 : 1;
    const auto said = [&](int entry) {
      const std::string index = std::to_string(first + entry);
      return history.Text("entry", index.c_str(), "request", "method") + " " +
             history.Text("entry", index.c_str(), "request", "url") + " " +
             history.Text("entry", index.c_str(), "response", "status");
    };
    EXPECT_EQ(said(0), "PUT Patient/" + id + " 201 Created") << of;
    EXPECT_EQ(said(1), "DELETE Patient/" + id + " 204 No Content") << of;
    EXPECT_EQ(said(2), "PUT Patient/" + id + " 200 OK") << of;
    EXPECT_EQ(said(3), "POST Patient 201 Created") << of;
    if (first == 1) EXPECT_EQ(said(-1), "PUT Patient/other 201 Created") << of;
  }
}

TEST_F(HistoryTest, PagesAreOfOneState) {
  for (int i = 0; i < 5; ++i) {
    PutPatient("p" + std::to_string(i), "male");
    PutObservation("o" + std::to_string(i));
  }
  for (const std::string path : {"Patient/_history", "_history"}) {
    const Strings all = Lines(Get(path));
    Answer page = Get(path + "?_count=2");
    EXPECT_EQ(page.Link("previous"), "");
    Strings walked;
    for (int pages = 0; pages < 10; ++pages) {
      EXPECT_EQ(page.Text("total"), std::to_string(all.size()));
      std::ranges::copy(Lines(page), std::back_inserter(walked));
      const std::string next = page.Link("next");
      if (next.empty()) break;
      PutPatient("p0", walked.size() % 4 == 0 ? "female" : "other");
      Delete("Observation/o" + std::to_string(pages));
      page = Follow(next);
      EXPECT_NE(page.Link("previous"), "");
    }
    EXPECT_EQ(walked, all);
  }
  EXPECT_EQ(Get("Patient/_history?__page=abc").Status(), 400);
}

TEST_F(HistoryTest, SinceCutsOffWhatIsOlder) {
  PutPatient("x", "male");
  PutObservation("o");
  const std::string instant = LastUpdated("Observation/o");
  PutPatient("x", "female");
  EXPECT_EQ(Lines(Get("_history?_since=" + instant)),
            (Strings{"PUT Patient/x W/\"2\"", "PUT Observation/o W/\"1\""}));
  EXPECT_EQ(Get("Patient/_history?_since=" + instant).Text("total"), "1");
  EXPECT_EQ(Get("Patient/_history?_since=2099").Text("total"), "0");
  EXPECT_EQ(Get("_history?_since=2020").Text("total"), "3");
  for (const char* bad : {"_since=never", "_at=2020", "_sort=_lastUpdated", "_count=x"}) {
    EXPECT_EQ(Get("Patient/_history?" + std::string(bad)).Status(), 400) << bad;
    EXPECT_EQ(Get("_history?" + std::string(bad)).Status(), 400) << bad;
  }
}

TEST_F(HistoryTest, AtShowsWhatWasCurrentThen) {
  PutPatient("x", "male");
  const std::string first = LastUpdated("Patient/x");
  PutPatient("x", "female");
  const std::string second = LastUpdated("Patient/x");
  Delete("Patient/x");
  const auto at = [&](const std::string& time) {
    return Lines(Get("Patient/x/_history?_at=" + time));
  };
  EXPECT_EQ(at("2020"), Strings{});
  EXPECT_EQ(at(first), (Strings{"PUT Patient/x W/\"1\""}));
  EXPECT_EQ(at(second), (Strings{"PUT Patient/x W/\"2\""}));
  EXPECT_EQ(at("2099"), (Strings{"DELETE Patient/x W/\"3\""}));
  EXPECT_EQ(at("2026").size(), 3U);
  EXPECT_EQ(Get("Patient/x/_history?_at=then").Status(), 400);
  EXPECT_EQ(Get("Patient/x/_history?_at=2020&_since=2020").Status(), 400);
}

TEST_F(HistoryTest, ResourcesAreCutDownAsInASearch) {
  PutPatient("x", "male");
  for (const std::string path : {"Patient/x/_history", "Patient/_history", "_history"}) {
    const Answer summary = Get(path + "?_summary=text");
    EXPECT_TRUE(summary.At("entry", "0", "resource", "gender").IsNone()) << path;
    EXPECT_EQ(summary.Text("entry", "0", "resource", "meta", "tag", "0", "code"), "SUBSETTED");
    const Answer count = Get(path + "?_summary=count");
    EXPECT_EQ(count.Text("total"), "1");
    EXPECT_EQ(count.EntryCount(), 0U);
    EXPECT_EQ(Get(path + "?_summary=true&_elements=id").Status(), 400);
  }
}

}  // namespace
}  // namespace server
