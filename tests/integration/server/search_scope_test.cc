// Searches over several types: the whole system, and compartments.
#include <set>

#include <gmock/gmock.h>

#include "tests/integration/server/in_process_server.h"

namespace server {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::UnorderedElementsAre;

class SearchScopeTest : public InProcessServer {
 protected:
  void SetUp() override {
    const Answer answer = Post("", R"({"resourceType":"Bundle","type":"transaction","entry":[
      {"resource":{"resourceType":"Patient","id":"p","gender":"male",
                   "meta":{"tag":[{"code":"red"}]}},
       "request":{"method":"PUT","url":"Patient/p"}},
      {"resource":{"resourceType":"Observation","id":"a","status":"final","code":{"text":"x"},
                   "meta":{"tag":[{"code":"red"}]},"subject":{"reference":"Patient/p"}},
       "request":{"method":"PUT","url":"Observation/a"}},
      {"resource":{"resourceType":"Patient","id":"q","gender":"female"},
       "request":{"method":"PUT","url":"Patient/q"}},
      {"resource":{"resourceType":"Condition","id":"c","subject":{"reference":"Patient/p"}},
       "request":{"method":"PUT","url":"Condition/c"}},
      {"resource":{"resourceType":"Observation","id":"b","status":"final","code":{"text":"y"},
                   "subject":{"reference":"Patient/q"}},
       "request":{"method":"PUT","url":"Observation/b"}},
      {"resource":{"resourceType":"Organization","id":"o"},
       "request":{"method":"PUT","url":"Organization/o"}}]})");
    ASSERT_EQ(answer.Status(), 200) << answer.body;
  }

  Answer GetLeniently(std::string_view query) {
    return Do(Verb::kGet, query, {}, With(&RequestHeaders::prefer, "handling=lenient"));
  }
};

TEST_F(SearchScopeTest, TheWholeSystemInTheOrderOfTypes) {
  const Answer all = Get("");
  EXPECT_EQ(all.Status(), 200);
  EXPECT_EQ(all.Text("total"), "6");
  EXPECT_THAT(all.Entries(), ElementsAre("Condition/c", "Observation/a", "Observation/b",
                                         "Organization/o", "Patient/p", "Patient/q"));
  EXPECT_EQ(all.Link("self"), kBase);
  EXPECT_THAT(Get("?_tag=red").Entries(), ElementsAre("Observation/a", "Patient/p"));
  EXPECT_THAT(Get("?_id=a,q").Entries(), ElementsAre("Observation/a", "Patient/q"));
  EXPECT_EQ(Get("?_summary=count&_tag=red").Text("total"), "2");
  EXPECT_TRUE(Get("?_total=none").At("total").IsNone());
}

TEST_F(SearchScopeTest, TypesNarrowIt) {
  EXPECT_THAT(Get("?_type=Patient,Condition").Entries(),
              ElementsAre("Condition/c", "Patient/p", "Patient/q"));
  EXPECT_THAT(Get("?_type=Observation,Condition&subject=Patient/p").Entries(),
              ElementsAre("Condition/c", "Observation/a"));
  // One type: all that a search of the type knows.
  const Answer one = Get("?_type=Patient&gender=female&_sort=birthdate");
  EXPECT_THAT(one.Entries(), ElementsAre("Patient/q"));
  EXPECT_EQ(one.Link("self"), std::string(kBase) + "?_type=Patient&gender=female&_sort=birthdate");
  EXPECT_EQ(Get("?_type=").Text("total"), "6");
  for (const std::string bad : {"Nothing", "Patient,Nothing", ",", "Resource"}) {
    EXPECT_EQ(Get("?_type=" + bad).Status(), 400) << bad;
  }
  EXPECT_EQ(Get("?_type=Patient&_type=Condition").Status(), 400);
  EXPECT_EQ(Get("?_type:not=Patient").Status(), 400);
  EXPECT_EQ(Get("Patient?_type=Patient").Status(), 400);
}

TEST_F(SearchScopeTest, AParameterThatOneTypeLacksIsRefusedOrIgnoredInAll) {
  const Answer refused = Get("?_type=Patient,Observation&gender=male");
  EXPECT_EQ(refused.Status(), 400);
  EXPECT_THAT(refused.Text("issue", "0", "diagnostics"), HasSubstr("gender"));
  EXPECT_EQ(Get("?gender=male").Status(), 400);
  const Answer lenient = GetLeniently("?_type=Observation,Patient&gender=male&_tag=red");
  EXPECT_EQ(lenient.Text("total"), "2");
  EXPECT_EQ(lenient.Text("entry", "2", "search", "mode"), "outcome");
  EXPECT_EQ(lenient.Link("self"), std::string(kBase) + "?_type=Observation,Patient&_tag=red");
  EXPECT_EQ(Get("?_sort=_lastUpdated").Status(), 400);
}

TEST_F(SearchScopeTest, PagesWalkOverTheTypes) {
  for (const std::string size : {"1", "2", "4", "5", "6"}) {
    for (const std::string total : {"accurate", "none"}) {
      Answer page = Get("?_count=" + size + "&_total=" + total);
      std::vector<std::string> all = page.Entries();
      while (!page.Link("next").empty()) {
        EXPECT_EQ(page.EntryCount(), std::stoul(size));
        page = Follow(page.Link("next"));
        ASSERT_EQ(page.Status(), 200) << page.body;
        for (const std::string& entry : page.Entries()) all.push_back(entry);
      }
      EXPECT_THAT(all, ElementsAre("Condition/c", "Observation/a", "Observation/b",
                                   "Organization/o", "Patient/p", "Patient/q"));
    }
  }
}

TEST_F(SearchScopeTest, PagesAreOfOneSnapshot) {
  const Answer first = Get("?_count=2");
  Delete("Observation/b");
  Put("Account/n", R"({"resourceType":"Account","id":"n","status":"active"})");
  const Answer second = Follow(first.Link("next"));
  EXPECT_THAT(second.Entries(), ElementsAre("Observation/b", "Organization/o"));
  EXPECT_EQ(second.Text("total"), "6");
  EXPECT_EQ(Get("?_count=2").Text("total"), "6");
}

TEST_F(SearchScopeTest, SystemSearchesIncludeToo) {
  EXPECT_THAT(Get("?_type=Observation,Condition&_id=a,c&_include=Observation:subject"
                  "&_include=Condition:subject")
                  .Entries(),
              ElementsAre("Condition/c", "Observation/a", "Patient/p"));
  const Answer answer = Get("?_id=p&_revinclude=Condition:subject&_revinclude=Observation:patient");
  EXPECT_THAT(answer.Entries(), ElementsAre("Patient/p", "Condition/c", "Observation/a"));
}

TEST_F(SearchScopeTest, ASystemSearchMayBePosted) {
  const RequestHeaders form =
      With(&RequestHeaders::content_type, "application/x-www-form-urlencoded");
  const Answer found = Post("_search?_count=1", "_type=Patient,Observation&_tag=red", form);
  EXPECT_EQ(found.Text("total"), "2");
  EXPECT_THAT(Follow(found.Link("next")).Entries(), ElementsAre("Patient/p"));
}

TEST_F(SearchScopeTest, ACompartmentHasItsMembersOnly) {
  const Answer found = Get("Patient/p/Observation");
  EXPECT_THAT(found.Entries(), ElementsAre("Observation/a"));
  EXPECT_EQ(found.Link("self"), std::string(kBase) + "/Patient/p/Observation");
  EXPECT_EQ(Get("Patient/p/Observation?status=amended").Text("total"), "0");
  EXPECT_EQ(Get("Patient/p/Observation?status=final").Text("total"), "1");
  EXPECT_EQ(Get("Patient/p/Observation?nothing=x").Status(), 400);
  EXPECT_EQ(Get("Patient/nobody/Observation").Text("total"), "0");
  EXPECT_THAT(Get("Patient/p/Patient").Entries(), ElementsAre("Patient/p"));
  EXPECT_THAT(Get("Patient/p/Observation?_include=Observation:subject").Entries(),
              ElementsAre("Observation/a", "Patient/p"));
  const RequestHeaders form =
      With(&RequestHeaders::content_type, "application/x-www-form-urlencoded");
  EXPECT_THAT(Post("Patient/q/Observation/_search", "status=final", form).Entries(),
              ElementsAre("Observation/b"));
}

TEST_F(SearchScopeTest, AllMembersOfACompartment) {
  const Answer found = Get("Patient/p/*");
  EXPECT_THAT(found.Entries(), ElementsAre("Condition/c", "Observation/a", "Patient/p"));
  EXPECT_THAT(Get("Patient/p/*?_tag=red").Entries(), ElementsAre("Observation/a", "Patient/p"));
  EXPECT_THAT(Get("Patient/p/*?_type=Condition").Entries(), ElementsAre("Condition/c"));
  EXPECT_EQ(Get("Patient/p/*?_type=Organization").Status(), 400);
  Answer page = Get("Patient/p/*?_count=2");
  EXPECT_THAT(Follow(page.Link("next")).Entries(), ElementsAre("Patient/p"));
}

TEST_F(SearchScopeTest, OtherCompartmentsAreServedAndOthersAreNotFound) {
  for (const std::string path :
       {"Encounter/x/Observation", "Practitioner/x/Observation", "Device/x/Observation",
        "RelatedPerson/x/Observation", "Encounter/x/*", "Practitioner/x/*", "Device/x/*",
        "RelatedPerson/x/*"}) {
    EXPECT_EQ(Get(path).Status(), 200) << path;
  }
  for (const std::string path :
       {"Observation/a/Condition", "Patient/p/Nothing", "Patient/p/**", "Patient/p/ValueSet",
        "Organization/o/*", "Patient/p$/Condition"}) {
    EXPECT_EQ(Get(path).Status(), 404) << path;
  }
}

TEST_F(SearchScopeTest, ATransactionMaySearchACompartment) {
  const Answer answer = Post("", R"({"resourceType":"Bundle","type":"transaction","entry":[
    {"request":{"method":"GET","url":"Patient/p/Observation?status=final"}}]})");
  ASSERT_EQ(answer.Status(), 200) << answer.body;
  EXPECT_EQ(answer.Text("entry", "0", "resource", "total"), "1");
  const Answer refused = Post("", R"({"resourceType":"Bundle","type":"transaction","entry":[
    {"request":{"method":"GET","url":"Patient/p/Observation?nothing=final"}}]})");
  EXPECT_EQ(refused.Status(), 400);
}

}  // namespace
}  // namespace server
