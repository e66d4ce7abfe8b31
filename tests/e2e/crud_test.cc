// Read, vread, create, update, delete and history of one resource, with their header fields.
#include <algorithm>

#include "tests/e2e/fhir_client.h"

namespace e2e {
namespace {

constexpr std::string_view kPatient = R"({"resourceType":"Patient"})";

std::string PatientAt(std::string_view id, std::string_view members = {}) {
  std::string json = R"({"resourceType":"Patient","id":")";
  json.append(id).append("\"");
  if (!members.empty()) json.append(",").append(members);
  return json.append("}");
}

class CrudTest : public ServerTest {};

TEST_F(CrudTest, ACreatedResourceIsDescribedByItsAnswer) {
  const Answer created = Client().Post("Patient", R"({"resourceType":"Patient","active":true})");
  ASSERT_EQ(created.Status(), 201);
  const std::string id = created.LocatedId();
  EXPECT_EQ(id.size(), 16u);
  EXPECT_TRUE(std::ranges::all_of(id, [](char c) {
    return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  })) << id;
  EXPECT_EQ(created.Header("location"), Client().Base() + "/Patient/" + id + "/_history/1");
  EXPECT_EQ(created.Header("etag"), "W/\"1\"");
  EXPECT_TRUE(created.Header("last-modified").ends_with(" GMT"));
  EXPECT_TRUE(created.Header("content-type").starts_with("application/fhir+json"));
  EXPECT_EQ(created.Text("id"), id);
  EXPECT_EQ(created.Text("meta.versionId"), "1");

  const Answer read = Client().Get("Patient/" + id);
  EXPECT_EQ(read.Status(), 200);
  EXPECT_EQ(read.http.body, created.http.body);
  EXPECT_EQ(read.Header("etag"), "W/\"1\"");
  EXPECT_EQ(read.Header("last-modified"), created.Header("last-modified"));
}

TEST_F(CrudTest, IdsOfTheServerGrowWithTime) {
  constexpr std::size_t kTimeCharacters = 9;
  std::string last;
  for (int i = 0; i < 50; ++i) {
    const std::string time = Client().Create(kPatient).substr(0, kTimeCharacters);
    EXPECT_LE(last, time);
    last = time;
  }
}

TEST_F(CrudTest, WhatTheClientSaysOfIdAndVersionIsReplaced) {
  const Answer created = Client().Post(
      "Patient", R"({"resourceType":"Patient","id":"mine","meta":{"versionId":"7","lastUpdated":)"
                 R"("2001-01-01T00:00:00Z","profile":["http://p.example/a"]}})");
  ASSERT_EQ(created.Status(), 201);
  EXPECT_NE(created.Text("id"), "mine");
  EXPECT_EQ(created.Text("meta.versionId"), "1");
  EXPECT_FALSE(created.Text("meta.lastUpdated").starts_with("2001"));
  EXPECT_EQ(created.Text("meta.profile.0"), "http://p.example/a");
}

TEST_F(CrudTest, PreferSaysWhatIsReturned) {
  const Answer minimal = Client().Post("Patient", kPatient, {{"Prefer", "return=minimal"}});
  EXPECT_EQ(minimal.Status(), 201);
  EXPECT_EQ(minimal.http.body, "");
  EXPECT_FALSE(minimal.Header("location").empty());
  const Answer whole = Client().Post("Patient", kPatient, {{"Prefer", "return=representation"}});
  EXPECT_EQ(whole.Text("resourceType"), "Patient");
  const Answer outcome =
      Client().Post("Patient", kPatient, {{"Prefer", "return=OperationOutcome"}});
  EXPECT_EQ(outcome.Status(), 201);
  EXPECT_EQ(outcome.Text("resourceType"), "OperationOutcome");
  EXPECT_EQ(outcome.Text("issue.0.severity"), "information");
}

TEST_F(CrudTest, AnUpdateAtANewIdCreates) {
  const Answer created = Client().Put("Patient/new-1.a", PatientAt("new-1.a"));
  EXPECT_EQ(created.Status(), 201);
  EXPECT_EQ(created.Header("location"), Client().Base() + "/Patient/new-1.a/_history/1");
  const Answer updated = Client().Put("Patient/new-1.a", PatientAt("new-1.a", R"("active":true)"));
  EXPECT_EQ(updated.Status(), 200);
  EXPECT_EQ(updated.Header("etag"), "W/\"2\"");
  EXPECT_EQ(updated.Text("meta.versionId"), "2");
}

TEST_F(CrudTest, AnUpdateWithTheSameContentMakesNoVersion) {
  const std::string id = Client().Create(R"({"resourceType":"Patient","active":true})");
  const Answer first = Client().Get("Patient/" + id);
  // As a client sends it back: with meta, and with other spaces.
  for (const std::string& body : {first.http.body, PatientAt(id, "\n \"active\" : true")}) {
    const Answer again = Client().Put("Patient/" + id, body);
    EXPECT_EQ(again.Status(), 200);
    EXPECT_EQ(again.Header("etag"), "W/\"1\"");
    EXPECT_EQ(again.http.body, first.http.body);
  }
  EXPECT_EQ(Client().Get("Patient/" + id + "/_history").Total(), 1);
}

TEST_F(CrudTest, AnUpdateIsRefusedUnlessUrlAndBodyAgree) {
  EXPECT_EQ(Client().Put("Patient/a", PatientAt("b")).Status(), 400);
  EXPECT_EQ(Client().Put("Patient/a", kPatient).Status(), 400);
  EXPECT_EQ(Client().Put("Patient/a", R"({"resourceType":"Device","id":"a"})").Status(), 400);
  EXPECT_EQ(Client().Post("Patient", R"({"resourceType":"Device"})").Status(), 400);
  EXPECT_EQ(Client().Get("Patient/a").Status(), 404);
}

TEST_F(CrudTest, IfMatchNamesTheVersionThatIsUpdated) {
  const std::string id = Client().Create(kPatient);
  const std::string target = "Patient/" + id;
  const auto put = [&](const char* if_match, const char* members) {
    return Client().Put(target, PatientAt(id, members), {{"If-Match", if_match}}).Status();
  };
  EXPECT_EQ(put("W/\"1\"", R"("active":true)"), 200);
  EXPECT_EQ(put("W/\"1\"", R"("active":false)"), 412);
  EXPECT_EQ(put("W/\"3\"", R"("active":false)"), 412);
  EXPECT_EQ(put("\"2\"", R"("active":false)"), 200);
  EXPECT_EQ(put("nonsense", R"("active":true)"), 400);
  EXPECT_EQ(Client().Put("Patient/unborn", PatientAt("unborn"), {{"If-Match", "W/\"1\""}}).Status(),
            412);
  EXPECT_EQ(Client().Delete(target, {{"If-Match", "W/\"1\""}}).Status(), 412);
  EXPECT_EQ(Client().Delete(target, {{"If-Match", "W/\"3\""}}).Status(), 204);
}

TEST_F(CrudTest, IfNoneMatchAnyCreatesOnlyWhatIsAbsent) {
  const auto put = [&] {
    return Client().Put("Patient/once", PatientAt("once"), {{"If-None-Match", "*"}}).Status();
  };
  EXPECT_EQ(put(), 201);
  EXPECT_EQ(put(), 412);
  EXPECT_EQ(Client().Delete("Patient/once").Status(), 204);
  EXPECT_EQ(put(), 201);
}

TEST_F(CrudTest, AConditionalReadSendsNothingThatTheClientHas) {
  const std::string target = "Patient/" + Client().Create(kPatient);
  const auto read = [&](const char* name, const std::string& value) {
    return Client().Get(target, {{name, value}});
  };
  const Answer same = read("If-None-Match", "W/\"1\"");
  EXPECT_EQ(same.Status(), 304);
  EXPECT_EQ(same.http.body, "");
  EXPECT_EQ(same.Header("etag"), "W/\"1\"");
  EXPECT_EQ(read("If-None-Match", "W/\"2\", W/\"1\"").Status(), 304);
  EXPECT_EQ(read("If-None-Match", "W/\"2\"").Status(), 200);
  const std::string modified = Client().Get(target).Header("last-modified");
  EXPECT_EQ(read("If-Modified-Since", modified).Status(), 304);
  EXPECT_EQ(read("If-Modified-Since", "Mon, 01 Jan 2001 00:00:00 GMT").Status(), 200);
}

TEST_F(CrudTest, DeletingTwiceIsNoErrorAndReadingIs410) {
  const std::string target = "Patient/" + Client().Create(kPatient);
  const Answer deleted = Client().Delete(target);
  EXPECT_EQ(deleted.Status(), 204);
  EXPECT_EQ(deleted.Header("etag"), "W/\"2\"");
  EXPECT_EQ(Client().Delete(target).Status(), 204);
  EXPECT_EQ(Client().Delete("Patient/never").Status(), 204);
  const Answer read = Client().Get(target);
  EXPECT_EQ(read.Status(), 410);
  EXPECT_EQ(read.Text("issue.0.code"), "deleted");
  EXPECT_EQ(Client().Get(target + "/_history/1").Status(), 200);
  EXPECT_EQ(Client().Get(target + "/_history/2").Status(), 410);
  EXPECT_EQ(Client().Get("Patient/never").Status(), 404);
}

TEST_F(CrudTest, ADeletedResourceMayComeBack) {
  Client().Put("Patient/back", PatientAt("back", R"("name":[{"family":"back"}])"));
  Client().Delete("Patient/back");
  EXPECT_EQ(Client().Count("Patient?family=back"), 0);
  const Answer back =
      Client().Put("Patient/back", PatientAt("back", R"("name":[{"family":"back"}])"));
  EXPECT_EQ(back.Status(), 201);
  EXPECT_EQ(back.Header("etag"), "W/\"3\"");
  EXPECT_EQ(Client().Count("Patient?family=back"), 1);
}

TEST_F(CrudTest, EachVersionStaysReadable) {
  Client().Put("Patient/versions", PatientAt("versions", R"("language":"a")"));
  Client().Put("Patient/versions", PatientAt("versions", R"("language":"b")"));
  EXPECT_EQ(Client().Get("Patient/versions/_history/1").Text("language"), "a");
  EXPECT_EQ(Client().Get("Patient/versions/_history/2").Text("language"), "b");
  EXPECT_EQ(Client().Get("Patient/versions/_history/2").Header("etag"), "W/\"2\"");
  for (const char* version : {"0", "3", "01x", "99999999999999999999", "-1"}) {
    EXPECT_EQ(Client().Get("Patient/versions/_history/" + std::string(version)).Status(), 404)
        << version;
  }
}

TEST_F(CrudTest, TheHistorySaysWhatWasDone) {
  Client().Put("Patient/history", PatientAt("history"));
  Client().Put("Patient/history", PatientAt("history", R"("active":true)"));
  Client().Delete("Patient/history");
  Client().Put("Patient/history", PatientAt("history"));
  const Answer history = Client().Get("Patient/history/_history");
  ASSERT_EQ(history.Status(), 200);
  EXPECT_EQ(history.Text("type"), "history");
  EXPECT_EQ(history.Total(), 4);
  const std::vector<std::array<std::string, 3>> expected = {{"PUT", "201 Created", "W/\"4\""},
                                                            {"DELETE", "204 No Content", "W/\"3\""},
                                                            {"PUT", "200 OK", "W/\"2\""},
                                                            {"PUT", "201 Created", "W/\"1\""}};
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const std::string entry = "entry." + std::to_string(i);
    EXPECT_EQ(history.Text(entry + ".request.method"), expected[i][0]) << i;
    EXPECT_EQ(history.Text(entry + ".request.url"), "Patient/history") << i;
    EXPECT_EQ(history.Text(entry + ".response.status"), expected[i][1]) << i;
    EXPECT_EQ(history.Text(entry + ".response.etag"), expected[i][2]) << i;
    EXPECT_EQ(history.At(entry + ".resource").IsNone(), i == 1) << i;
    EXPECT_EQ(history.Text(entry + ".fullUrl"), Client().Base() + "/Patient/history") << i;
  }
  EXPECT_EQ(Client().Get("Patient/never/_history").Status(), 404);
  const std::string posted = Client().Create(kPatient);
  const Answer of_posted = Client().Get("Patient/" + posted + "/_history");
  EXPECT_EQ(of_posted.Text("entry.0.request.method"), "POST");
  EXPECT_EQ(of_posted.Text("entry.0.request.url"), "Patient");
}

TEST_F(CrudTest, TheHistoryStartsWhereSinceSays) {
  Client().Put("Patient/since", PatientAt("since"));
  Client().Put("Patient/since", PatientAt("since", R"("active":true)"));
  const std::string second = Client().Get("Patient/since").Text("meta.lastUpdated");
  const std::string target = "Patient/since/_history?_since=";
  EXPECT_EQ(Client().Get(target + "2001-01-01").Total(), 2);
  EXPECT_GE(Client().Get(target + second).Total(), 1);
  EXPECT_EQ(Client().Get(target + "2999-01-01T00:00:00Z").Total(), 0);
  EXPECT_EQ(Client().Get(target + "nonsense").Status(), 400);
}

TEST_F(CrudTest, HeadIsGetWithoutABody) {
  const std::string target = "Patient/" + Client().Create(kPatient);
  const Answer head = Client().Send("HEAD", target, {}, {});
  const Answer get = Client().Get(target);
  EXPECT_EQ(head.Status(), 200);
  EXPECT_EQ(head.http.body, "");
  EXPECT_EQ(head.Header("etag"), get.Header("etag"));
  EXPECT_EQ(head.Header("content-length"), std::to_string(get.http.body.size()));
  EXPECT_EQ(Client().Send("HEAD", "Patient?_count=1", {}, {}).Status(), 200);
}

TEST_F(CrudTest, AConditionalCreateReturnsTheOneThatIsThere) {
  const std::string json =
      R"({"resourceType":"Patient","identifier":[{"system":"c","value":"1"}]})";
  const Answer first = Client().Post("Patient", json, {{"If-None-Exist", "identifier=c|1"}});
  EXPECT_EQ(first.Status(), 201);
  for (const char* criteria : {"identifier=c|1", "?identifier=c%7C1"}) {
    const Answer again = Client().Post("Patient", json, {{"If-None-Exist", criteria}});
    EXPECT_EQ(again.Status(), 200);
    EXPECT_EQ(again.Header("location"), first.Header("location"));
    EXPECT_EQ(again.http.body, first.http.body);
  }
  Client().Create(json);
  const Answer several = Client().Post("Patient", json, {{"If-None-Exist", "identifier=c|1"}});
  EXPECT_EQ(several.Status(), 412);
  EXPECT_EQ(several.Text("issue.0.code"), "multiple-matches");
}

TEST_F(CrudTest, CriteriaThatCannotBeMeantAreRefused) {
  for (const char* criteria : {"nonsense=1", "_count=1", "identifier=", "family:nonsense=a",
                               "birthdate=nonsense", "%zz"}) {
    const Answer answer = Client().Post(
        "Patient", kPatient, {{"If-None-Exist", criteria}, {"Prefer", "handling=lenient"}});
    EXPECT_EQ(answer.Status(), 400) << criteria;
  }
}

TEST_F(CrudTest, NumbersKeepTheirDigits) {
  for (const char* value : {"1.00", "0.700", "120", "1.2E+2", "123456789012345678", "-0.0", "1e-7",
                            "0.000000000000000001", "3.141592653589793238"}) {
    const std::string quantity = R"("valueQuantity":{"value":)" + std::string(value) + "}";
    const std::string id = Client().Create(
        R"({"resourceType":"Observation","status":"final","code":{"text":"n"},)" + quantity + "}");
    EXPECT_NE(Client().Get("Observation/" + id).http.body.find(quantity), std::string::npos)
        << value;
    EXPECT_NE(Client().Get("Observation?_id=" + id).http.body.find(quantity), std::string::npos)
        << value;
  }
}

TEST_F(CrudTest, StringsKeepTheirCharacters) {
  const std::string text = R"(a\"b\\c\/d\u00e9 é \ud83d\ude00 \t\n end)";
  const std::string id =
      Client().Create(R"({"resourceType":"Basic","code":{"text":")" + text + "\"}}");
  EXPECT_EQ(Client().Get("Basic/" + id).Text("code.text"),
            "a\"b\\c/d\xC3\xA9 \xC3\xA9 \xF0\x9F\x98\x80 \t\n end");
}

// Behind a proxy: what clients see is the outer name, whatever they say in Host.
class BaseUrlTest : public ServerTest {
 protected:
  static void SetUpTestSuite() {
    StartServer({{"BASE_URL", "https://outer.example/a"}, {"CONTEXT_PATH", "/fhir"}});
  }
};

TEST_F(BaseUrlTest, EveryLinkIsUnderTheConfiguredBase) {
  const std::string base = "https://outer.example/a/fhir";
  const Answer created = Client().Post("Patient", kPatient);
  ASSERT_EQ(created.Status(), 201);
  const std::string id = created.LocatedId();
  EXPECT_EQ(created.Header("location"), base + "/Patient/" + id + "/_history/1");
  Client().Create(kPatient);
  const Answer search = Client().Get("Patient?_count=1");
  EXPECT_EQ(search.Text("entry.0.fullUrl"), base + "/Patient/" + id);
  EXPECT_EQ(search.Link("self"), base + "/Patient?_count=1");
  EXPECT_TRUE(search.Link("next").starts_with(base + "/Patient?_count=1&"));
  const Answer batch =
      Client().Post("", BundleOf("batch", {Entry("GET", base + "/Patient/" + id),
                                           Entry("POST", base + "/Patient", kPatient)}));
  EXPECT_EQ(batch.Text("entry.0.resource.id"), id);
  EXPECT_TRUE(batch.Text("entry.1.response.location").starts_with(base + "/Patient/"));
  const std::string basic =
      Client().Create(R"({"resourceType":"Basic","code":{"text":"x"},"subject":{"reference":")" +
                      base + "/Patient/" + id + "\"}}");
  EXPECT_EQ(Client().Get("Basic/" + basic).Text("subject.reference"), "Patient/" + id);
  EXPECT_EQ(Client().Get("Basic?subject=" + base + "/Patient/" + id).Ids(), std::vector{basic});
}

}  // namespace
}  // namespace e2e
