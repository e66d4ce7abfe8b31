// _text, _list, near, and texts of tokens, over the store.
#include <gmock/gmock.h>

#include "tests/integration/server/in_process_server.h"

namespace server {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

class SpecialSearchTest : public InProcessServer {
 protected:
  void Add(const std::string& type, const std::string& id, const std::string& rest) {
    const std::string body =
        R"({"resourceType":")" + type + R"(","id":")" + id + "\"," + rest + "}";
    const Answer answer = Put(type + "/" + id, body);
    EXPECT_EQ(answer.Status(), 201) << answer.body;
  }
  void AddWithNarrative(const std::string& id, const std::string& text) {
    Add("Patient", id,
        R"("text":{"status":"generated","div":"<div xmlns=\"http://www.w3.org/1999/xhtml\">)" +
            text + R"(</div>"})");
  }
  std::vector<std::string> Find(const std::string& query) {
    const Answer answer = Get(query);
    EXPECT_EQ(answer.Status(), 200) << answer.body;
    return answer.Entries();
  }
};

TEST_F(SpecialSearchTest, WordsOfNarratives) {
  AddWithNarrative("a", "Bone cancer, <b>meta</b>stases");
  AddWithNarrative("b", "Liver cancer");
  Add("Patient", "c", R"("gender":"male")");
  EXPECT_THAT(Find("Patient?_text=cancer"), ElementsAre("Patient/a", "Patient/b"));
  EXPECT_THAT(Find("Patient?_text=cancer%20metastases"), ElementsAre("Patient/a"));
  EXPECT_THAT(Find("Patient?_text=metastases,liver"), ElementsAre("Patient/a", "Patient/b"));
  EXPECT_THAT(Find("Patient?_text:missing=true"), ElementsAre("Patient/c"));
  EXPECT_EQ(Get("Patient?_text=%22bone%20cancer%22").Status(), 400);
  EXPECT_EQ(Get("Patient?_content=cancer").Status(), 400);
}

TEST_F(SpecialSearchTest, MembersOfAList) {
  Add("Patient", "a", R"("gender":"male")");
  Add("Patient", "b", R"("gender":"female")");
  Add("Observation", "o",
      R"("status":"final","code":{"text":"x"},"subject":{"reference":"Patient/a"})");
  Add("List", "l",
      R"("status":"current","mode":"working","entry":[{"item":{"reference":"Patient/a"}},
         {"item":{"reference":"Observation/o"}}])");
  Add("List", "m", R"("status":"current","mode":"working")");
  EXPECT_THAT(Find("Patient?_list=l"), ElementsAre("Patient/a"));
  EXPECT_THAT(Find("Patient?_list=l&gender=female"), IsEmpty());
  EXPECT_THAT(Find("Observation?_list=l"), ElementsAre("Observation/o"));
  EXPECT_THAT(Find("Observation?patient._list=l"), ElementsAre("Observation/o"));
  EXPECT_THAT(Find("Patient?_list=m,unknown"), IsEmpty());
  EXPECT_THAT(Find("Patient?_list=m,l"), ElementsAre("Patient/a"));
  EXPECT_EQ(Get("Patient?_list=$current-problems").Status(), 400);
}

TEST_F(SpecialSearchTest, PlacesAndHowFarTheyAre) {
  Add("Location", "leipzig", R"("position":{"longitude":12.3726,"latitude":51.3353})");
  Add("Location", "halle", R"("position":{"longitude":11.9695,"latitude":51.4828})");
  Add("Location", "berlin", R"("position":{"longitude":13.4081,"latitude":52.5186})");
  Add("Location", "nowhere", R"("status":"active")");
  Add("PractitionerRole", "r", R"("location":[{"reference":"Location/halle"}])");
  const Answer near = Get("Location?near=51.3353|12.3726|50|km");
  EXPECT_THAT(near.Entries(), ElementsAre("Location/leipzig", "Location/halle"));
  EXPECT_EQ(near.Text("entry", "0", "search", "extension", "0", "url"),
            "http://hl7.org/fhir/StructureDefinition/location-distance");
  EXPECT_EQ(near.Text("entry", "0", "search", "extension", "0", "valueDistance", "value"), "0.000");
  const std::string far =
      near.Text("entry", "1", "search", "extension", "0", "valueDistance", "value");
  EXPECT_NEAR(std::stod(far), 32.4, 0.5);
  EXPECT_EQ(near.Text("entry", "1", "search", "extension", "0", "valueDistance", "code"), "km");
  EXPECT_EQ(near.Text("entry", "1", "search", "mode"), "match");
  EXPECT_TRUE(Get("Location?status=active").At("entry", "0", "search", "extension").IsNone());
  EXPECT_THAT(Find("Location?near=51.3353|12.3726|1,52.5186|13.4081|1"),
              ElementsAre("Location/leipzig", "Location/berlin"));
  EXPECT_THAT(Find("PractitionerRole?location.near=51.3353|12.3726|50|km"),
              ElementsAre("PractitionerRole/r"));
  EXPECT_EQ(Get("Location?near=51.3353").Status(), 400);
}

TEST_F(SpecialSearchTest, TextsAndTypesOfTokens) {
  Add("Patient", "a", R"("identifier":[{"value":"1","type":{"text":"Medical record",
                          "coding":[{"system":"t","code":"MR"}]}}])");
  Add("Patient", "b",
      R"("identifier":[{"value":"1","type":{"coding":[{"system":"t","code":"SS"}]}}])");
  EXPECT_THAT(Find("Patient?identifier:of-type=t|MR|1"), ElementsAre("Patient/a"));
  EXPECT_THAT(Find("Patient?identifier:text=medical"), ElementsAre("Patient/a"));
  EXPECT_THAT(Find("Patient?identifier=1"), UnorderedElementsAre("Patient/a", "Patient/b"));
}

}  // namespace
}  // namespace server
