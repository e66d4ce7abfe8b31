// _filter through the server: with chains, value sets, pages and other parameters.
#include <algorithm>

#include <gmock/gmock.h>

#include "fhir/search/query.h"
#include "tests/integration/server/in_process_server.h"

namespace server {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class FilterTest : public InProcessServer {
 protected:
  FilterTest() {
    Add("Organization", "org", R"("name":"Clinic")");
    Add("Patient", "anna", R"("gender":"female","birthDate":"1970-05-01","name":[{"family":"Ash"}],
                              "managingOrganization":{"reference":"Organization/org"})");
    Add("Patient", "bob", R"("gender":"male","birthDate":"1980","name":[{"family":"Birch"}])");
    Add("Patient", "cleo", R"("birthDate":"1990-01-01","name":[{"family":"Ash"}])");
    Add("CodeSystem", "cs", R"("url":"http://x/cs","status":"active","content":"complete",
           "concept":[{"code":"animal","concept":[{"code":"dog"},{"code":"cat"}]}])");
    Add("ValueSet", "dogs", R"("url":"http://x/vs","status":"active","compose":{"include":[
           {"system":"http://x/cs","concept":[{"code":"dog"}]}]})");
    AddObservation("1", "Patient/anna", "dog");
    AddObservation("2", "Patient/anna", "cat");
    AddObservation("3", "Patient/bob", "animal");
    Add("Observation", "4", R"("status":"final","code":{"text":"none"})");
  }

  void Add(const std::string& type, const std::string& id, const std::string& rest) {
    const Answer answer = Put(
        type + "/" + id, R"({"resourceType":")" + type + R"(","id":")" + id + "\"," + rest + "}");
    EXPECT_EQ(answer.Status(), 201) << answer.body;
  }
  void AddObservation(const std::string& id, const std::string& patient, const std::string& code) {
    Add("Observation", id,
        R"("status":"final","subject":{"reference":")" + patient +
            R"("},"code":{"coding":[{"system":"http://x/cs","code":")" + code + R"("}]})");
  }
  static std::string Encoded(const std::string& filter) {
    return fhir::search::EncodeParameters({{"_filter", filter}});
  }
  // Ids, in order.
  std::vector<std::string> Find(const std::string& type, const std::string& filter) {
    const Answer answer = Get(type + "?" + Encoded(filter));
    EXPECT_EQ(answer.Status(), 200) << answer.body;
    std::vector<std::string> ids = answer.Entries();
    for (std::string& id : ids) id.erase(0, id.find('/') + 1);
    return ids;
  }
};

TEST_F(FilterTest, ChainsFindWhatTheyLeadTo) {
  EXPECT_THAT(Find("Observation", "subject:Patient.name sw a"), ElementsAre("1", "2"));
  EXPECT_THAT(Find("Observation", "subject.gender eq male"), ElementsAre("3"));
  EXPECT_THAT(Find("Observation", "patient.organization.name co lin"), ElementsAre("1", "2"));
  EXPECT_THAT(Find("Observation", "subject:Patient.name ne ash"), ElementsAre("3"));
  EXPECT_THAT(Find("Observation", "not (subject:Patient.name eq ash)"), ElementsAre("3", "4"));
  EXPECT_THAT(Find("Observation", "patient.organization pr false"), ElementsAre("3", "4"));
  EXPECT_THAT(Find("Observation", "patient.gender pr true"), ElementsAre("1", "2", "3"));
  EXPECT_THAT(Find("Observation", "subject:Patient[gender eq female].birthdate lt 1975"),
              ElementsAre("1", "2"));
  EXPECT_THAT(Find("Observation", "subject:Patient[gender eq female].birthdate gt 1975"),
              IsEmpty());
  EXPECT_THAT(Find("Observation", "subject re Patient/bob"), ElementsAre("3"));
}

TEST_F(FilterTest, ConceptsGoByStoredValueSetsAndHierarchies) {
  EXPECT_THAT(Find("Observation", "code in http://x/vs"), ElementsAre("1"));
  EXPECT_THAT(Find("Observation", "code ni ValueSet/dogs"), ElementsAre("2", "3", "4"));
  EXPECT_THAT(Find("Observation", "code ss http://x/cs|animal"), ElementsAre("1", "2", "3"));
  EXPECT_THAT(Find("Observation", "code sb http://x/cs|dog"), ElementsAre("1", "3"));
  EXPECT_THAT(Find("Observation", "code eq DOG"), ElementsAre("1"));
  EXPECT_THAT(Find("Observation", "code ne Dog"), ElementsAre("2", "3"));
  const Answer unknown = Get("Observation?" + Encoded("code in http://nowhere"));
  EXPECT_EQ(unknown.Status(), 400);
  EXPECT_THAT(unknown.body, AllOf(HasSubstr("http://nowhere"), HasSubstr("(at character 6)")));
}

TEST_F(FilterTest, GoesAlongWithParametersPagesSortsAndCounts) {
  const std::string filter = Encoded("birthdate ge 1970 and not (gender eq male)");
  EXPECT_EQ(Get("Patient?" + filter + "&family=ash&gender:missing=true").Text("total"), "1");
  EXPECT_EQ(Get("Patient?" + filter + "&_summary=count").Text("total"), "2");
  const Answer first = Get("Patient?" + filter + "&_sort=-birthdate&_count=1");
  EXPECT_THAT(first.Entries(), ElementsAre("Patient/cleo"));
  EXPECT_THAT(first.Link("self"), HasSubstr(filter));
  Add("Patient", "dora", R"("birthDate":"1985")");
  const Answer second = Follow(first.Link("next"));
  EXPECT_THAT(second.Entries(), ElementsAre("Patient/anna"));
  EXPECT_EQ(second.Text("total"), "2");
  EXPECT_EQ(second.Link("next"), "");
  EXPECT_THAT(
      Get("Observation?" + Encoded("code eq dog") + "&_include=Observation:subject").Entries(),
      ElementsAre("Observation/1", "Patient/anna"));
}

TEST_F(FilterTest, MayBePostedAndAskedOfSeveralTypesAndCompartments) {
  const Answer posted =
      Post("Patient/_search", Encoded(R"(family eq "ash" and gender pr false)"),
           With(&RequestHeaders::content_type, "application/x-www-form-urlencoded"));
  EXPECT_THAT(posted.Entries(), ElementsAre("Patient/cleo"));
  EXPECT_THAT(Get("?_type=Organization,Patient&" + Encoded("name sw C")).Entries(),
              ElementsAre("Organization/org"));
  EXPECT_THAT(Get("Patient/anna/Observation?" + Encoded("code eq cat")).Entries(),
              ElementsAre("Observation/2"));
}

TEST_F(FilterTest, IsRefusedWithItsPlaceEvenIfLenient) {
  const Answer answer = Do(Verb::kGet, "Patient?" + Encoded("gender eq male or famly eq x"), {},
                           With(&RequestHeaders::prefer, "handling=lenient"));
  EXPECT_EQ(answer.Status(), 400);
  EXPECT_THAT(answer.Text("issue", "0", "diagnostics"),
              AllOf(HasSubstr("'famly'"), HasSubstr("(at character 19)"), HasSubstr("'family'")));
  EXPECT_EQ(Get("Patient?" + Encoded("gender eq (")).Text("total"), "0");
  EXPECT_EQ(Get("Patient?" + Encoded("(gender eq x")).Status(), 400);
}

}  // namespace
}  // namespace server
