// Type search, its pages and its links.
#include <set>

#include "tests/integration/server/in_process_server.h"

namespace server {
namespace {

class SearchTest : public InProcessServer {
 protected:
  void AddPatients(int count, std::string_view rest = R"("gender":"male")") {
    for (int i = 0; i < count; ++i) {
      const std::string id = "p" + std::to_string(next_++);
      const std::string body =
          R"({"resourceType":"Patient","id":")" + id + "\"," + std::string(rest) + "}";
      EXPECT_EQ(Put("Patient/" + id, body).Status(), 201);
    }
  }

 private:
  int next_ = 0;
};

TEST_F(SearchTest, FindsAndCounts) {
  EXPECT_EQ(Get("Patient?gender=male").Text("total"), "0");
  AddPatients(3);
  AddPatients(2, R"("gender":"female")");
  const Answer male = Get("Patient?gender=male");
  EXPECT_EQ(male.Status(), 200);
  EXPECT_EQ(male.Text("type"), "searchset");
  EXPECT_EQ(male.Text("total"), "3");
  EXPECT_EQ(male.EntryCount(), 3U);
  EXPECT_EQ(male.Text("entry", "0", "search", "mode"), "match");
  EXPECT_EQ(male.Text("entry", "0", "fullUrl"),
            std::string(kBase) + "/Patient/" + male.Text("entry", "0", "resource", "id"));
  EXPECT_EQ(male.Text("entry", "0", "resource", "meta", "versionId"), "1");
  EXPECT_EQ(male.Link("self"), std::string(kBase) + "/Patient?gender=male");
  EXPECT_NE(male.reply.link.find("rel=\"self\""), std::string::npos);
  const Answer count = Get("Patient?_summary=count");
  EXPECT_EQ(count.Text("total"), "5");
  EXPECT_TRUE(count.At("entry").IsNone());
  EXPECT_EQ(Get("Patient?_count=0").Text("total"), "5");
  EXPECT_TRUE(Get("Patient?_total=none").At("total").IsNone());
}

TEST_F(SearchTest, PagesAreStableAgainstLaterWrites) {
  AddPatients(7);
  Answer page = Get("Patient?gender=male&_count=3");
  std::set<std::string> seen;
  std::vector<std::string> selfs;
  for (int pages = 0; pages < 5; ++pages) {
    EXPECT_EQ(page.Text("total"), "7");
    for (const std::string& entry : page.Entries()) {
      EXPECT_TRUE(seen.insert(entry).second) << entry;
    }
    selfs.push_back(page.Link("self"));
    EXPECT_NE(page.Link("first"), "");
    EXPECT_EQ(page.Link("previous").empty(), pages == 0);
    if (page.Link("next").empty()) break;
    if (pages == 0) {
      Delete("Patient/p5");
      Delete("Patient/p6");
      AddPatients(3);
    }
    page = Follow(page.Link("next"));
    ASSERT_EQ(page.Status(), 200) << page.body;
  }
  EXPECT_EQ(selfs.size(), 3U);
  EXPECT_EQ(seen.size(), 7U);
  EXPECT_EQ(Get("Patient?gender=male").Text("total"), "8");
  const Answer back = Follow(page.Link("previous"));
  EXPECT_EQ(back.Link("self"), selfs[1]);
  EXPECT_EQ(back.EntryCount(), 3U);
}

TEST_F(SearchTest, EqualSortKeysNeitherRepeatNorDrop) {
  AddPatients(7, R"("birthDate":"2000-01-01")");
  AddPatients(1, R"("active":true)");
  Answer page = Get("Patient?_sort=birthdate&_count=2");
  std::vector<std::string> all = page.Entries();
  while (!page.Link("next").empty()) {
    page = Follow(page.Link("next"));
    for (const std::string& entry : page.Entries()) all.push_back(entry);
  }
  EXPECT_EQ(all.size(), 8U);
  EXPECT_EQ(std::set<std::string>(all.begin(), all.end()).size(), 8U);
  EXPECT_EQ(all.back(), "Patient/p7");  // Without the key: last.
}

TEST_F(SearchTest, AQuantityIsFoundInAnyUnitOfItsKind) {
  const auto add = [&](std::string_view id, std::string_view value, std::string_view code) {
    EXPECT_EQ(
        Put("Observation/" + std::string(id),
            R"({"resourceType":"Observation","status":"final","code":{"text":"dose"},"id":")" +
                std::string(id) + R"(","valueQuantity":{"value":)" + std::string(value) +
                R"(,"system":"http://unitsofmeasure.org","code":")" + std::string(code) + "\"}}")
            .Status(),
        201);
  };
  add("grams", "5.4", "g");
  add("milligrams", "5400", "mg");
  add("more", "5450", "mg");
  add("litres", "5.4", "L");
  const std::string grams = "|http://unitsofmeasure.org|g";
  EXPECT_EQ(Get("Observation?value-quantity=5.4" + grams).Text("total"), "2");
  EXPECT_EQ(Get("Observation?value-quantity=gt5.4" + grams).Text("total"), "1");
  EXPECT_EQ(Get("Observation?value-quantity=ne5.4" + grams).Text("total"), "1");
  EXPECT_EQ(Get("Observation?value-quantity=0.0054|http://unitsofmeasure.org|kg").Text("total"),
            "2");
  EXPECT_EQ(Get("Observation?value-quantity=5.4||g").Text("total"), "1");
  EXPECT_EQ(Get("Observation?value-quantity=5.4").Text("total"), "2");
}

TEST_F(SearchTest, AForgedPageTokenIsRefused) {
  AddPatients(3);
  const std::string next = Get("Patient?_count=1").Link("next");
  std::string forged = next;
  forged.back() = forged.back() == 'A' ? 'B' : 'A';
  EXPECT_EQ(Follow(forged).Status(), 400);
  EXPECT_EQ(Follow(next + "&gender=male").Status(), 400);
  EXPECT_EQ(Get("Patient?__page=x").Status(), 400);
  EXPECT_EQ(Follow(next + "&_format=json").Status(), 200);
}

TEST_F(SearchTest, AnUnknownParameterIsRefusedOrNamed) {
  AddPatients(1);
  EXPECT_EQ(Get("Patient?gendr=male").Status(), 400);
  EXPECT_EQ(Get("Patient?gender:foo=male").Status(), 400);
  const Answer lenient = Do(Verb::kGet, "Patient?gendr=female&gender=male", {},
                            With(&RequestHeaders::prefer, "handling=lenient"));
  EXPECT_EQ(lenient.Status(), 200);
  EXPECT_EQ(lenient.Text("total"), "1");
  EXPECT_EQ(lenient.Link("self"), std::string(kBase) + "/Patient?gender=male");
  EXPECT_EQ(lenient.EntryCount(), 2U);
  EXPECT_EQ(lenient.Text("entry", "1", "search", "mode"), "outcome");
  EXPECT_NE(lenient.Text("entry", "1", "resource", "issue", "0", "diagnostics").find("gendr"),
            std::string::npos);
}

TEST_F(SearchTest, ASearchMayBePosted) {
  AddPatients(2);
  AddPatients(1, R"("gender":"female")");
  const RequestHeaders form =
      With(&RequestHeaders::content_type, "application/x-www-form-urlencoded");
  const Answer found = Post("Patient/_search?_count=1", "gender=male\r\n", form);
  EXPECT_EQ(found.Text("total"), "2");
  EXPECT_EQ(found.EntryCount(), 1U);
  EXPECT_EQ(Follow(found.Link("next")).EntryCount(), 1U);
  EXPECT_EQ(Post("Patient/_search", "", form).Text("total"), "3");
  EXPECT_EQ(Post("Patient/_search", "{}", With(&RequestHeaders::content_type, "application/json"))
                .Status(),
            415);
}

TEST_F(SearchTest, ElementsAndSummariesCutResourcesDown) {
  AddPatients(1, R"("gender":"male","active":true)");
  const Answer some = Get("Patient?_elements=gender");
  EXPECT_EQ(some.Text("entry", "0", "resource", "gender"), "male");
  EXPECT_TRUE(some.At("entry", "0", "resource", "active").IsNone());
  const Answer text = Get("Patient?_summary=text");
  EXPECT_TRUE(text.At("entry", "0", "resource", "gender").IsNone());
  EXPECT_EQ(Get("Patient?_summary=data").Text("entry", "0", "resource", "gender"), "male");
  Put("Patient/z",
      R"({"resourceType":"Patient","id":"z","gender":"other","photo":[{"title":"z"}]})");
  const Answer summary = Get("Patient?_summary=true&gender=other");
  EXPECT_EQ(summary.Text("entry", "0", "resource", "gender"), "other");
  EXPECT_TRUE(summary.At("entry", "0", "resource", "photo").IsNone());
  EXPECT_EQ(summary.Text("entry", "0", "resource", "meta", "tag", "0", "code"), "SUBSETTED");
}

TEST_F(SearchTest, ARequestOutOfTimeIsRefused) {
  AddPatients(3);
  Request request;
  request.path = "Patient";
  request.query = "gender=male";
  request.deadline = std::chrono::steady_clock::now() - std::chrono::seconds(1);
  const int status = Do(std::move(request)).Status();
  // A search this small may be done before it looks at the time.
  EXPECT_TRUE(status == 403 || status == 503 || status == 200) << status;
}

}  // namespace
}  // namespace server
