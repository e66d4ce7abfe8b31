// Own search parameters: what is refused, what is in force after a commit, and that no resource
// escapes an index that is being built.
#include <chrono>
#include <set>
#include <string>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/integration/server/in_process_server.h"

namespace server {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr std::string_view kColor = "Patient.extension('http://x/color').value.ofType(code)";

std::string Parameter(std::string_view code, std::string_view type, std::string_view expression,
                      std::string_view base = "Patient", std::string_view status = "active") {
  return R"({"resourceType":"SearchParameter","id":")" + std::string(code) +
         R"(","url":"http://x/)" + std::string(code) +
         R"(","name":"N","description":"d","code":")" + std::string(code) + R"(","type":")" +
         std::string(type) + R"(","base":[")" + std::string(base) + R"("],"status":")" +
         std::string(status) + R"(","expression":")" + std::string(expression) + "\"}";
}

std::string Patient(std::string_view id, std::string_view color) {
  return R"({"resourceType":"Patient","id":")" + std::string(id) +
         R"(","extension":[{"url":"http://x/color","valueCode":")" + std::string(color) +
         R"("},{"url":"http://x/other","valueCode":"other"}]})";
}

class OwnParametersTest : public InProcessServer {
 protected:
  int PutParameter(std::string_view code, std::string_view type, std::string_view expression,
                   std::string_view base = "Patient") {
    return Put("SearchParameter/" + std::string(code), Parameter(code, type, expression, base))
        .Status();
  }
  void PutPatient(const std::string& id, std::string_view color) {
    const int status = Put("Patient/" + id, Patient(id, color)).Status();
    ASSERT_TRUE(status == 200 || status == 201);
  }
  // Waits for the build; fails after some seconds.
  std::set<std::string> FindWhenBuilt(const std::string& search) {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    for (;;) {
      const Answer answer = Get(search);
      if (answer.Status() != 503 || std::chrono::steady_clock::now() > deadline) {
        EXPECT_EQ(answer.Status(), 200) << answer.body;
        const std::vector<std::string> entries = answer.Entries();
        return {entries.begin(), entries.end()};
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }
};

TEST_F(OwnParametersTest, OneOverIndexedPathsWorksAtOnce) {
  Put("Patient/a", R"({"resourceType":"Patient","id":"a","name":[{"family":"Lee"}]})");
  ASSERT_EQ(PutParameter("surname", "string", "Patient.name.family"), 201);
  EXPECT_THAT(Get("Patient?surname=lee").Entries(), ElementsAre("Patient/a"));
  EXPECT_THAT(Get("metadata").body, HasSubstr("http://x/surname"));
}

TEST_F(OwnParametersTest, UntilItIsBuiltSearchesSayHowFarItIs) {
  PutPatient("a", "red");
  Put("Observation/o",
      R"({"resourceType":"Observation","id":"o","status":"final","code":{"text":"x"},)"
      R"("subject":{"reference":"Patient/a"}})");
  ASSERT_EQ(PutParameter("color", "token", kColor), 201);
  for (const std::string search :
       {"Patient?color=red", "Patient?_sort=color", "Observation?subject:Patient.color=red"}) {
    const Answer answer = Get(search);
    EXPECT_EQ(answer.Status(), 503) << search;
    EXPECT_THAT(answer.body, HasSubstr("0 %"));
    EXPECT_THAT(answer.reply.headers, testing::Contains(testing::Pair("Retry-After", "5")));
  }
  RequestHeaders if_none_exist;
  if_none_exist.if_none_exist = "color=red";
  EXPECT_EQ(Post("Patient", R"({"resourceType":"Patient"})", if_none_exist).Status(), 503);
  EXPECT_THAT(Get("metadata").body, testing::Not(HasSubstr("http://x/color")));
  EXPECT_THAT(Get("SearchParameter/$index-status").body, HasSubstr("building"));

  StartBuilding(1000);
  EXPECT_THAT(FindWhenBuilt("Patient?color=red"), ElementsAre("Patient/a"));
  EXPECT_THAT(Get("Observation?subject:Patient.color=red").Entries(), ElementsAre("Observation/o"));
  EXPECT_THAT(Get("metadata").body, HasSubstr("http://x/color"));
  EXPECT_THAT(Get("SearchParameter/$index-status").body, HasSubstr("complete"));
}

TEST_F(OwnParametersTest, AReferenceParameterIncludesWhenItIsBuilt) {
  Put("Patient/a", R"({"resourceType":"Patient","id":"a"})");
  Put("Patient/b", R"({"resourceType":"Patient","id":"b","extension":[{"url":"http://x/mother",)"
                   R"("valueReference":{"reference":"Patient/a"}}]})");
  ASSERT_EQ(PutParameter("mother", "reference",
                         "Patient.extension.where(url='http://x/mother').value as Reference"),
            201);
  EXPECT_EQ(Get("Patient?_id=b&_include=Patient:mother").Status(), 503);
  StartBuilding(1000);
  FindWhenBuilt("Patient?mother=Patient/a");
  EXPECT_THAT(Get("Patient?_id=b&_include=Patient:mother").Entries(),
              ElementsAre("Patient/b", "Patient/a"));
  EXPECT_THAT(Get("Patient?_id=a&_revinclude=Patient:mother").Entries(),
              ElementsAre("Patient/a", "Patient/b"));
}

TEST_F(OwnParametersTest, WhatCannotBeIndexedIsRefusedAndNotStored) {
  const struct {
    std::string code, type, expression, base, element;
  } bad[] = {
      {"x", "token", "Patient.nothing", "Patient", "SearchParameter.expression"},
      {"x", "token", "Patient.name.nothing()", "Patient", "SearchParameter.expression"},
      {"x", "token", "Observation.code", "Patient", "SearchParameter.expression"},
      {"x", "date", "Patient.name.family", "Patient", "SearchParameter.expression"},
      {"x", "string", "Patient.generalPractitioner.resolve().name", "Patient",
       "SearchParameter.expression"},
      {"x", "date", "Patient.meta.lastUpdated", "Patient", "SearchParameter.expression"},
      {"x", "composite", "Patient.name", "Patient", "SearchParameter.type"},
      {"x", "token", "Patient.gender", "Human", "SearchParameter.base[0]"},
      {"name", "string", "Patient.name.family", "Patient", "SearchParameter.code"},
      {"_sort", "string", "Patient.name.family", "Patient", "SearchParameter.code"},
  };
  for (const auto& [code, type, expression, base, element] : bad) {
    const Answer answer = Put("SearchParameter/x",
                              R"({"resourceType":"SearchParameter","id":"x","name":"N",)"
                              R"("url":"http://x/x","description":"d","status":"active","code":")" +
                                  code + R"(","type":")" + type + R"(","base":[")" + base +
                                  R"("],"expression":")" + expression + "\"}");
    if (element == "SearchParameter.base[0]" && answer.Status() == 400) continue;
    EXPECT_EQ(answer.Status(), 422) << expression << answer.body;
    EXPECT_EQ(answer.Text("issue", "0", "expression", "0"), element) << answer.body;
    EXPECT_EQ(Get("SearchParameter/x").Status(), 404);
  }
  // A draft may say anything.
  EXPECT_EQ(Put("SearchParameter/d", Parameter("d", "token", "Patient.nothing", "Patient", "draft"))
                .Status(),
            201);
  EXPECT_EQ(Get("Patient?d=x").Status(), 400);
}

TEST_F(OwnParametersTest, ATransactionNamesTheEntry) {
  const Answer answer =
      Post("", R"({"resourceType":"Bundle","type":"transaction","entry":[{"resource":)" +
                   Patient("a", "red") +
                   R"(,"request":{"method":"PUT","url":"Patient/a"}},{"resource":)" +
                   Parameter("bad", "token", "Patient.nothing") +
                   R"(,"request":{"method":"PUT","url":"SearchParameter/bad"}}]})");
  EXPECT_EQ(answer.Status(), 422);
  EXPECT_EQ(answer.Text("issue", "0", "expression", "0"), "Bundle.entry[1].resource.expression");
  EXPECT_EQ(Get("Patient/a").Status(), 404);
}

TEST_F(OwnParametersTest, DeletingAndRetiringEndIt) {
  StartBuilding(10'000);
  PutPatient("a", "red");
  ASSERT_EQ(PutParameter("color", "token", kColor), 201);
  FindWhenBuilt("Patient?color=red");
  ASSERT_EQ(Delete("SearchParameter/color").Status(), 204);
  EXPECT_EQ(Get("Patient?color=red").Status(), 400);
  PutPatient("b", "red");
  // What was written meanwhile is in the index when it comes back.
  ASSERT_EQ(PutParameter("color", "token", kColor), 201);
  EXPECT_THAT(FindWhenBuilt("Patient?color=red"), ElementsAre("Patient/a", "Patient/b"));
  ASSERT_EQ(Put("SearchParameter/color", Parameter("color", "token", kColor, "Patient", "retired"))
                .Status(),
            200);
  EXPECT_EQ(Get("Patient?color=red").Status(), 400);
}

TEST_F(OwnParametersTest, AnExpressionThatIsNoPathIsEvaluated) {
  StartBuilding(10'000);
  Put("Patient/a",
      R"({"resourceType":"Patient","id":"a","name":[{"given":["Ann","Bea"],"family":"Lee"}]})");
  ASSERT_EQ(PutParameter("second", "string", "Patient.name.given[1]"), 201);
  ASSERT_EQ(PutParameter("names", "number", "Patient.name.given.count()"), 201);
  ASSERT_EQ(PutParameter("named", "token", "Patient.name.exists()"), 201);
  Put("Patient/b", R"({"resourceType":"Patient","id":"b","name":[{"given":["Bea"]}]})");
  EXPECT_THAT(FindWhenBuilt("Patient?second=bea"), ElementsAre("Patient/a"));
  EXPECT_THAT(FindWhenBuilt("Patient?names=1"), ElementsAre("Patient/b"));
  EXPECT_THAT(FindWhenBuilt("Patient?named=true"), ElementsAre("Patient/a", "Patient/b"));
}

TEST_F(OwnParametersTest, AWritePreparedBeforeItIsInForceIsPreparedAgain) {
  StartBuilding(10'000);
  before_commit_ = [this] { ASSERT_EQ(PutParameter("color", "token", kColor), 201); };
  PutPatient("a", "red");
  EXPECT_THAT(FindWhenBuilt("Patient?color=red"), ElementsAre("Patient/a"));
}

TEST_F(OwnParametersTest, WritesAndDeletesDuringTheBuildComeOutRight) {
  constexpr int kPatients = 400;
  std::set<std::string> red;
  const auto write = [&](int i, bool is_red) {
    const std::string id = "p" + std::to_string(i);
    PutPatient(id, is_red ? "red" : "blue");
    is_red ? (void)red.insert("Patient/" + id) : (void)red.erase("Patient/" + id);
  };
  for (int i = 0; i < kPatients; ++i) write(i, i % 2 == 0);
  StartBuilding(2'000);
  ASSERT_EQ(PutParameter("color", "token", kColor), 201);
  int during = 0;
  for (int i = 0; i < kPatients; i += 7) {
    during += Get("Patient?color=red&_summary=count").Status() == 503 ? 1 : 0;
    write(i, i % 3 == 0);
    if (i % 5 != 0) continue;
    ASSERT_EQ(Delete("Patient/p" + std::to_string(i)).Status(), 204);
    red.erase("Patient/p" + std::to_string(i));
  }
  EXPECT_GT(during, 0);
  EXPECT_EQ(FindWhenBuilt("Patient?color=red&_count=1000"), red);
}

}  // namespace
}  // namespace server
