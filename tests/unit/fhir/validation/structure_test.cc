#include "fhir/validation/structure.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fhir/definitions/definitions.h"

namespace fhir::validation {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::Field;
using testing::IsEmpty;
using testing::SizeIs;

json::Document Parse(std::string_view text) {
  Result<json::Document> document = json::Document::Parse(text);
  EXPECT_TRUE(document.has_value()) << text;
  return *std::move(document);
}

std::vector<Issue> IssuesOf(std::string_view text) {
  const json::Document document = Parse(text);
  return InspectResource(document.Root()).issues;
}

// A Patient with these members.
std::vector<Issue> PatientIssues(std::string_view members) {
  return IssuesOf(R"({"resourceType":"Patient",)" + std::string(members) + "}");
}

auto Structure(std::string_view expression) {
  return AllOf(Field(&Issue::code, IssueCode::kStructure), Field(&Issue::expression, expression));
}

auto BadValue(std::string_view expression) {
  return AllOf(Field(&Issue::code, IssueCode::kValue), Field(&Issue::expression, expression));
}

TEST(StructureTest, AcceptsAResourceWithEverythingInIt) {
  EXPECT_THAT(PatientIssues(R"(
      "id": "x", "meta": {"profile": ["http://p"]}, "implicitRules": "http://r", "language": "en",
      "text": {"status": "generated", "div": "<div xmlns='http://www.w3.org/1999/xhtml'>a</div>"},
      "contained": [{"resourceType": "Organization", "id": "o", "name": "O"}],
      "extension": [{"url": "http://e", "valueString": "a"},
                    {"url": "http://f", "extension": [{"url": "g", "valueDecimal": 1.10}]}],
      "active": true, "birthDate": "2020-02-29", "gender": "male",
      "_birthDate": {"id": "b", "extension": [{"url": "http://e", "valueBoolean": true}]},
      "name": [{"family": "F", "given": ["a", null, "c"],
                "_given": [null, {"extension": [{"url": "http://e", "valueInteger": 1}]}]}],
      "contact": [{"name": {"text": "t"}, "organization": {"reference": "#o"}}],
      "multipleBirthInteger": 2)"),
              IsEmpty());
}

TEST(StructureTest, AcceptsAResourceThatIsOnlyItsType) {
  EXPECT_THAT(IssuesOf(R"({"resourceType":"Patient"})"), IsEmpty());
}

TEST(StructureTest, RefusesWhatIsNoResource) {
  for (const char* text : {"1", "null", "[]", "{}", R"("a")", R"({"resourceType":null})",
                           R"({"resourceType":"Resource"})", R"({"resourceType":"HumanName"})",
                           R"({"resourceType":"patient"})", R"({"resourceType":["Patient"]})",
                           R"({"resourceType":"Patient.contact"})", R"({"id":"a"})"}) {
    EXPECT_THAT(IssuesOf(text), ElementsAre(Structure(""))) << text;
  }
}

TEST(StructureTest, NamesTheUnknownMember) {
  EXPECT_THAT(PatientIssues(R"("name":[{"family":"a"},{"famly":{"x":1}}],"foo":1)"),
              ElementsAre(Structure("Patient.name[1].famly"), Structure("Patient.foo")));
  EXPECT_THAT(PatientIssues(R"("resource":1,"":1,"_":1)"), SizeIs(3));
}

TEST(StructureTest, AllowsResourceTypeOnlyInResources) {
  EXPECT_THAT(PatientIssues(R"("name":[{"resourceType":"HumanName"}])"),
              ElementsAre(Structure("Patient.name[0].resourceType")));
  EXPECT_THAT(IssuesOf(R"({"resourceType":"ExampleScenario",
      "instance":[{"resourceId":"a","resourceType":"Patient"}]})"),
              IsEmpty());
}

TEST(StructureTest, ReportsRepeatedMembers) {
  EXPECT_THAT(PatientIssues(R"("gender":"male","gender":"male")"),
              ElementsAre(Structure("Patient.gender")));
  EXPECT_THAT(PatientIssues(R"("_gender":{"id":"a"},"gender":"male","_gender":{"id":"a"})"),
              ElementsAre(Structure("Patient.gender")));
  EXPECT_THAT(PatientIssues(R"("resourceType":"Patient")"), ElementsAre(Structure("Patient")));
}

TEST(StructureTest, ReportsNullsAndEmptyThings) {
  EXPECT_THAT(PatientIssues(R"("birthDate":null)"), ElementsAre(Structure("Patient.birthDate")));
  EXPECT_THAT(PatientIssues(R"("maritalStatus":null)"),
              ElementsAre(Structure("Patient.maritalStatus")));
  EXPECT_THAT(PatientIssues(R"("name":[null])"), ElementsAre(Structure("Patient.name[0]")));
  EXPECT_THAT(PatientIssues(R"("name":[])"), ElementsAre(Structure("Patient.name")));
  EXPECT_THAT(PatientIssues(R"("name":[{}])"), ElementsAre(Structure("Patient.name[0]")));
  EXPECT_THAT(PatientIssues(R"("maritalStatus":{})"),
              ElementsAre(Structure("Patient.maritalStatus")));
  EXPECT_THAT(PatientIssues(R"("gender":"")"), ElementsAre(BadValue("Patient.gender")));
}

TEST(StructureTest, ComparesArraysWithMax) {
  EXPECT_THAT(PatientIssues(R"("birthDate":["2020"])"),
              ElementsAre(Structure("Patient.birthDate")));
  EXPECT_THAT(PatientIssues(R"("name":{"family":"a"})"), ElementsAre(Structure("Patient.name")));
  EXPECT_THAT(PatientIssues(R"("name":[{"given":"a"}])"),
              ElementsAre(Structure("Patient.name[0].given")));
  EXPECT_THAT(PatientIssues(R"("name":[[{"family":"a"}]])"),
              ElementsAre(Structure("Patient.name[0]")));
}

TEST(StructureTest, ReportsTheWrongKindOfJson) {
  EXPECT_THAT(PatientIssues(R"("active":"true")"), ElementsAre(Structure("Patient.active")));
  EXPECT_THAT(PatientIssues(R"("gender":1)"), ElementsAre(Structure("Patient.gender")));
  EXPECT_THAT(PatientIssues(R"("multipleBirthInteger":"1")"),
              ElementsAre(Structure("Patient.multipleBirthInteger")));
  EXPECT_THAT(PatientIssues(R"("birthDate":{"id":"a"})"),
              ElementsAre(Structure("Patient.birthDate")));
  EXPECT_THAT(PatientIssues(R"("maritalStatus":"M")"),
              ElementsAre(Structure("Patient.maritalStatus")));
  EXPECT_THAT(PatientIssues(R"("contained":["a"])"),
              ElementsAre(Structure("Patient.contained[0]")));
}

TEST(StructureTest, ReportsBadPrimitivesWithTheirPath) {
  EXPECT_THAT(PatientIssues(R"("id":"a b","birthDate":"2021-02-29",
      "name":[{"family":"a"},{"given":["a","b\u0000"]}])"),
              ElementsAre(BadValue("Patient.id"), BadValue("Patient.birthDate"),
                          BadValue("Patient.name[1].given[1]")));
}

TEST(StructureTest, AllowsOneTypeOfAChoice) {
  EXPECT_THAT(PatientIssues(R"("deceasedBoolean":true,"deceasedDateTime":"2020")"),
              ElementsAre(Structure("Patient.deceasedDateTime")));
  EXPECT_THAT(PatientIssues(R"("deceasedBoolean":true,"_deceasedDateTime":{"id":"a"})"),
              ElementsAre(Structure("Patient.deceasedDateTime")));
  EXPECT_THAT(PatientIssues(R"("_deceasedBoolean":{"id":"a"},"deceasedDateTime":"2020")"),
              ElementsAre(Structure("Patient.deceasedDateTime")));
  EXPECT_THAT(PatientIssues(R"("deceasedBoolean":true,"_deceasedBoolean":{"id":"a"},
      "multipleBirthInteger":1)"),
              IsEmpty());
  EXPECT_THAT(PatientIssues(R"("extension":[{"url":"u","valueString":"a","valueCode":"a"}])"),
              ElementsAre(Structure("Patient.extension[0].valueCode")));
}

TEST(StructureTest, ChecksTheSiblingsOfPrimitives) {
  EXPECT_THAT(PatientIssues(R"("_birthDate":{"extension":[{"url":"u","valueX":1}]})"),
              ElementsAre(Structure("Patient.birthDate.extension[0].valueX")));
  EXPECT_THAT(PatientIssues(R"("_birthDate":{"value":"2020"})"),
              ElementsAre(Structure("Patient.birthDate.value")));
  EXPECT_THAT(PatientIssues(R"("_birthDate":"a")"), ElementsAre(Structure("Patient.birthDate")));
  EXPECT_THAT(PatientIssues(R"("_birthDate":null)"), ElementsAre(Structure("Patient.birthDate")));
  EXPECT_THAT(PatientIssues(R"("_birthDate":[{"id":"a"}])"),
              ElementsAre(Structure("Patient.birthDate")));
  EXPECT_THAT(PatientIssues(R"("_birthDate":{})"), ElementsAre(Structure("Patient.birthDate")));
  // Only primitives have siblings.
  EXPECT_THAT(PatientIssues(R"("_name":[{"id":"a"}])"), ElementsAre(Structure("Patient._name")));
  EXPECT_THAT(PatientIssues(R"("_resourceType":{"id":"a"})"), SizeIs(1));
}

std::vector<Issue> GivenIssues(std::string_view members) {
  return PatientIssues(R"("name":[{)" + std::string(members) + "}]");
}

TEST(StructureTest, AllowsNullOnlyBesideAValue) {
  EXPECT_THAT(GivenIssues(R"("given":["a",null],"_given":[null,{"id":"a"}])"), IsEmpty());
  EXPECT_THAT(GivenIssues(R"("_given":[null,{"id":"a"}],"given":["a",null])"), IsEmpty());
  EXPECT_THAT(GivenIssues(R"("_given":[{"id":"a"}])"), IsEmpty());
  EXPECT_THAT(GivenIssues(R"("given":["a","b"],"_given":[{"id":"a"}])"), IsEmpty());
  EXPECT_THAT(GivenIssues(R"("given":[null])"), ElementsAre(Structure("Patient.name[0].given[0]")));
  EXPECT_THAT(GivenIssues(R"("_given":[null])"),
              ElementsAre(Structure("Patient.name[0].given[0]")));
  EXPECT_THAT(GivenIssues(R"("given":["a",null],"_given":[{"id":"a"}])"),
              ElementsAre(Structure("Patient.name[0].given[1]")));
  EXPECT_THAT(GivenIssues(R"("given":["a",null],"_given":[{"id":"a"},null])"), SizeIs(2));
}

TEST(StructureTest, ChecksTheArrayOfSiblings) {
  EXPECT_THAT(GivenIssues(R"("given":["a"],"_given":[{"id":"a"},{"id":"b"}])"),
              ElementsAre(Structure("Patient.name[0].given")));
  EXPECT_THAT(GivenIssues(R"("given":["a"],"_given":[])"),
              ElementsAre(Structure("Patient.name[0].given")));
  EXPECT_THAT(GivenIssues(R"("given":["a"],"_given":{"id":"a"})"),
              ElementsAre(Structure("Patient.name[0].given")));
  EXPECT_THAT(GivenIssues(R"("given":["a"],"_given":["b"])"),
              ElementsAre(Structure("Patient.name[0].given[0]")));
  EXPECT_THAT(GivenIssues(R"("given":["a"],"_given":[{"extension":[{"url":"u","x":1}]}])"),
              ElementsAre(Structure("Patient.name[0].given[0].extension[0].x")));
}

TEST(StructureTest, InspectsContainedAndBundledResourcesByTheirOwnType) {
  EXPECT_THAT(PatientIssues(R"("contained":[{"resourceType":"Observation","gender":"male"},
      {"id":"a"},{"resourceType":"X"}])"),
              ElementsAre(Structure("Patient.contained[0].gender"),
                          Structure("Patient.contained[1]"), Structure("Patient.contained[2]")));
  EXPECT_THAT(IssuesOf(R"({"resourceType":"Bundle","type":"batch","entry":[
      {"resource":{"resourceType":"Patient","gender":"male"}},
      {"resource":{"gender":"ma  le","resourceType":"Patient"}},
      {"resource":{"resourceType":"Parameters","parameter":[{"name":"a","resource":{"a":1}}]}}]})"),
              ElementsAre(BadValue("Bundle.entry[1].resource.gender"),
                          Structure("Bundle.entry[2].resource.parameter[0].resource")));
}

TEST(StructureTest, FollowsTypesThatContainThemselves) {
  EXPECT_THAT(IssuesOf(R"({"resourceType":"Questionnaire","item":[{"linkId":"1","item":[
      {"linkId":"2","item":[{"linkId":"3"},{"linkId":"4","x":1}]}]}]})"),
              ElementsAre(Structure("Questionnaire.item[0].item[0].item[1].x")));
}

TEST(StructureTest, WalksTheDeepestDocumentThatCanBeParsed) {
  // Each extension is two levels: the array and the object.
  constexpr std::size_t kExtensions = (json::kMaxDepth - 1) / 2;
  std::string text = R"({"resourceType":"Basic")";
  for (std::size_t i = 0; i < kExtensions; ++i) {
    text += R"(,"extension":[{"url":"u")";
  }
  for (std::size_t i = 0; i < kExtensions; ++i) text += "}]";
  EXPECT_THAT(IssuesOf(text + "}"), IsEmpty());
}

TEST(StructureTest, StopsAtTheMostIssues) {
  std::string names;
  for (int i = 0; i < 300; ++i) names += (i == 0 ? "" : ",") + std::string(R"({"x":1})");
  EXPECT_THAT(PatientIssues(R"("name":[)" + names + "]"), SizeIs(kMaxIssues));
  std::string nulls = "null";
  for (int i = 0; i < 300; ++i) nulls += ",null";
  EXPECT_THAT(GivenIssues(R"("given":[)" + nulls + "],\"_given\":[" + nulls + "]"),
              SizeIs(kMaxIssues));
}

TEST(StructureTest, NoTypeHasMoreElementsThanAnInspectionCanRemember) {
  for (const definitions::Type& type : definitions::Types()) EXPECT_LE(type.element_count, 512);
}

TEST(SitesTest, AreReferencesUrisAndNarrativesInOrder) {
  const json::Document document = Parse(R"({"resourceType":"Bundle","entry":[
      {"fullUrl":"urn:uuid:c757873d-ec9a-4326-a141-556f43239520","resource":
        {"resourceType":"Observation","text":{"status":"generated","div":"<div/>"},
         "contained":[{"resourceType":"Provenance","target":[{"reference":"R1"}]}],
         "extension":[{"url":"U1","valueReference":{"reference":"R2","display":"d"}},
                      {"url":"U2","valueUuid":"urn:uuid:c757873d-ec9a-4326-a141-556f43239520"}],
         "code":{"coding":[{"system":"U3","code":"c"}],"text":"t"},
         "subject":{"reference":"R3"},
         "_status":{"extension":[{"url":"U4","valueOid":"urn:oid:1.2"}]}}}]})");
  const Inspection inspection = InspectResource(document.Root());
  EXPECT_THAT(inspection.issues, IsEmpty());
  std::string found;
  std::uint32_t last = 0;
  for (const Site& site : inspection.sites) {
    EXPECT_GT(site.node, last);
    last = site.node;
    const json::Value value(&document, site.node);
    found += site.kind == SiteKind::kReference ? "r:" : site.kind == SiteKind::kUri ? "u:" : "n:";
    found += std::string(value.Text().substr(0, 6)) + " ";
  }
  EXPECT_EQ(found, "u:urn:uu n:<div/> r:R1 u:U1 r:R2 u:U2 u:urn:uu u:U3 r:R3 u:U4 u:urn:oi ");
}

TEST(ExpressionOfTest, NamesEveryNodeBelowTheResource) {
  const json::Document document = Parse(
      R"({"resourceType":"Patient","name":[{"family":"a"},{"given":["b","c"]}],"active":true,
          "_birthDate":{"extension":[{"url":"u"}]}})");
  std::vector<std::string> all;
  for (std::uint32_t i = 0; i < document.Nodes().size(); ++i) {
    all.push_back(ExpressionOf(document.Root(), i));
  }
  EXPECT_THAT(all,
              ElementsAre("Patient", "Patient.resourceType", "Patient.name", "Patient.name[0]",
                          "Patient.name[0].family", "Patient.name[1]", "Patient.name[1].given",
                          "Patient.name[1].given[0]", "Patient.name[1].given[1]", "Patient.active",
                          "Patient.birthDate", "Patient.birthDate.extension",
                          "Patient.birthDate.extension[0]", "Patient.birthDate.extension[0].url"));
}

TEST(ExpressionOfTest, BeginsAtTheResourceItIsGiven) {
  const json::Document document = Parse(
      R"({"resourceType":"Bundle","entry":[{"resource":{"resourceType":"Patient","id":"a"}}]})");
  json::Value resource;
  for (const json::Value entry : document.Root().Find("entry").Children()) {
    resource = entry.Find("resource");
  }
  const std::uint32_t id = resource.Find("id").Index();
  EXPECT_EQ(ExpressionOf(resource, id), "Patient.id");
  EXPECT_EQ(ExpressionOf(document.Root(), id), "Bundle.entry[0].resource.id");
}

TEST(ExpressionOfTest, SurvivesWhatIsNoResource) {
  for (const char* text : {"[[1,2],[3]]", "{\"a\":[[1,[2]]]}", "1", "{}"}) {
    const json::Document document = Parse(text);
    for (std::uint32_t i = 0; i <= document.Nodes().size(); ++i) {
      EXPECT_TRUE(ExpressionOf(document.Root(), i).starts_with("Resource"));
    }
  }
}

}  // namespace
}  // namespace fhir::validation
