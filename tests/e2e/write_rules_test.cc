// What writes refuse, rather than do less or more than was asked: parameters, parts of resources,
// preconditions that do not hold.
#include "tests/e2e/fhir_client.h"

namespace e2e {
namespace {

constexpr std::string_view kPatient = R"({"resourceType":"Patient"})";
constexpr std::string_view kPart =
    R"({"resourceType":"Patient","id":"part","meta":{"tag":[{"code":"x"},)"
    R"({"system":"http://terminology.hl7.org/CodeSystem/v3-ObservationValue",)"
    R"("code":"SUBSETTED"}]}})";

std::string PatientAt(std::string_view id, std::string_view members = {}) {
  return R"({"resourceType":"Patient","id":")" + std::string(id) + "\"" + std::string(members) +
         "}";
}

class WriteRulesTest : public ServerTest {};

TEST_F(WriteRulesTest, ParametersThatNobodyKnowsAreRefused) {
  const std::string id = Client().Create(kPatient);
  const std::string target = "Patient/" + id;
  const auto expect = [](const Answer& answer, std::string_view name) {
    EXPECT_EQ(answer.Status(), 400) << name << ": " << answer.http.body;
    EXPECT_NE(answer.Text("issue.0.diagnostics").find(name), std::string::npos) << answer.http.body;
  };
  expect(Client().Delete(target + "?_cascade=delete"), "_cascade");
  expect(Client().Put(target + "?foo=bar", PatientAt(id)), "foo");
  expect(Client().Post("Patient?foo=bar", kPatient), "foo");
  expect(Client().Post("?foo=bar", BundleOf("batch", {})), "foo");
  expect(Client().Send("PATCH", target + "?foo=bar", "[]",
                       {{"Content-Type", "application/json-patch+json"}}),
         "foo");
  const std::vector<std::string> entries = {Entry("DELETE", target + "?_cascade=delete")};
  expect(Client().Post("", BundleOf("transaction", entries)), "_cascade");
  EXPECT_EQ(Client().Post("", BundleOf("batch", entries)).Text("entry.0.response.status"),
            "400 Bad Request");
  EXPECT_EQ(Client().Get(target).Status(), 200);

  EXPECT_EQ(Client().Put(target + "?_format=json&_pretty=true&foo=", PatientAt(id)).Status(), 200);
  EXPECT_EQ(Client().Delete(target + "?foo=bar", {{"Prefer", "handling=lenient"}}).Status(), 204);
}

TEST_F(WriteRulesTest, APartOfAResourceIsNotStored) {
  EXPECT_EQ(Client().Put("Patient/part", kPart).Status(), 422);
  const Answer refused = Client().Post("Patient", kPart);
  EXPECT_EQ(refused.Status(), 422);
  EXPECT_EQ(refused.Expressions(), std::vector<std::string>{"Patient.meta.tag[1]"});
  for (const std::string& entry :
       {Entry("PUT", "Patient/part", kPart), Entry("POST", "Patient", kPart)}) {
    const Answer transaction = Client().Post("", BundleOf("transaction", {entry}));
    EXPECT_EQ(transaction.Status(), 422) << transaction.http.body;
    const Answer batch = Client().Post("", BundleOf("batch", {entry}));
    EXPECT_EQ(batch.Text("entry.0.response.status"), "422 Unprocessable Content");
  }
  EXPECT_EQ(Client().Get("Patient/part").Status(), 404);
  EXPECT_EQ(Client().Count("Patient?_tag=SUBSETTED"), 0);
}

TEST_F(WriteRulesTest, IfMatchAnyWantsACurrentVersion) {
  const Headers any = {{"If-Match", "*"}};
  EXPECT_EQ(Client().Put("Patient/any", PatientAt("any"), any).Status(), 412);
  EXPECT_EQ(Client().Delete("Patient/any", any).Status(), 412);
  EXPECT_EQ(Client().Put("Patient/any", PatientAt("any")).Status(), 201);
  EXPECT_EQ(Client().Put("Patient/any", PatientAt("any", R"(,"active":true)"), any).Status(), 200);
  EXPECT_EQ(
      Client()
          .Send("PATCH", "Patient/any", R"([{"op":"replace","path":"/active","value":false}])",
                {{"Content-Type", "application/json-patch+json"}, {"If-Match", "*"}})
          .Status(),
      200);
  EXPECT_EQ(Client().Delete("Patient/any", any).Status(), 204);
  EXPECT_EQ(Client().Delete("Patient/any", any).Status(), 412);
}

TEST_F(WriteRulesTest, AChangeWithinTheSecondIsNotMissed) {
  EXPECT_EQ(Client().Put("Patient/quick", PatientAt("quick")).Status(), 201);
  const std::string modified = Client().Get("Patient/quick").Header("last-modified");
  EXPECT_EQ(Client().Get("Patient/quick", {{"If-Modified-Since", modified}}).Status(), 304);
  Client().Put("Patient/quick", PatientAt("quick", R"(,"active":true)"));
  // In the same second, or in a later one.
  EXPECT_EQ(Client().Get("Patient/quick", {{"If-Modified-Since", modified}}).Status(), 200);
}

TEST_F(WriteRulesTest, IfNoneExistHoldsCriteriaAlone) {
  const Answer answer =
      Client().Post("Patient", kPatient, {{"If-None-Exist", "Patient?identifier=s|1"}});
  EXPECT_EQ(answer.Status(), 400);
  EXPECT_NE(answer.Text("issue.0.diagnostics").find("as in identifier=s|1"), std::string::npos)
      << answer.http.body;
}

TEST_F(WriteRulesTest, AnEscapedSlashIsNoSeparator) {
  const std::string id = Client().Create(kPatient);
  EXPECT_EQ(Client().Get("Patient/" + id + "%2F_history").Status(), 400);
  EXPECT_EQ(Client().Get("Patient%2f" + id).Status(), 400);
  const Answer batch = Client().Post("", BundleOf("batch", {Entry("GET", "Patient%2F" + id)}));
  EXPECT_EQ(batch.Text("entry.0.response.status"), "400 Bad Request");
}

TEST_F(WriteRulesTest, HeadInABundleReturnsNoResource) {
  const std::string id = Client().Create(kPatient);
  for (const char* type : {"batch", "transaction"}) {
    const Answer answer = Client().Post("", BundleOf(type, {Entry("HEAD", "Patient/" + id)}));
    EXPECT_EQ(answer.Text("entry.0.response.status"), "200 OK") << answer.http.body;
    EXPECT_EQ(answer.Text("entry.0.response.etag"), "W/\"1\"");
    EXPECT_TRUE(answer.At("entry.0.resource").IsNone()) << answer.http.body;
  }
}

class CorsTest : public ServerTest {
 protected:
  static void SetUpTestSuite() { StartServer({{"CORS_ALLOW_ORIGIN", "https://app.example.org"}}); }
};

TEST_F(CorsTest, PagesOfTheOriginMayAskAndReadTheAnswer) {
  const Headers from = {{"Origin", "https://app.example.org"}};
  const Answer preflight =
      Client().Send("OPTIONS", "Patient", "",
                    {{"Origin", "https://app.example.org"},
                     {"Access-Control-Request-Method", "PUT"},
                     {"Access-Control-Request-Headers", "content-type,if-match"}});
  EXPECT_EQ(preflight.Status(), 204);
  EXPECT_EQ(preflight.Header("access-control-allow-origin"), "https://app.example.org");
  EXPECT_NE(preflight.Header("access-control-allow-methods").find("PUT"), std::string::npos);
  EXPECT_NE(preflight.Header("access-control-allow-headers").find("If-Match"), std::string::npos);
  for (const char* target : {"metadata", "Patient/absent", "Patient?nonsense=1"}) {
    const Answer answer = Client().Get(target, from);
    EXPECT_EQ(answer.Header("access-control-allow-origin"), "https://app.example.org") << target;
    EXPECT_NE(answer.Header("access-control-expose-headers").find("ETag"), std::string::npos);
  }
}

TEST_F(WriteRulesTest, NoOriginIsAllowedUnlessSet) {
  EXPECT_EQ(Client()
                .Get("metadata", {{"Origin", "https://app.example.org"}})
                .Header("access-control-allow-origin"),
            "");
}

}  // namespace
}  // namespace e2e
