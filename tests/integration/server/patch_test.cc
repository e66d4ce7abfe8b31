// PATCH with a JSON Patch.
#include "tests/integration/server/in_process_server.h"

namespace server {
namespace {

class PatchTest : public InProcessServer {
 protected:
  void SetUp() override {
    Put("Patient/x", R"({"resourceType":"Patient","id":"x","gender":"male",)"
                     R"("name":[{"family":"A"},{"family":"B"}]})");
  }

  Answer Patch(std::string_view path, std::string operations, RequestHeaders headers = {}) {
    headers.content_type = "application/json-patch+json";
    return Do(Verb::kPatch, path, "[" + std::move(operations) + "]", std::move(headers));
  }
};

constexpr const char* kFemale = R"({"op":"replace","path":"/gender","value":"female"})";
// [{"op":"replace","path":"/gender","value":"female"}]
constexpr const char* kFemaleInBase64 =
    "W3sib3AiOiJyZXBsYWNlIiwicGF0aCI6Ii9nZW5kZXIiLCJ2YWx1ZSI6ImZlbWFsZSJ9XQ==";

std::string Entry(std::string_view url,
                  std::string_view content_type = "application/json-patch+json") {
  return R"({"resource":{"resourceType":"Binary","contentType":")" + std::string(content_type) +
         R"(","data":")" + kFemaleInBase64 + R"("},"request":{"method":"PATCH","url":")" +
         std::string(url) + R"("}})";
}

std::string Bundle(std::string_view type, const std::string& entries) {
  return R"({"resourceType":"Bundle","type":")" + std::string(type) + R"(","entry":[)" + entries +
         "]}";
}

TEST_F(PatchTest, MakesTheNextVersion) {
  const Answer patched = Patch("Patient/x", R"({"op":"test","path":"/meta/versionId","value":"1"},)"
                                            R"({"op":"remove","path":"/name/0"},)" +
                                                std::string(kFemale));
  ASSERT_EQ(patched.Status(), 200) << patched.body;
  EXPECT_EQ(patched.reply.etag, "W/\"2\"");
  EXPECT_EQ(patched.Text("gender"), "female");
  EXPECT_EQ(patched.Text("name", "0", "family"), "B");
  EXPECT_EQ(Get("Patient/x").body, patched.body);
  EXPECT_EQ(Get("Patient?gender=female").Text("total"), "1");
  // The same again changes nothing.
  EXPECT_EQ(Patch("Patient/x", kFemale).reply.etag, "W/\"2\"");
  EXPECT_TRUE(Patch("Patient/x", R"({"op":"remove","path":"/gender"})",
                    With(&RequestHeaders::prefer, "return=minimal"))
                  .body.empty());
}

TEST_F(PatchTest, WhatCannotBeDoneChangesNothing) {
  const struct {
    const char* operations;
    int status;
  } cases[] = {
      {R"({"op":"test","path":"/gender","value":"other"})", 422},
      {R"({"op":"replace","path":"/birthDate","value":"2020"})", 422},
      {R"({"op":"spam","path":"/gender"})", 400},
      {R"({"op":"add","path":"/gender","value":1})", 400},
      {R"({"op":"add","path":"/foo","value":"x"})", 400},
      {R"({"op":"replace","path":"/id","value":"y"})", 400},
      {R"({"op":"replace","path":"/resourceType","value":"Person"})", 400},
      {R"({"op":"replace","path":"","value":1})", 400},
      {R"({"op":"add","path":"/managingOrganization","value":{"reference":"Organization/none"}})",
       409},
      {"{", 400},
  };
  for (const auto& bad : cases) {
    EXPECT_EQ(Patch("Patient/x", bad.operations).Status(), bad.status) << bad.operations;
  }
  EXPECT_EQ(Patch("Patient/x", R"({"op":"add","path":"/foo","value":"x"})")
                .Text("issue", "0", "expression", "0"),
            "Patient.foo");
  EXPECT_EQ(Get("Patient/x").reply.etag, "W/\"1\"");
  EXPECT_EQ(Patch("Patient/none", kFemale).Status(), 404);
  Delete("Patient/x");
  EXPECT_EQ(Patch("Patient/x", kFemale).Status(), 410);
}

TEST_F(PatchTest, IfMatchNamesTheVersion) {
  const auto patch = [&](const char* etag) {
    return Patch("Patient/x", kFemale, With(&RequestHeaders::if_match, etag)).Status();
  };
  EXPECT_EQ(patch("W/\"2\""), 412);
  EXPECT_EQ(patch("two"), 400);
  EXPECT_EQ(patch("W/\"1\""), 200);
  // The precondition goes before what the patch finds.
  EXPECT_EQ(Patch("Patient/x", R"({"op":"test","path":"/gender","value":"male"})",
                  With(&RequestHeaders::if_match, "W/\"1\""))
                .Status(),
            412);
}

TEST_F(PatchTest, IsDoneAgainOnWhatOthersWroteMeanwhile) {
  before_commit_ = [this] {
    Put("Patient/x", R"({"resourceType":"Patient","id":"x","gender":"other","active":true})");
  };
  const Answer patched = Patch("Patient/x", kFemale);
  EXPECT_EQ(patched.Status(), 200);
  EXPECT_EQ(patched.reply.etag, "W/\"3\"");
  EXPECT_EQ(patched.Text("active"), "true");
  before_commit_ = [this] { Delete("Patient/x"); };
  EXPECT_EQ(Patch("Patient/x", R"({"op":"remove","path":"/gender"})").Status(), 410);
}

TEST_F(PatchTest, MayFindItsResourceByCriteria) {
  EXPECT_EQ(Patch("Patient?gender=male", kFemale).reply.etag, "W/\"2\"");
  EXPECT_EQ(Patch("Patient?gender=male", kFemale).Status(), 404);
  Put("Patient/y", R"({"resourceType":"Patient","id":"y","gender":"female"})");
  EXPECT_EQ(Patch("Patient?gender=female", kFemale).Status(), 412);
}

TEST_F(PatchTest, StandsInABatchAsABinary) {
  const Answer batch = Post("", Bundle("batch", Entry("Patient/x") + "," + Entry("Patient/none") +
                                                    "," + Entry("Patient/x", "application/json")));
  EXPECT_EQ(batch.Text("entry", "0", "response", "status"), "200 OK") << batch.body;
  EXPECT_EQ(batch.Text("entry", "0", "response", "lastModified"),
            Get("Patient/x").Text("meta", "lastUpdated"));
  EXPECT_EQ(batch.Text("entry", "1", "response", "status"), "404 Not Found");
  EXPECT_EQ(batch.Text("entry", "2", "response", "status"), "400 Bad Request");
  EXPECT_EQ(Get("Patient/x").Text("gender"), "female");
}

TEST_F(PatchTest, StandsInATransactionAsABinary) {
  const std::string create =
      R"({"resource":{"resourceType":"Practitioner","id":"d"},"request":{"method":"PUT","url":"Practitioner/d"}})";
  const Answer failed = Post("", Bundle("transaction", create + "," + Entry("Patient/none")));
  EXPECT_EQ(failed.Status(), 400);
  EXPECT_EQ(failed.Text("issue", "0", "expression", "0"), "Bundle.entry[1].request.url");
  EXPECT_EQ(Get("Practitioner/d").Status(), 404);
  before_commit_ = [this] {
    Put("Patient/x", R"({"resourceType":"Patient","id":"x","gender":"other","active":true})");
  };
  const Answer done =
      Post("", Bundle("transaction", create + "," + Entry("Patient?gender=male,other")),
           With(&RequestHeaders::prefer, "return=representation"));
  ASSERT_EQ(done.Status(), 200) << done.body;
  EXPECT_EQ(done.Text("entry", "1", "response", "etag"), "W/\"3\"");
  EXPECT_EQ(done.Text("entry", "1", "resource", "gender"), "female");
  EXPECT_EQ(done.Text("entry", "1", "resource", "active"), "true");
  EXPECT_EQ(Get("Practitioner/d").Status(), 200);
}

}  // namespace
}  // namespace server
