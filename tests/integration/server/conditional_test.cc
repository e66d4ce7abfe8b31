// Conditional create, update and delete.
#include "tests/integration/server/in_process_server.h"

namespace server {
namespace {

class ConditionalTest : public InProcessServer {};

const std::string kPatient =
    R"({"resourceType":"Patient","identifier":[{"system":"s","value":"v"}]})";
constexpr std::string_view kSearch = "Patient?identifier=s%7Cv";

TEST_F(ConditionalTest, TheSecondConditionalCreateFindsTheFirst) {
  const RequestHeaders headers = With(&RequestHeaders::if_none_exist, "identifier=s|v");
  const Answer first = Post("Patient", kPatient, headers);
  EXPECT_EQ(first.Status(), 201) << first.body;
  const Answer second = Post("Patient", kPatient, headers);
  EXPECT_EQ(second.Status(), 200);
  EXPECT_EQ(second.Text("id"), first.Text("id"));
  EXPECT_EQ(second.reply.location, first.reply.location);
  EXPECT_EQ(second.reply.etag, "W/\"1\"");
  EXPECT_EQ(Get(kSearch).Text("total"), "1");
}

TEST_F(ConditionalTest, ACreateThatWasOvertakenFindsTheOther) {
  const RequestHeaders headers = With(&RequestHeaders::if_none_exist, "?identifier=s%7Cv");
  before_commit_ = [&] { EXPECT_EQ(Post("Patient", kPatient).Status(), 201); };
  EXPECT_EQ(Post("Patient", kPatient, headers).Status(), 200);
  EXPECT_EQ(Get(kSearch).Text("total"), "1");
}

TEST_F(ConditionalTest, SeveralMatchesFailThePrecondition) {
  Post("Patient", kPatient);
  Post("Patient", kPatient);
  EXPECT_EQ(
      Post("Patient", kPatient, With(&RequestHeaders::if_none_exist, "identifier=s|v")).Status(),
      412);
  EXPECT_EQ(Put(kSearch, kPatient).Status(), 412);
  EXPECT_EQ(Delete(kSearch).Status(), 412);
}

TEST_F(ConditionalTest, BadCriteriaAreRefused) {
  for (const char* criteria : {"foo=bar", "_count=1", "identifier=", "=", "%4"}) {
    EXPECT_EQ(Post("Patient", kPatient, With(&RequestHeaders::if_none_exist, criteria)).Status(),
              400)
        << criteria;
  }
  EXPECT_EQ(Put("Patient", kPatient).Status(), 400);
  EXPECT_EQ(Delete("Patient").Status(), 400);
}

TEST_F(ConditionalTest, AConditionalUpdateCreatesAndThenUpdates) {
  const Answer created = Put(kSearch, kPatient);
  EXPECT_EQ(created.Status(), 201) << created.body;
  const Answer same = Put(kSearch, kPatient);
  EXPECT_EQ(same.Status(), 200);
  EXPECT_EQ(same.Text("id"), created.Text("id"));
  const Answer updated =
      Put(kSearch,
          R"({"resourceType":"Patient","identifier":[{"system":"s","value":"v"}],"active":true})");
  EXPECT_EQ(updated.Status(), 200);
  EXPECT_EQ(updated.reply.etag, "W/\"2\"");
  const Answer other = Put(kSearch, R"({"resourceType":"Patient","id":"other"})");
  EXPECT_EQ(other.Status(), 400);
  EXPECT_EQ(other.Text("issue", "0", "expression", "0"), "Patient.id");
}

TEST_F(ConditionalTest, AConditionalUpdateMayBringItsId) {
  const std::string named =
      R"({"resourceType":"Patient","id":"x","identifier":[{"system":"s","value":"v"}]})";
  EXPECT_EQ(Put(kSearch, named).Status(), 201);
  EXPECT_EQ(Get("Patient/x").Status(), 200);
  // Patient/x is there and does not match: it is not overwritten.
  EXPECT_EQ(Put("Patient?identifier=s%7Cw", named).Status(), 412);
}

TEST_F(ConditionalTest, AConditionalDeleteDeletesTheOneMatch) {
  EXPECT_EQ(Delete(kSearch).Status(), 204);
  const Answer created = Post("Patient", kPatient);
  EXPECT_EQ(Delete(kSearch).Status(), 204);
  EXPECT_EQ(Get("Patient/" + created.Text("id")).Status(), 410);
}

}  // namespace
}  // namespace server
