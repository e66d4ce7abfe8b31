// Every error is an OperationOutcome with the right status, and bad structure is named all at once.
#include <algorithm>

#include "tests/e2e/fhir_client.h"

namespace e2e {
namespace {

constexpr std::string_view kPatient = R"({"resourceType":"Patient"})";

class ErrorsTest : public ServerTest {
 protected:
  void ExpectOutcome(const Answer& answer, int status, std::string_view what) {
    EXPECT_EQ(answer.Status(), status) << what << ": " << answer.http.body;
    EXPECT_EQ(answer.Text("resourceType"), "OperationOutcome") << what;
    EXPECT_EQ(answer.Text("issue.0.severity"), "error") << what;
    EXPECT_FALSE(answer.Text("issue.0.code").empty()) << what;
    EXPECT_FALSE(answer.Text("issue.0.diagnostics").empty()) << what;
    EXPECT_TRUE(answer.Header("content-type").starts_with("application/fhir+json")) << what;
  }
};

TEST_F(ErrorsTest, PathsThatAreNotServed) {
  for (const char* target : {"Nonsense", "patient", "Patient/a/b", "Patient/a/_history/1/x",
                             "Patient/$nonsense", "Patient/a/$nonsense", "$nonsense",
                             "Patient/not_an_id!", "Resource", "DomainResource", "Quantity"}) {
    ExpectOutcome(Client().Get(target), 404, target);
  }
}

TEST_F(ErrorsTest, MethodsThatAreNotServedAre405AndSayWhichAre) {
  const auto send = [&](const char* method, const char* target) {
    return Client().Send(method, target, kPatient, {{"Content-Type", "application/fhir+json"}});
  };
  const Answer patch = Client().Send("PATCH", "Patient/a/_history/1", "[]",
                                     {{"Content-Type", "application/json-patch+json"}});
  ExpectOutcome(patch, 405, "PATCH of a version");
  EXPECT_EQ(patch.Header("allow"), "GET, HEAD");
  ExpectOutcome(send("POST", "Patient/a"), 405, "POST to an instance");
  ExpectOutcome(send("PUT", "Patient/a/_history/1"), 405, "PUT to a version");
  ExpectOutcome(send("DELETE", ""), 405, "DELETE of the base");
  ExpectOutcome(send("POST", "metadata"), 405, "POST to metadata");
}

TEST_F(ErrorsTest, BodiesThatAreNoJson) {
  for (const char* body :
       {"", "{", "[", "nonsense", "{\"resourceType\":\"Patient\"} x", "null", "[]", "\"Patient\"",
        "1", "{}", R"({"resourceType":null})", R"({"resourceType":"Nonsense"})",
        R"({"resourceType":1})", "{\"resourceType\":\"Patient\",\"id\":\"\xFF\"}",
        "{\"resourceType\":\"Patient\",\"id\":\"a\nb\"}"}) {
    ExpectOutcome(Client().Post("Patient", body), 400, body);
    ExpectOutcome(Client().Put("Patient/a", body), 400, body);
    ExpectOutcome(Client().Post("", body), 400, body);
  }
}

TEST_F(ErrorsTest, DeepNestingIsRefused) {
  std::string extension = R"("extension":[{"url":"u"}])";
  for (int i = 0; i < 5'000; ++i) extension = R"("extension":[{"url":"u",)" + extension + "}]";
  ExpectOutcome(Client().Post("Patient", R"({"resourceType":"Patient",)" + extension + "}"), 400,
                "extensions");
  ExpectOutcome(Client().Post("Patient", std::string(100'000, '[')), 400, "arrays");
}

TEST_F(ErrorsTest, AllFaultsOfStructureAreNamedAtOnce) {
  const Answer answer = Client().Post(
      "Patient",
      R"({"resourceType":"Patient","nonsense":1,"active":"yes","name":{"family":"x"},)"
      R"("gender":null,"birthDate":"2026-02-29","contact":[{"name":{"given":["a",1]},"foo":[]}],)"
      R"("multipleBirthInteger":1,"multipleBirthBoolean":true,"address":[],)"
      R"("telecom":[{"rank":0.5},{"rank":"1"},{"value":""}],"maritalStatus":[{"text":"x"}]})");
  ExpectOutcome(answer, 400, "structure");
  const auto expressions = answer.Expressions();
  for (const char* expected :
       {"Patient.nonsense", "Patient.active", "Patient.name", "Patient.gender", "Patient.birthDate",
        "Patient.contact[0].name.given[1]", "Patient.contact[0].foo", "Patient.address",
        "Patient.telecom[0].rank", "Patient.telecom[1].rank", "Patient.telecom[2].value",
        "Patient.maritalStatus"}) {
    EXPECT_NE(std::ranges::find(expressions, expected), expressions.end()) << expected;
  }
  EXPECT_GE(expressions.size(), 13u) << answer.http.body;  // Two values for multipleBirth[x].
}

TEST_F(ErrorsTest, RepeatedMembersAreRefused) {
  const Answer answer =
      Client().Post("Patient", R"({"resourceType":"Patient","gender":"male","gender":"female"})");
  ExpectOutcome(answer, 400, "repeated");
  EXPECT_EQ(answer.Expressions(), std::vector<std::string>{"Patient.gender"});
}

TEST_F(ErrorsTest, RequiredElementsAreNotDemanded) {
  EXPECT_EQ(Client().Post("Observation", R"({"resourceType":"Observation"})").Status(), 201);
}

TEST_F(ErrorsTest, ExtensionsAndPrimitiveSiblingsAreFine) {
  const Answer answer = Client().Post(
      "Patient",
      R"({"resourceType":"Patient","_birthDate":{"extension":[{"url":"http://e","valueCode":"x"}]},)"
      R"("name":[{"given":["a",null],"_given":[null,{"id":"i"}]}],)"
      R"("extension":[{"url":"http://e","extension":[{"url":"n","valueDecimal":1.10}]}],)"
      R"("modifierExtension":[{"url":"http://m","valueBoolean":true}]})");
  EXPECT_EQ(answer.Status(), 201) << answer.http.body;
}

TEST_F(ErrorsTest, EverythingElseThatCanBeWrongWithARequest) {
  const auto get = [&](const char* target) { return Client().Get(target); };
  ExpectOutcome(get("Patient?birthdate=nonsense"), 400, "date");
  ExpectOutcome(get("Patient?%zz=1"), 400, "escape");
  ExpectOutcome(get("Patient?family=%FF"), 400, "UTF-8");
  ExpectOutcome(get("Patient?_sort=nonsense"), 400, "sort");
  ExpectOutcome(get("Patient?_id=not%20an%20id"), 400, "id");
  ExpectOutcome(get("?_type=Nonsense"), 400, "unknown type in _type");
  ExpectOutcome(get("Observation/x/Condition"), 404, "no compartment");
  ExpectOutcome(get("Patient?_include=Patient:nonsense"), 400, "include");
  ExpectOutcome(Client().Get("Patient", {{"Accept", "text/turtle"}}), 406, "Accept");
  ExpectOutcome(get("Patient?_format=ttl"), 406, "_format");
  ExpectOutcome(Client().Post("Patient", kPatient, {{"Content-Type", "text/plain"}}), 415, "type");
  ExpectOutcome(Client().Post("Patient", kPatient, {{"Content-Encoding", "br"}}), 415, "coding");
  ExpectOutcome(Client().Post("Patient/_search", kPatient), 415, "search as JSON");
  ExpectOutcome(Client().Put("Patient/a", kPatient, {{"If-Match", "W/\"1"}}), 400, "If-Match");
  ExpectOutcome(Client().Put("Patient/a", R"({"resourceType":"Patient","id":"a"})",
                             {{"If-None-Match", "W/\"1\""}}),
                400, "If-None-Match of a write");
}

TEST_F(ErrorsTest, TooManyCombinationsOfAResourceAre422) {
  std::string codings;
  for (int i = 0; i < 400; ++i) {
    codings += (i == 0 ? "" : ",") + (R"({"code":"c)" + std::to_string(i)) + "\"}";
  }
  const Answer answer = Client().Post(
      "Observation", R"({"resourceType":"Observation","code":{"coding":[)" + codings +
                         R"(]},"valueCodeableConcept":{"coding":[)" + codings + "]}}");
  ExpectOutcome(answer, 422, "combinations");
}

TEST_F(ErrorsTest, AnAttachmentOfFiftyMegabytesIsStored) {
  const std::string data(50'000'000, 'A');
  const Answer created =
      Client().Post("Media", R"({"resourceType":"Media","content":{"data":")" + data + "\"}}",
                    {{"Prefer", "return=minimal"}});
  ASSERT_EQ(created.Status(), 201);
  EXPECT_EQ(Client().Get("Media/" + created.LocatedId()).Text("content.data").size(), data.size());
}

TEST_F(ErrorsTest, LongValuesAreStoredAndSearched) {
  const std::string longest(1 << 20, 'x');
  const std::string id = Client().Create(R"({"resourceType":"Patient","name":[{"family":")" +
                                         longest + R"("}],"identifier":[{"system":")" + longest +
                                         R"(","value":")" + longest + "\"}]}");
  EXPECT_EQ(Client().Get("Patient?family=xxxxxxxx").Ids(), std::vector{id});
  EXPECT_EQ(Client().Get("Patient/" + id).Text("name.0.family"), longest);
}

}  // namespace
}  // namespace e2e
