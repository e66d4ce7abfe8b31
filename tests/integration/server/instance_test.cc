// Read, vread, create, update, delete and history of one resource.
#include "tests/integration/server/in_process_server.h"

namespace server {
namespace {

class InstanceTest : public InProcessServer {};

std::string Patient(std::string_view id, std::string_view gender) {
  return R"({"resourceType":"Patient","id":")" + std::string(id) + R"(","gender":")" +
         std::string(gender) + R"("})";
}

TEST_F(InstanceTest, ACreatedResourceIsReadBack) {
  const Answer created = Post("Patient", R"({"resourceType":"Patient","id":"mine","active":true})");
  ASSERT_EQ(created.Status(), 201) << created.body;
  const std::string id = created.Text("id");
  EXPECT_EQ(id.size(), 16U);
  EXPECT_NE(id, "mine");
  EXPECT_EQ(created.reply.location, std::string(kBase) + "/Patient/" + id + "/_history/1");
  EXPECT_EQ(created.reply.etag, "W/\"1\"");
  EXPECT_EQ(created.Text("meta", "versionId"), "1");

  const Answer read = Get("Patient/" + id);
  EXPECT_EQ(read.Status(), 200);
  EXPECT_EQ(read.body, created.body);
  EXPECT_EQ(read.reply.etag, "W/\"1\"");
  EXPECT_EQ(read.reply.modified_ms, created.reply.modified_ms);
  EXPECT_EQ(Do(Verb::kHead, "Patient/" + id).Status(), 200);
}

TEST_F(InstanceTest, DigitsOfNumbersStay) {
  const std::string body =
      R"({"resourceType":"Observation","id":"o","valueQuantity":{"value":0.700}})";
  ASSERT_EQ(Put("Observation/o", body).Status(), 201);
  EXPECT_EQ(Get("Observation/o").Text("valueQuantity", "value"), "0.700");
}

TEST_F(InstanceTest, ABadBodyNamesAllItsFaults) {
  EXPECT_EQ(Post("Patient", "{").Status(), 400);
  EXPECT_EQ(Post("Patient", "").Status(), 400);
  EXPECT_EQ(Post("Patient", "[]").Status(), 400);
  const Answer answer =
      Post("Patient", R"({"resourceType":"Patient","foo":1,"birthDate":"2026-02-29"})");
  EXPECT_EQ(answer.Status(), 400);
  EXPECT_FALSE(answer.At("issue", "1").IsNone()) << answer.body;
  const Answer other = Post("Patient", R"({"resourceType":"Observation"})");
  EXPECT_EQ(other.Status(), 400);
  EXPECT_EQ(other.Text("issue", "0", "expression", "0"), "Observation.resourceType");
}

TEST_F(InstanceTest, AnUpdateMakesTheNextVersionAndCreates) {
  const Answer first = Put("Patient/x", Patient("x", "male"));
  EXPECT_EQ(first.Status(), 201);
  EXPECT_EQ(first.reply.location, std::string(kBase) + "/Patient/x/_history/1");
  const Answer second = Put("Patient/x", Patient("x", "female"));
  EXPECT_EQ(second.Status(), 200);
  EXPECT_EQ(second.reply.etag, "W/\"2\"");
  EXPECT_EQ(Get("Patient/x").Text("gender"), "female");
  EXPECT_EQ(Get("Patient/x/_history/1").Text("gender"), "male");
  EXPECT_EQ(Get("Patient/x/_history/2").Text("gender"), "female");
  EXPECT_EQ(Get("Patient/x/_history/3").Status(), 404);
  EXPECT_EQ(Get("Patient/x/_history/one").Status(), 404);
}

TEST_F(InstanceTest, AnUpdateWithTheSameContentMakesNoVersion) {
  Put("Patient/x", Patient("x", "male"));
  const Answer again = Put("Patient/x", Patient("x", "male"));
  EXPECT_EQ(again.Status(), 200);
  EXPECT_EQ(again.reply.etag, "W/\"1\"");
  // What a client read back, versionId and lastUpdated included, is the same content.
  EXPECT_EQ(Put("Patient/x", again.body).reply.etag, "W/\"1\"");
}

TEST_F(InstanceTest, AnUpdateMustNameTheIdOfTheUrl) {
  for (const char* body :
       {R"({"resourceType":"Patient","id":"y"})", R"({"resourceType":"Patient"})"}) {
    const Answer answer = Put("Patient/x", body);
    EXPECT_EQ(answer.Status(), 400);
    EXPECT_EQ(answer.Text("issue", "0", "expression", "0"), "Patient.id");
  }
}

TEST_F(InstanceTest, PreconditionsAreChecked) {
  EXPECT_EQ(
      Put("Patient/x", Patient("x", "male"), With(&RequestHeaders::if_none_match, "*")).Status(),
      201);
  EXPECT_EQ(
      Put("Patient/x", Patient("x", "female"), With(&RequestHeaders::if_none_match, "*")).Status(),
      412);
  EXPECT_EQ(
      Put("Patient/x", Patient("x", "female"), With(&RequestHeaders::if_match, "W/\"2\"")).Status(),
      412);
  EXPECT_EQ(
      Put("Patient/x", Patient("x", "female"), With(&RequestHeaders::if_match, "two")).Status(),
      400);
  EXPECT_EQ(
      Put("Patient/x", Patient("x", "female"), With(&RequestHeaders::if_match, "W/\"1\"")).Status(),
      200);
  EXPECT_EQ(Delete("Patient/x", With(&RequestHeaders::if_match, "W/\"1\"")).Status(), 412);
  EXPECT_EQ(Delete("Patient/x", With(&RequestHeaders::if_match, "W/\"2\"")).Status(), 204);
  EXPECT_EQ(
      Put("Patient/x", Patient("x", "male"), With(&RequestHeaders::if_none_match, "*")).Status(),
      201);
}

TEST_F(InstanceTest, ADeletedResourceIsGoneAndDeletingItAgainIsNoError) {
  EXPECT_EQ(Get("Patient/x").Status(), 404);
  EXPECT_EQ(Delete("Patient/x").Status(), 204);
  Put("Patient/x", Patient("x", "male"));
  EXPECT_EQ(Delete("Patient/x").Status(), 204);
  const Answer gone = Get("Patient/x");
  EXPECT_EQ(gone.Status(), 410);
  EXPECT_EQ(gone.reply.etag, "W/\"2\"");
  EXPECT_EQ(gone.Text("issue", "0", "code"), "deleted");
  EXPECT_EQ(Delete("Patient/x").Status(), 204);
  EXPECT_EQ(Get("Patient/x/_history/2").Status(), 410);
  EXPECT_EQ(Get("Patient/x/_history/1").Status(), 200);
  const Answer again = Put("Patient/x", Patient("x", "male"));
  EXPECT_EQ(again.Status(), 201);
  EXPECT_EQ(again.reply.etag, "W/\"3\"");
}

TEST_F(InstanceTest, AReadIsConditional) {
  const Answer created = Put("Patient/x", Patient("x", "male"));
  const Answer same =
      Do(Verb::kGet, "Patient/x", {}, With(&RequestHeaders::if_none_match, "W/\"1\""));
  EXPECT_EQ(same.Status(), 304);
  EXPECT_TRUE(same.body.empty());
  EXPECT_EQ(same.reply.etag, "W/\"1\"");
  EXPECT_EQ(
      Do(Verb::kGet, "Patient/x", {}, With(&RequestHeaders::if_none_match, "W/\"2\"")).Status(),
      200);
  EXPECT_EQ(
      Do(Verb::kGet, "Patient/x", {},
         With(&RequestHeaders::if_modified_since, fhir::FormatHttpDate(created.reply.modified_ms)))
          .Status(),
      304);
}

TEST_F(InstanceTest, PreferSaysWhatComesBack) {
  const Answer minimal =
      Put("Patient/x", Patient("x", "male"), With(&RequestHeaders::prefer, "return=minimal"));
  EXPECT_EQ(minimal.Status(), 201);
  EXPECT_TRUE(minimal.body.empty());
  const Answer outcome = Put("Patient/x", Patient("x", "female"),
                             With(&RequestHeaders::prefer, "return=OperationOutcome"));
  EXPECT_EQ(outcome.Text("resourceType"), "OperationOutcome");
  EXPECT_EQ(outcome.Text("issue", "0", "severity"), "information");
}

TEST_F(InstanceTest, ElementsCutAReadDown) {
  Put("Patient/x", R"({"resourceType":"Patient","id":"x","active":true,"gender":"male"})");
  const Answer some = Get("Patient/x?_elements=gender");
  EXPECT_EQ(some.Text("gender"), "male");
  EXPECT_TRUE(some.At("active").IsNone());
  EXPECT_EQ(some.Text("meta", "tag", "0", "code"), "SUBSETTED");
  const Answer summary = Get("Patient/x/_history/1?_summary=true");
  EXPECT_EQ(summary.Text("active"), "true");
  EXPECT_EQ(summary.Text("meta", "tag", "0", "code"), "SUBSETTED");
  EXPECT_EQ(Get("Patient/x?_summary=count").Status(), 400);
  EXPECT_EQ(Get("Patient/x?_summary=some").Status(), 400);
  EXPECT_EQ(Get("Patient/x?foo=bar").Status(), 400);
  EXPECT_EQ(Get("Patient/x?_format=json&_pretty=true").Status(), 200);
}

TEST_F(InstanceTest, ABrokenReferenceIsNamed) {
  const Answer answer = Post(
      "Observation", R"({"resourceType":"Observation","subject":{"reference":"Patient/none"}})");
  EXPECT_EQ(answer.Status(), 409) << answer.body;
  EXPECT_EQ(answer.Text("issue", "0", "expression", "0"), "Observation.subject.reference");
}

TEST_F(InstanceTest, AHistoryIsPagedNewestFirst) {
  Put("Patient/x", Patient("x", "male"));
  Put("Patient/x", Patient("x", "female"));
  Delete("Patient/x");
  Put("Patient/x", Patient("x", "other"));

  const Answer all = Get("Patient/x/_history");
  EXPECT_EQ(all.Status(), 200);
  EXPECT_EQ(all.Text("type"), "history");
  EXPECT_EQ(all.Text("total"), "4");
  EXPECT_EQ(all.EntryCount(), 4U);
  EXPECT_EQ(all.Link("next"), "");
  EXPECT_EQ(all.Text("entry", "0", "resource", "gender"), "other");
  EXPECT_TRUE(all.At("entry", "1", "resource").IsNone());
  EXPECT_EQ(all.Text("entry", "1", "request", "method"), "DELETE");
  EXPECT_EQ(all.Text("entry", "2", "response", "etag"), "W/\"2\"");
  EXPECT_EQ(all.Text("entry", "3", "fullUrl"), std::string(kBase) + "/Patient/x");

  Answer page = Get("Patient/x/_history?_count=3");
  EXPECT_EQ(page.EntryCount(), 3U);
  Put("Patient/x", Patient("x", "unknown"));  // Not seen by the pages of before.
  page = Follow(page.Link("next"));
  EXPECT_EQ(page.Text("total"), "4");
  EXPECT_EQ(page.EntryCount(), 1U);
  EXPECT_EQ(page.Text("entry", "0", "resource", "gender"), "male");
  EXPECT_EQ(page.Link("next"), "");
  EXPECT_NE(page.Link("previous"), "");
}

TEST_F(InstanceTest, AHistoryBeginsAtSince) {
  Put("Patient/x", Patient("x", "male"));
  const Answer second = Put("Patient/x", Patient("x", "female"));
  const std::string instant = second.Text("meta", "lastUpdated");
  EXPECT_EQ(Get("Patient/x/_history?_since=" + instant).EntryCount(), 1U);
  EXPECT_EQ(Get("Patient/x/_history?_since=2020").EntryCount(), 2U);
  EXPECT_EQ(Get("Patient/x/_history?_since=2099").EntryCount(), 0U);
  EXPECT_EQ(Get("Patient/x/_history?_since=never").Status(), 400);
  EXPECT_EQ(Get("Patient/x/_history?_count=-1").Status(), 400);
  EXPECT_EQ(Get("Patient/x/_history?foo=1").Status(), 400);
  EXPECT_EQ(Get("Patient/y/_history").Status(), 404);
}

}  // namespace
}  // namespace server
