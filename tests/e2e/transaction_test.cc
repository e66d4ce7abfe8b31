// Batches and transactions: order, all or nothing, what each entry is answered.
#include "tests/e2e/fhir_client.h"

namespace e2e {
namespace {

constexpr std::string_view kPatient = R"({"resourceType":"Patient"})";

std::string PatientWith(std::string_view id, std::string_view family) {
  std::string json = R"({"resourceType":"Patient")";
  if (!id.empty()) json.append(R"(,"id":")").append(id).append("\"");
  return json.append(R"(,"name":[{"family":")").append(family).append(R"("}]})");
}

class TransactionTest : public ServerTest {};

TEST_F(TransactionTest, EntriesRunInTheOrderOfTheirMethodsAndAreAnsweredInTheirOwn) {
  const std::string old_id = Client().Create(PatientWith("", "order"));
  Client().Put("Patient/order2", PatientWith("order2", "before"));
  const Answer answer = Client().Post(
      "", BundleOf("transaction", {Entry("GET", "Patient?family=order"),
                                   Entry("PUT", "Patient/order2", PatientWith("order2", "ordered")),
                                   Entry("POST", "Patient", PatientWith("", "order new")),
                                   Entry("DELETE", "Patient/" + old_id)}));
  ASSERT_EQ(answer.Status(), 200) << answer.http.body;
  EXPECT_EQ(answer.Text("type"), "transaction-response");
  EXPECT_EQ(answer.Size("entry"), 4u);
  // The search ran last: it sees the new and the changed one, and not the deleted one.
  EXPECT_EQ(answer.Text("entry.0.response.status"), "200 OK");
  EXPECT_EQ(answer.Text("entry.0.resource.total"), "2");
  EXPECT_EQ(answer.Text("entry.1.response.status"), "200 OK");
  EXPECT_EQ(answer.Text("entry.1.response.etag"), "W/\"2\"");
  EXPECT_EQ(answer.Text("entry.2.response.status"), "201 Created");
  EXPECT_EQ(answer.Text("entry.3.response.status"), "204 No Content");
  EXPECT_EQ(Client().Get("Patient/" + old_id).Status(), 410);
  EXPECT_EQ(Client().Get("Patient/" + answer.LocatedId(2)).Status(), 200);
}

TEST_F(TransactionTest, OneBadEntryStoresNothingAndIsNamed) {
  std::vector<std::string> entries;
  for (int i = 0; i < 9; ++i) {
    entries.push_back(Entry("POST", "Patient", PatientWith("", "atomic")));
  }
  entries.push_back(Entry("POST", "Patient", R"({"resourceType":"Patient","name":"atomic"})"));
  const Answer answer = Client().Post("", BundleOf("transaction", entries));
  EXPECT_EQ(answer.Status(), 400);
  EXPECT_EQ(answer.Expressions(), std::vector<std::string>{"Bundle.entry[9].resource.name"});
  EXPECT_EQ(Client().Count("Patient?family=atomic"), 0);
}

TEST_F(TransactionTest, AFailedPreconditionOfOneEntryStoresNothingAndIsNamed) {
  Client().Put("Patient/condition", PatientWith("condition", "x"));
  const Answer answer = Client().Post(
      "", BundleOf("transaction", {Entry("POST", "Patient", PatientWith("", "preconditioned")),
                                   Entry("PUT", "Patient/condition", PatientWith("condition", "y"),
                                         "", R"("ifMatch":"W/\"7\"")")}));
  EXPECT_EQ(answer.Status(), 412);
  ASSERT_EQ(answer.Expressions().size(), 1u);
  EXPECT_TRUE(answer.Expressions().front().starts_with("Bundle.entry[1]"));
  EXPECT_EQ(Client().Count("Patient?family=preconditioned"), 0);
  EXPECT_EQ(Client().Get("Patient/condition").Header("etag"), "W/\"1\"");
}

TEST_F(TransactionTest, TwoEntriesThatWriteOneResourceAreRefused) {
  for (const std::string& second :
       {Entry("PUT", "Patient/twice", PatientWith("twice", "b")), Entry("DELETE", "Patient/twice"),
        Entry("DELETE", "/Patient/twice"), Entry("DELETE", Client().Base() + "/Patient/twice")}) {
    const Answer answer = Client().Post(
        "", BundleOf("transaction",
                     {Entry("PUT", "Patient/twice", PatientWith("twice", "a")), second}));
    EXPECT_EQ(answer.Status(), 400) << second;
    ASSERT_EQ(answer.Expressions().size(), 1u);
    EXPECT_TRUE(answer.Expressions().front().starts_with("Bundle.entry[1]"));
  }
  EXPECT_EQ(Client().Get("Patient/twice").Status(), 404);
}

TEST_F(TransactionTest, BundlesWithinBundlesAreRefusedWholly) {
  const std::string inner =
      BundleOf("transaction", {Entry("POST", "Patient", PatientWith("", "nested"))});
  for (const char* type : {"batch", "transaction"}) {
    for (const char* url : {"/", Client().Base().c_str()}) {
      const Answer answer =
          Client().Post("", BundleOf(type, {Entry("POST", "Patient", PatientWith("", "nested")),
                                            Entry("POST", url, inner)}));
      EXPECT_EQ(answer.Status(), 400) << type << " " << url;
      EXPECT_TRUE(answer.Text("issue.0.expression.0").starts_with("Bundle.entry[1]"));
    }
  }
  EXPECT_EQ(Client().Count("Patient?family=nested"), 0);
}

TEST_F(TransactionTest, ABundleOfAnotherTypeOrNoneIsRefused) {
  for (const char* body : {R"({"resourceType":"Bundle","type":"collection"})",
                           R"({"resourceType":"Bundle"})", R"({"resourceType":"Patient"})"}) {
    EXPECT_EQ(Client().Post("", body).Status(), 400) << body;
  }
}

TEST_F(TransactionTest, AnEmptyBundleIsAnsweredWithAnEmptyOne) {
  for (const char* type : {"batch", "transaction"}) {
    const Answer answer = Client().Post("", BundleOf(type, {}));
    EXPECT_EQ(answer.Status(), 200);
    EXPECT_EQ(answer.Text("type"), std::string(type) + "-response");
    EXPECT_TRUE(answer.At("entry").IsNone());
  }
}

TEST_F(TransactionTest, EntriesWithoutWhatTheyNeedAreNamed) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {R"({"resource":{"resourceType":"Patient"}})", "Bundle.entry[0].request"},
      {R"({"request":{"url":"Patient","method":"BREW"}})", "Bundle.entry[0].request.method"},
      {R"({"request":{"method":"GET"}})", "Bundle.entry[0].request.url"},
      {R"({"request":{"method":"POST","url":"Patient"}})", "Bundle.entry[0].resource"},
      {Entry("GET", "Patient?nonsense=1"), "Bundle.entry[0].request.url"},
      {Entry("GET", "Nonsense/1"), "Bundle.entry[0].request.url"},
      {Entry("GET", "http://elsewhere.example/fhir/Patient/1"), "Bundle.entry[0].request.url"},
      {Entry("POST", "Patient", kPatient, "", R"("ifNoneExist":"nonsense=1")"),
       "Bundle.entry[0].request.ifNoneExist"},
      {Entry("POST", "Patient", kPatient, "", R"("ifNoneExist":"_count=1")"),
       "Bundle.entry[0].request.ifNoneExist"},
      {Entry("PUT", "Patient/a", PatientWith("b", "x")), "Bundle.entry[0].resource.id"},
      {Entry("PUT", "Patient/a", kPatient), "Bundle.entry[0].resource.id"},
  };
  for (const auto& [entry, expression] : cases) {
    const Answer answer = Client().Post("", BundleOf("transaction", {entry}));
    EXPECT_EQ(answer.Status(), 400) << entry;
    EXPECT_EQ(answer.Expressions(), std::vector{expression}) << answer.http.body;
  }
}

TEST_F(TransactionTest, PreferSaysWhatEachEntryReturns) {
  const std::string bundle = BundleOf("transaction", {Entry("POST", "Patient", kPatient)});
  const auto post = [&](const char* prefer) {
    return Client().Post("", bundle, {{"Prefer", prefer}});
  };
  EXPECT_TRUE(post("return=minimal").At("entry.0.resource").IsNone());
  const Answer whole = post("return=representation");
  EXPECT_EQ(whole.Text("entry.0.resource.id"), whole.LocatedId(0));
  EXPECT_EQ(whole.Text("entry.0.resource.meta.lastUpdated"),
            whole.Text("entry.0.response.lastModified"));
  const Answer outcome = post("return=OperationOutcome");
  EXPECT_EQ(outcome.Text("entry.0.response.outcome.resourceType"), "OperationOutcome");
}

TEST_F(TransactionTest, IfNoneExistFindsWhatIsThereAndWhatTheBundleCreates) {
  const std::string device =
      R"({"resourceType":"Device","identifier":[{"system":"t","value":"twin"}]})";
  const std::string bundle = BundleOf(
      "transaction", {Entry("POST", "Device", device, "", R"("ifNoneExist":"identifier=t|twin")"),
                      Entry("POST", "Device", device, "", R"("ifNoneExist":"identifier=t|twin")")});
  const Answer first = Client().Post("", bundle);
  EXPECT_EQ(first.Text("entry.0.response.status"), "201 Created");
  EXPECT_EQ(first.Text("entry.1.response.status"), "200 OK");
  EXPECT_EQ(first.LocatedId(0), first.LocatedId(1));
  const Answer second = Client().Post("", bundle);
  EXPECT_EQ(second.Text("entry.0.response.status"), "200 OK");
  EXPECT_EQ(second.LocatedId(0), first.LocatedId(0));
  EXPECT_EQ(second.Text("entry.0.response.etag"), "W/\"1\"");
  EXPECT_EQ(Client().Count("Device?identifier=t|twin"), 1);
}

TEST_F(TransactionTest, IfNoneExistWithSeveralMatchesFailsTheTransaction) {
  const std::string json = R"({"resourceType":"Device","identifier":[{"value":"several"}]})";
  Client().Create(json);
  Client().Create(json);
  const Answer answer = Client().Post(
      "", BundleOf("transaction",
                   {Entry("POST", "Patient", PatientWith("", "several")),
                    Entry("POST", "Device", json, "", R"("ifNoneExist":"identifier=several")")}));
  EXPECT_EQ(answer.Status(), 412);
  EXPECT_EQ(answer.Text("issue.0.code"), "multiple-matches");
  ASSERT_EQ(answer.Expressions().size(), 1u);
  EXPECT_TRUE(answer.Expressions().front().starts_with("Bundle.entry[1]"));
  EXPECT_EQ(Client().Count("Patient?family=several"), 0);
}

// DELETE comes first, so that what it deletes is no match any more.
TEST_F(TransactionTest, WhatTheTransactionDeletesIsNoMatchOfItsIfNoneExist) {
  const std::string json = R"({"resourceType":"Device","identifier":[{"value":"replaced"}]})";
  const std::string old_id = Client().Create(json);
  const Answer answer = Client().Post(
      "", BundleOf("transaction",
                   {Entry("POST", "Device", json, "", R"("ifNoneExist":"identifier=replaced")"),
                    Entry("DELETE", "Device/" + old_id)}));
  ASSERT_EQ(answer.Status(), 200) << answer.http.body;
  EXPECT_EQ(answer.Text("entry.0.response.status"), "201 Created");
  EXPECT_EQ(Client().Get("Device?identifier=replaced").Ids(), std::vector{answer.LocatedId(0)});
}

TEST_F(TransactionTest, ABatchAnswersEachEntryForItself) {
  const std::string id = Client().Create(PatientWith("", "batch"));
  const Answer answer = Client().Post(
      "",
      BundleOf("batch",
               {Entry("GET", "Patient/" + id), Entry("GET", "Patient/absent"),
                Entry("GET", "Patient?family=batch"), Entry("GET", "Patient?nonsense=1"),
                Entry("POST", "Patient", R"({"resourceType":"Patient","name":1})"),
                Entry("POST", "Patient", kPatient), Entry("PUT", "Patient/" + id, kPatient),
                Entry("PUT", "Patient/" + id, PatientWith(id, "b"), "", R"("ifMatch":"W/\"9\"")"),
                Entry("DELETE", "Patient/absent"), Entry("PATCH", "Patient/x", kPatient),
                Entry("GET", "Nonsense"),
                Entry("GET", "Patient/" + id, "", "", R"("ifNoneMatch":"W/\"1\"")")}));
  ASSERT_EQ(answer.Status(), 200) << answer.http.body;
  EXPECT_EQ(answer.Text("type"), "batch-response");
  const std::vector<std::string> expected = {"200", "404", "200", "400", "400", "201",
                                             "400", "412", "204", "400", "404", "304"};
  ASSERT_EQ(answer.Size("entry"), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const std::string entry = "entry." + std::to_string(i);
    EXPECT_EQ(answer.Text(entry + ".response.status").substr(0, 3), expected[i]) << i;
    const bool has_outcome = !answer.At(entry + ".response.outcome").IsNone();
    EXPECT_EQ(has_outcome, expected[i].starts_with('4')) << i;
  }
  EXPECT_EQ(answer.Text("entry.0.resource.id"), id);
  EXPECT_EQ(answer.Text("entry.0.response.etag"), "W/\"1\"");
  EXPECT_EQ(answer.Text("entry.0.response.lastModified"),
            answer.Text("entry.0.resource.meta.lastUpdated"));
  EXPECT_EQ(answer.Text("entry.2.resource.total"), "1");
  EXPECT_EQ(Client().Get("Patient/" + answer.LocatedId(5)).Status(), 200);
}

TEST_F(TransactionTest, ABatchOfTenThousandReadsEightTimesAtOnceEnds) {
  const std::string id = Client().Create(kPatient);
  const std::vector<std::string> entries(10'000, Entry("GET", "Patient/" + id));
  const std::string bundle = BundleOf("batch", entries);
  InParallel(8, [&](std::size_t) {
    FhirClient client(Port());
    const Answer answer = client.Post("", bundle);
    EXPECT_EQ(answer.Status(), 200);
    EXPECT_EQ(answer.Size("entry"), entries.size());
    EXPECT_EQ(answer.Text("entry.9999.resource.id"), id);
  });
}

}  // namespace
}  // namespace e2e
