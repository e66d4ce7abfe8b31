// References: rewriting in transactions, conditional ones, referential integrity.
#include "tests/e2e/fhir_client.h"

namespace e2e {
namespace {

constexpr std::string_view kUuid = "urn:uuid:0b2d1f7e-30a1-4b39-8d0d-0123456789ab";

std::string PatientWith(std::string_view identifier) {
  std::string json = R"({"resourceType":"Patient","identifier":[{"system":"p","value":")";
  return json.append(identifier).append(R"("}]})");
}

std::string PractitionerWith(std::string_view identifier) {
  std::string json = R"({"resourceType":"Practitioner","identifier":[{"system":"p","value":")";
  return json.append(identifier).append(R"("}]})");
}

// About `subject`, by `performer` unless that is empty.
std::string ObservationOf(std::string_view subject, std::string_view performer = {}) {
  std::string json = R"({"resourceType":"Observation","status":"final","code":{"text":"c"})";
  if (!subject.empty()) json.append(R"(,"subject":{"reference":")").append(subject).append("\"}");
  if (!performer.empty()) {
    json.append(R"(,"performer":[{"reference":")").append(performer).append("\"}]");
  }
  return json.append("}");
}

class ReferencesTest : public ServerTest {
 protected:
  // The subject of the observation in entry `entry` of an answered transaction.
  std::string SubjectIn(const Answer& answer, std::size_t entry) {
    return Client().Get("Observation/" + answer.LocatedId(entry)).Text("subject.reference");
  }
};

TEST_F(ReferencesTest, PostingABundleAgainRefersToWhatTheFirstOneMade) {
  const std::string bundle = BundleOf(
      "transaction",
      {Entry("POST", "Organization",
             R"({"resourceType":"Organization","identifier":[{"system":"o","value":"1"}]})", kUuid,
             R"("ifNoneExist":"identifier=o|1")"),
       Entry("POST", "ResearchStudy",
             R"({"resourceType":"ResearchStudy","status":"active","sponsor":{"reference":")" +
                 std::string(kUuid) + "\"}}")});
  const Answer first = Client().Post("", bundle);
  const Answer second = Client().Post("", bundle);
  ASSERT_EQ(second.Status(), 200) << second.http.body;
  EXPECT_EQ(second.LocatedId(0), first.LocatedId(0));
  EXPECT_NE(second.LocatedId(1), first.LocatedId(1));
  EXPECT_EQ(Client().Get("ResearchStudy/" + second.LocatedId(1)).Text("sponsor.reference"),
            "Organization/" + first.LocatedId(0));
  EXPECT_EQ(Client().Count("ResearchStudy?sponsor.identifier=o|1"), 2);
}

TEST_F(ReferencesTest, FullUrlsOfEveryKindAreResolved) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"urn:uuid:0b2d1f7e-30a1-4b39-8d0d-0123456789ab",
       "urn:uuid:0b2d1f7e-30a1-4b39-8d0d-0123456789ab"},
      {"urn:oid:1.2.3.4", "urn:oid:1.2.3.4"},
      {"http://h.example/fhir/Patient/New", "http://h.example/fhir/Patient/New"},
      {"http://h.example/fhir/Patient/New", "Patient/New"}};
  for (const auto& [full_url, reference] : cases) {
    const Answer answer = Client().Post(
        "", BundleOf("transaction", {Entry("POST", "Observation", ObservationOf(reference)),
                                     Entry("POST", "Patient", PatientWith("fullurl"), full_url)}));
    ASSERT_EQ(answer.Status(), 200) << answer.http.body;
    EXPECT_EQ(SubjectIn(answer, 0), "Patient/" + answer.LocatedId(1)) << full_url;
  }
}

TEST_F(ReferencesTest, TwoResourcesMayReferToEachOther) {
  const Answer answer = Client().Post(
      "", BundleOf("transaction",
                   {Entry("POST", "Patient",
                          R"({"resourceType":"Patient","link":[{"type":"seealso","other":)"
                          R"({"reference":"urn:uuid:b"}}]})",
                          "urn:uuid:a"),
                    Entry("POST", "Patient",
                          R"({"resourceType":"Patient","link":[{"type":"seealso","other":)"
                          R"({"reference":"urn:uuid:a"}}]})",
                          "urn:uuid:b")}));
  ASSERT_EQ(answer.Status(), 200) << answer.http.body;
  EXPECT_EQ(Client().Get("Patient/" + answer.LocatedId(0)).Text("link.0.other.reference"),
            "Patient/" + answer.LocatedId(1));
  EXPECT_EQ(Client().Get("Patient/" + answer.LocatedId(1)).Text("link.0.other.reference"),
            "Patient/" + answer.LocatedId(0));
}

TEST_F(ReferencesTest, UrlsNarrativesAndContainedResourcesAreRewritten) {
  const std::string uuid(kUuid);
  const std::string document =
      R"({"resourceType":"DocumentReference","status":"current",)"
      R"("text":{"status":"generated","div":"<div xmlns=\"http://www.w3.org/1999/xhtml\"><a href=\")" +
      uuid + R"(\">b</a><img src=')" + uuid + R"('/></div>"},)" +
      R"("contained":[{"resourceType":"Observation","id":"o","status":"final","code":{"text":"c"},)"
      R"("subject":{"reference":")" +
      uuid + R"("}}],"context":{"related":[{"reference":"#o"}]},)" +
      R"("content":[{"attachment":{"url":")" + uuid + "\"}}]}";
  const Answer answer = Client().Post(
      "", BundleOf("transaction", {Entry("POST", "DocumentReference", document),
                                   Entry("POST", "Patient", PatientWith("everywhere"), uuid)}));
  ASSERT_EQ(answer.Status(), 200) << answer.http.body;
  const std::string target = "Patient/" + answer.LocatedId(1);
  const Answer stored = Client().Get("DocumentReference/" + answer.LocatedId(0));
  EXPECT_EQ(stored.Text("content.0.attachment.url"), target);
  EXPECT_EQ(stored.Text("contained.0.subject.reference"), target);
  EXPECT_EQ(stored.Text("context.related.0.reference"), "#o");
  EXPECT_EQ(stored.Text("text.div"), "<div xmlns=\"http://www.w3.org/1999/xhtml\"><a href=\"" +
                                         target + "\">b</a><img src='" + target + "'/></div>");
}

TEST_F(ReferencesTest, AConditionalReferenceBecomesTheOneMatch) {
  const std::string practitioner = Client().Create(PractitionerWith("one"));
  const Answer answer = Client().Post(
      "", BundleOf("transaction", {Entry("POST", "Observation",
                                         ObservationOf("", "Practitioner?identifier=p|one"))}));
  ASSERT_EQ(answer.Status(), 200) << answer.http.body;
  EXPECT_EQ(Client().Get("Observation/" + answer.LocatedId(0)).Text("performer.0.reference"),
            "Practitioner/" + practitioner);
}

TEST_F(ReferencesTest, AConditionalReferenceMayMeanWhatTheBundleCreates) {
  const Answer answer = Client().Post(
      "", BundleOf("transaction", {Entry("POST", "Observation",
                                         ObservationOf("", "Practitioner?identifier=p|new")),
                                   Entry("POST", "Practitioner", PractitionerWith("new"))}));
  ASSERT_EQ(answer.Status(), 200) << answer.http.body;
  EXPECT_EQ(Client().Get("Observation/" + answer.LocatedId(0)).Text("performer.0.reference"),
            "Practitioner/" + answer.LocatedId(1));
}

TEST_F(ReferencesTest, ConditionalReferencesWithNoneOrSeveralMatchesFailTheTransaction) {
  Client().Create(PractitionerWith("two"));
  Client().Create(PractitionerWith("two"));
  const std::vector<std::string> references = {
      "Practitioner?identifier=p|none", "Practitioner?identifier=p|two", "Practitioner?nonsense=1"};
  for (const std::string& reference : references) {
    const Answer answer = Client().Post(
        "", BundleOf("transaction", {Entry("POST", "Patient", PatientWith("conditional")),
                                     Entry("POST", "Observation", ObservationOf("", reference))}));
    EXPECT_EQ(answer.Status() / 100, 4) << reference;
    EXPECT_EQ(answer.Expressions(),
              std::vector<std::string>{"Bundle.entry[1].resource.performer[0].reference"});
  }
  EXPECT_EQ(Client().Count("Patient?identifier=p|conditional"), 0);
}

TEST_F(ReferencesTest, AConditionalReferenceOutsideOfATransactionIsRefused) {
  const std::string observation = ObservationOf("", "Practitioner?identifier=p|alone");
  const Answer single = Client().Post("Observation", observation);
  EXPECT_EQ(single.Status(), 400);
  EXPECT_EQ(single.Expressions(), std::vector<std::string>{"Observation.performer[0].reference"});
  const Answer batch =
      Client().Post("", BundleOf("batch", {Entry("POST", "Observation", observation)}));
  EXPECT_EQ(batch.Text("entry.0.response.status"), "400 Bad Request");
}

TEST_F(ReferencesTest, WhatTheTransactionDeletesIsNoMatchOfAConditionalReference) {
  const std::string old_id = Client().Create(PractitionerWith("deleted"));
  const Answer answer = Client().Post(
      "", BundleOf("transaction", {Entry("DELETE", "Practitioner/" + old_id),
                                   Entry("POST", "Practitioner", PractitionerWith("deleted")),
                                   Entry("POST", "Observation",
                                         ObservationOf("", "Practitioner?identifier=p|deleted"))}));
  ASSERT_EQ(answer.Status(), 200) << answer.http.body;
  EXPECT_EQ(Client().Get("Observation/" + answer.LocatedId(2)).Text("performer.0.reference"),
            "Practitioner/" + answer.LocatedId(1));
}

TEST_F(ReferencesTest, AReferenceToNothingIs409AndNamesTheElement) {
  const Answer single = Client().Post("Observation", ObservationOf("Patient/nobody"));
  EXPECT_EQ(single.Status(), 409);
  EXPECT_EQ(single.Expressions(), std::vector<std::string>{"Observation.subject.reference"});
  const Answer bundle = Client().Post(
      "", BundleOf("transaction", {Entry("POST", "Patient", PatientWith("dangling")),
                                   Entry("POST", "Observation", ObservationOf("Patient/nobody"))}));
  EXPECT_EQ(bundle.Status(), 409);
  EXPECT_EQ(bundle.Expressions(),
            std::vector<std::string>{"Bundle.entry[1].resource.subject.reference"});
  EXPECT_EQ(Client().Count("Patient?identifier=p|dangling"), 0);
}

TEST_F(ReferencesTest, AReferenceWithinThisServersBaseIsCheckedToo) {
  EXPECT_EQ(
      Client().Post("Observation", ObservationOf(Client().Base() + "/Patient/nobody")).Status(),
      409);
  const std::string patient = Client().Create(PatientWith("absolute"));
  const std::string observation =
      Client().Create(ObservationOf(Client().Base() + "/Patient/" + patient));
  EXPECT_EQ(Client().Get("Observation?subject=Patient/" + patient).Ids(), std::vector{observation});
  EXPECT_EQ(Client().Get("Observation?subject=" + Client().Base() + "/Patient/" + patient).Ids(),
            std::vector{observation});
}

TEST_F(ReferencesTest, ReferencesElsewhereAreNotChecked) {
  for (const char* reference : {"http://elsewhere.example/fhir/Patient/1", "urn:uuid:1", "#c"}) {
    const std::string contained = R"(,"contained":[{"resourceType":"Patient","id":"c"}]})";
    std::string json = ObservationOf(reference);
    json.replace(json.size() - 1, 1, contained);
    EXPECT_EQ(Client().Post("Observation", json).Status(), 201) << reference;
  }
}

TEST_F(ReferencesTest, WhatIsReferredToCannotBeDeletedAlone) {
  const std::string patient = Client().Create(PatientWith("kept"));
  const std::string observation = Client().Create(ObservationOf("Patient/" + patient));
  EXPECT_EQ(Client().Delete("Patient/" + patient).Status(), 409);
  EXPECT_EQ(Client().Get("Patient/" + patient).Status(), 200);
  EXPECT_EQ(Client().Delete("Observation/" + observation).Status(), 204);
  EXPECT_EQ(Client().Delete("Patient/" + patient).Status(), 204);
}

TEST_F(ReferencesTest, DeletingAndPointingElsewhereInOneTransactionIsFine) {
  const std::string old_id = Client().Create(PatientWith("moved from"));
  const std::string new_id = Client().Create(PatientWith("moved to"));
  const std::string observation = Client().Create(ObservationOf("Patient/" + old_id));
  std::string moved = ObservationOf("Patient/" + new_id);
  moved.insert(1, "\"id\":\"" + observation + "\",");
  const Answer answer = Client().Post(
      "", BundleOf("transaction", {Entry("DELETE", "Patient/" + old_id),
                                   Entry("PUT", "Observation/" + observation, moved)}));
  EXPECT_EQ(answer.Status(), 200) << answer.http.body;
  EXPECT_EQ(Client().Get("Patient/" + old_id).Status(), 410);
}

TEST_F(ReferencesTest, DeletingBothTogetherIsFineInAnyOrder) {
  const std::string patient = Client().Create(PatientWith("both"));
  const std::string observation = Client().Create(ObservationOf("Patient/" + patient));
  const Answer answer =
      Client().Post("", BundleOf("transaction", {Entry("DELETE", "Patient/" + patient),
                                                 Entry("DELETE", "Observation/" + observation)}));
  EXPECT_EQ(answer.Status(), 200) << answer.http.body;
}

TEST_F(ReferencesTest, AStoredBundleMayHoldReferencesToNothing) {
  const std::string bundle =
      R"({"resourceType":"Bundle","type":"collection","entry":[{"resource":)" +
      ObservationOf("Patient/nobody") + "}]}";
  EXPECT_EQ(Client().Post("Bundle", bundle).Status(), 201);
  EXPECT_EQ(Client().Post("", BundleOf("transaction", {Entry("POST", "Bundle", bundle)})).Status(),
            200);
}

class NoIntegrityTest : public ServerTest {
 protected:
  static void SetUpTestSuite() { StartServer({{"ENFORCE_REFERENTIAL_INTEGRITY", "false"}}); }
};

TEST_F(NoIntegrityTest, ReferencesMayLeadNowhere) {
  Client().Create(ObservationOf("Patient?identifier=p|later"));
  const std::string observation = Client().Create(ObservationOf("Patient/later"));
  EXPECT_EQ(Client().Count("Observation?subject=Patient/later"), 1);
  EXPECT_EQ(Client().Count("Observation?subject.identifier=p|later"), 0);
  std::string patient = PatientWith("later");
  patient.insert(1, "\"id\":\"later\",");
  EXPECT_EQ(Client().Put("Patient/later", patient).Status(), 201);
  EXPECT_EQ(Client().Count("Observation?subject.identifier=p|later"), 1);
  EXPECT_EQ(Client().Delete("Patient/later").Status(), 204);
  EXPECT_EQ(Client().Get("Observation/" + observation).Status(), 200);
}

}  // namespace
}  // namespace e2e
