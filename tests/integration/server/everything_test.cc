// Patient/$everything.
#include <algorithm>
#include <set>

#include "tests/integration/server/in_process_server.h"

namespace server {
namespace {

class EverythingTest : public InProcessServer {
 protected:
  void SetUp() override {
    const Answer answer = Post(
        "",
        R"({"resourceType":"Bundle","type":"transaction","entry":[)" +
            Entry("Organization", "org", R"("name":"far")") + "," +
            Entry("Organization", "near", R"("partOf":{"reference":"Organization/org"})") + "," +
            Entry("Practitioner", "doc", R"("active":true)") + "," +
            Entry("Patient", "x", R"("managingOrganization":{"reference":"Organization/near"})") +
            "," + Entry("Patient", "y", R"("active":true)") + "," +
            Entry("Observation", "old", Subject("x") + R"(,"effectiveDateTime":"2010-05-05")") +
            "," +
            Entry("Observation", "new",
                  Subject("x") + R"(,"effectiveDateTime":"2020-05-05",)"
                                 R"("performer":[{"reference":"Practitioner/doc"}])") +
            "," + Entry("Observation", "undated", Subject("x")) + "," +
            Entry("Observation", "foreign", Subject("y")) + "," +
            Entry("Condition", "c", Subject("x") + R"(,"onsetDateTime":"2015")") + "]}");
    ASSERT_EQ(answer.Status(), 200) << answer.body;
  }

  static std::string Subject(const std::string& id) {
    return R"("subject":{"reference":"Patient/)" + id + R"("})";
  }
  static std::string Entry(const std::string& type, const std::string& id,
                           const std::string& rest) {
    return R"({"resource":{"resourceType":")" + type + R"(","id":")" + id + "\"," + rest +
           R"(},"request":{"method":"PUT","url":")" + type + "/" + id + R"("}})";
  }
};

using Set = std::set<std::string>;

Set AsSet(const Answer& answer) {
  const std::vector<std::string> entries = answer.Entries();
  Set set(entries.begin(), entries.end());
  EXPECT_EQ(set.size(), entries.size()) << answer.body;
  return set;
}

const Set kAll = {"Patient/x",         "Observation/old",  "Observation/new",    "Condition/c",
                  "Organization/near", "Practitioner/doc", "Observation/undated"};

TEST_F(EverythingTest, IsTheCompartmentAndWhatItRefersToOneLevelDeep) {
  const Answer answer = Get("Patient/x/$everything");
  ASSERT_EQ(answer.Status(), 200) << answer.body;
  EXPECT_EQ(AsSet(answer), kAll);
  EXPECT_EQ(answer.Entries().front(), "Patient/x");
  EXPECT_EQ(answer.Text("total"), "7");
  EXPECT_EQ(answer.Link("next"), "");
  EXPECT_EQ(answer.Text("entry", "0", "search", "mode"), "match");
  EXPECT_EQ(AsSet(Get("Patient/y/$everything")), (Set{"Patient/y", "Observation/foreign"}));
}

TEST_F(EverythingTest, PagesHoldEachResourceOnceWhateverIsWrittenMeanwhile) {
  Answer page = Get("Patient/x/$everything?_count=2");
  std::vector<std::string> all;
  for (int pages = 1;; ++pages) {
    const std::vector<std::string> entries = page.Entries();
    EXPECT_EQ(page.Text("total"), "7");
    all.insert(all.end(), entries.begin(), entries.end());
    ASSERT_LE(pages, 4);
    if (page.Link("next").empty()) break;
    EXPECT_EQ(entries.size(), 2U);
    Put("Observation/late" + std::to_string(pages), R"({"resourceType":"Observation","id":"late)" +
                                                        std::to_string(pages) + "\"," +
                                                        Subject("x") + "}");
    page = Follow(page.Link("next"));
    ASSERT_EQ(page.Status(), 200) << page.body;
  }
  EXPECT_EQ(all.size(), 7U);
  EXPECT_EQ(Set(all.begin(), all.end()), kAll);
}

TEST_F(EverythingTest, StartAndEndKeepWhatHasNoDate) {
  EXPECT_EQ(AsSet(Get("Patient/x/$everything?start=2018-01-01")),
            (Set{"Patient/x", "Observation/new", "Observation/undated", "Organization/near",
                 "Practitioner/doc"}));
  // Without its observation the practitioner is referred to no more.
  EXPECT_EQ(AsSet(Get("Patient/x/$everything?start=2012&end=2018")),
            (Set{"Patient/x", "Condition/c", "Observation/undated", "Organization/near"}));
  EXPECT_EQ(Get("Patient/x/$everything?start=yesterday").Status(), 400);
  EXPECT_EQ(Get("Patient/x/$everything?end=2018-13").Status(), 400);
}

TEST_F(EverythingTest, SinceKeepsWhatWasUpdated) {
  const Answer updated =
      Put("Condition/c", R"({"resourceType":"Condition","id":"c",)" + Subject("x") + "}");
  ASSERT_EQ(updated.Status(), 200);
  const std::string since = updated.Text("meta", "lastUpdated");
  // The patient itself comes as what the condition refers to.
  EXPECT_EQ(AsSet(Get("Patient/x/$everything?_since=" + since)), (Set{"Condition/c", "Patient/x"}));
}

TEST_F(EverythingTest, TypesAreSelected) {
  EXPECT_EQ(AsSet(Get("Patient/x/$everything?_type=Patient,Practitioner")), (Set{"Patient/x"}));
  EXPECT_EQ(Get("Patient/x/$everything?_type=Foo").Status(), 400);
}

TEST_F(EverythingTest, MayBePostedWithAParametersResource) {
  EXPECT_EQ(AsSet(Post("Patient/x/$everything", "")), kAll);
  const std::string parameters =
      R"({"resourceType":"Parameters","parameter":[{"name":"_count","valueInteger":3}]})";
  const Answer answer = Post("Patient/x/$everything", parameters,
                             With(&RequestHeaders::content_type, "application/fhir+json"));
  EXPECT_EQ(answer.EntryCount(), 3U) << answer.body;
  EXPECT_EQ(Follow(answer.Link("next")).EntryCount(), 3U);
  EXPECT_EQ(Post("Patient/x/$everything",
                 R"({"resourceType":"Parameters","parameter":[{"name":"start"}]})",
                 With(&RequestHeaders::content_type, "application/fhir+json"))
                .Status(),
            400);
}

TEST_F(EverythingTest, APatientThatIsNotThereHasNothing) {
  EXPECT_EQ(Get("Patient/none/$everything").Status(), 404);
  Put("Patient/z", R"({"resourceType":"Patient","id":"z"})");
  Delete("Patient/z");
  EXPECT_EQ(Get("Patient/z/$everything").Status(), 410);
  EXPECT_EQ(Get("Patient/x/$everything?foo=bar").Status(), 400);
}

TEST_F(EverythingTest, ResourcesAreCutDownAsInASearch) {
  const Answer summary = Get("Patient/x/$everything?_summary=true");
  EXPECT_EQ(AsSet(summary), kAll);
  EXPECT_EQ(summary.Text("entry", "0", "resource", "meta", "tag", "0", "code"), "SUBSETTED");
  EXPECT_TRUE(Get("Patient/x/$everything?_elements=id")
                  .At("entry", "0", "resource", "managingOrganization")
                  .IsNone());
  const Answer count = Get("Patient/x/$everything?_summary=count");
  EXPECT_EQ(count.Text("total"), "7");
  EXPECT_EQ(count.EntryCount(), 0U);
}

}  // namespace
}  // namespace server
