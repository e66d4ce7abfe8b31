// :in, :not-in, :above and :below, by stored value sets and code systems.
#include <gmock/gmock.h>

#include "tests/integration/server/in_process_server.h"

namespace server {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class TerminologyTest : public InProcessServer {
 protected:
  TerminologyTest() {
    Add("CodeSystem", "cs",
        R"("url":"http://x/cs","status":"active","content":"complete","concept":[
           {"code":"animal","concept":[{"code":"dog","concept":[{"code":"poodle"}]},{"code":"cat"}]},
           {"code":"plant"}])");
    AddValueSet("dogs", R"("include":[{"system":"http://x/cs","filter":[
                           {"property":"concept","op":"is-a","value":"dog"}]}])");
    for (const std::string code : {"animal", "dog", "poodle", "cat", "plant"}) {
      Add("Observation", code,
          R"("status":"final","code":{"coding":[{"system":"http://x/cs","code":")" + code +
              R"("}]})");
    }
    Add("Observation", "other",
        R"("status":"final","code":{"coding":[{"system":"http://y","code":"dog"}]})");
  }

  void Add(const std::string& type, const std::string& id, const std::string& rest) {
    const std::string body =
        R"({"resourceType":")" + type + R"(","id":")" + id + "\"," + rest + "}";
    const Answer answer = Put(type + "/" + id, body);
    EXPECT_LE(answer.Status(), 201) << answer.body;
  }
  void AddValueSet(const std::string& id, const std::string& compose,
                   const std::string& version = "1") {
    Add("ValueSet", id,
        R"("url":"http://x/vs/)" + id + R"(","version":")" + version +
            R"(","status":"active","compose":{)" + compose + "}");
  }
  std::vector<std::string> Find(const std::string& query) {
    const Answer answer = Get("Observation?" + query);
    EXPECT_EQ(answer.Status(), 200) << answer.body;
    return answer.Entries();
  }
  void ExpectRefused(const std::string& query, const std::string& named) {
    const Answer answer = Get("Observation?" + query);
    EXPECT_EQ(answer.Status(), 400) << query;
    EXPECT_THAT(answer.body, HasSubstr(named));
  }
};

TEST_F(TerminologyTest, InByUrlVersionAndId) {
  for (const std::string value_set : {"http://x/vs/dogs", "http://x/vs/dogs|1", "ValueSet/dogs",
                                      "http://localhost:8080/fhir/ValueSet/dogs"}) {
    EXPECT_THAT(Find("code:in=" + value_set), ElementsAre("Observation/dog", "Observation/poodle"))
        << value_set;
  }
  ExpectRefused("code:in=http://x/vs/dogs|2", "http://x/vs/dogs|2");
  ExpectRefused("code:in=http://x/vs/unknown", "http://x/vs/unknown");
  ExpectRefused("code:in=http://snomed.info/sct?fhir_vs", "snomed");
}

TEST_F(TerminologyTest, NotInIsTheRest) {
  EXPECT_THAT(Find("code:not-in=http://x/vs/dogs"),
              ElementsAre("Observation/animal", "Observation/cat", "Observation/plant",
                          "Observation/other"));
  EXPECT_EQ(Find("category:not-in=http://x/vs/dogs").size(), 6U);
}

TEST_F(TerminologyTest, AboveAndBelow) {
  EXPECT_THAT(Find("code:below=http://x/cs|dog"),
              ElementsAre("Observation/dog", "Observation/poodle"));
  EXPECT_THAT(Find("code:above=http://x/cs|dog"),
              ElementsAre("Observation/animal", "Observation/dog"));
  ExpectRefused("code:below=http://x/cs|fish", "fish");
  ExpectRefused("code:below=http://y|dog", "http://y");
}

TEST_F(TerminologyTest, SeveralWithOneUrlAreToldApartByVersion) {
  Add("ValueSet", "again", R"("url":"http://x/vs/dogs","version":"2","status":"draft",
      "compose":{"include":[{"system":"http://x/cs","concept":[{"code":"cat"}]}]})");
  ExpectRefused("code:in=http://x/vs/dogs", "several");
  EXPECT_THAT(Find("code:in=http://x/vs/dogs|2"), ElementsAre("Observation/cat"));
}

TEST_F(TerminologyTest, PagesKeepToTheValueSetOfTheirSnapshot) {
  const Answer first = Get("Observation?code:in=http://x/vs/dogs&_count=1");
  EXPECT_THAT(first.Entries(), ElementsAre("Observation/dog"));
  AddValueSet("dogs", R"("include":[{"system":"http://x/cs","concept":[{"code":"plant"}]}])");
  EXPECT_THAT(Find("code:in=http://x/vs/dogs"), ElementsAre("Observation/plant"));
  EXPECT_THAT(Follow(first.Link("next")).Entries(), ElementsAre("Observation/poodle"));
}

TEST_F(TerminologyTest, ChainsExpandToo) {
  Add("DiagnosticReport", "r", R"("status":"final","code":{"text":"x"},
                                  "result":[{"reference":"Observation/poodle"}])");
  EXPECT_THAT(Get("DiagnosticReport?result.code:in=http://x/vs/dogs").Entries(),
              ElementsAre("DiagnosticReport/r"));
  EXPECT_THAT(Get("DiagnosticReport?result.code:below=http://x/cs|plant").Entries(), IsEmpty());
}

TEST_F(TerminologyTest, CriteriaOfConditionalInteractionsRefuseThem) {
  const Answer answer = Post("Observation", R"({"resourceType":"Observation","status":"final",
      "code":{"text":"x"}})",
                             With(&RequestHeaders::if_none_exist, "code:in=http://x/vs/dogs"));
  EXPECT_EQ(answer.Status(), 400);
}

}  // namespace
}  // namespace server
