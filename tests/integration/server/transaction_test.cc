// Transaction bundles: order, references, conditions, atomicity.
#include "tests/integration/server/in_process_server.h"

namespace server {
namespace {

class TransactionTest : public InProcessServer {
 protected:
  Answer Transact(const std::string& entries, RequestHeaders headers = {}) {
    return Post("", R"({"resourceType":"Bundle","type":"transaction","entry":[)" + entries + "]}",
                std::move(headers));
  }
  // "Patient/x" of the response's location.
  static std::string Stored(const Answer& answer, std::string_view entry) {
    std::string location = answer.Text("entry", entry, "response", "location");
    if (!location.starts_with(kBase)) return {};
    location = location.substr(kBase.size() + 1);
    return location.substr(0, location.find("/_history"));
  }
};

const std::string kOrganization =
    R"({"fullUrl":"urn:uuid:0a","resource":{"resourceType":"Organization",
        "identifier":[{"system":"s","value":"1"}]},
        "request":{"method":"POST","url":"Organization","ifNoneExist":"identifier=s|1"}})";
const std::string kPatient =
    R"({"fullUrl":"urn:uuid:0b","resource":{"resourceType":"Patient",
        "managingOrganization":{"reference":"urn:uuid:0a"}},
        "request":{"method":"POST","url":"Patient"}})";

TEST_F(TransactionTest, ReferencesToFullUrlsAreRewritten) {
  const Answer answer = Transact(kPatient + "," + kOrganization);
  ASSERT_EQ(answer.Status(), 200) << answer.body;
  EXPECT_EQ(answer.Text("type"), "transaction-response");
  EXPECT_EQ(answer.Text("entry", "0", "response", "status"), "201 Created");
  EXPECT_EQ(Get(Stored(answer, "0")).Text("managingOrganization", "reference"),
            Stored(answer, "1"));
}

TEST_F(TransactionTest, TheSecondPostingRefersToTheFirstOrganization) {
  const Answer first = Transact(kOrganization + "," + kPatient);
  const Answer second = Transact(kOrganization + "," + kPatient);
  ASSERT_EQ(second.Status(), 200) << second.body;
  EXPECT_EQ(second.Text("entry", "0", "response", "status"), "200 OK");
  EXPECT_EQ(Stored(second, "0"), Stored(first, "0"));
  EXPECT_EQ(Get(Stored(second, "1")).Text("managingOrganization", "reference"), Stored(first, "0"));
  EXPECT_EQ(Get("Organization").Text("total"), "1");
}

TEST_F(TransactionTest, IfNoneExistFindsWhatTheBundleCreatesBefore) {
  std::string other = kOrganization;
  other.replace(other.find("0a"), 2, "0c");
  const Answer answer = Transact(kOrganization + "," + other);
  ASSERT_EQ(answer.Status(), 200) << answer.body;
  EXPECT_EQ(answer.Text("entry", "1", "response", "status"), "200 OK");
  EXPECT_EQ(Stored(answer, "0"), Stored(answer, "1"));
  EXPECT_EQ(Get("Organization").Text("total"), "1");
}

TEST_F(TransactionTest, ATransactionThatWasOvertakenIsPreparedAgain) {
  before_commit_ = [&] { EXPECT_EQ(Transact(kOrganization).Status(), 200); };
  const Answer answer = Transact(kOrganization + "," + kPatient);
  ASSERT_EQ(answer.Status(), 200) << answer.body;
  EXPECT_EQ(answer.Text("entry", "0", "response", "status"), "200 OK");
  EXPECT_EQ(Get("Organization").Text("total"), "1");
  EXPECT_EQ(Get(Stored(answer, "1")).Text("managingOrganization", "reference"),
            Stored(answer, "0"));
}

TEST_F(TransactionTest, ARelativeReferenceMeansTheRestfulFullUrl) {
  const Answer answer = Transact(
      R"({"fullUrl":"http://h/fhir/Patient/New","resource":{"resourceType":"Patient"},
          "request":{"method":"POST","url":"Patient"}},
         {"fullUrl":"http://h/fhir/Observation/1","resource":{"resourceType":"Observation",
          "subject":{"reference":"Patient/New"}},"request":{"method":"POST","url":"Observation"}})");
  ASSERT_EQ(answer.Status(), 200) << answer.body;
  EXPECT_EQ(Get(Stored(answer, "1")).Text("subject", "reference"), Stored(answer, "0"));
}

const std::string kConditional =
    R"({"resource":{"resourceType":"Encounter","participant":[
        {"individual":{"reference":"Practitioner?identifier=s|1"}}]},
        "request":{"method":"POST","url":"Encounter"}})";
const std::string kPractitioner =
    R"({"resource":{"resourceType":"Practitioner","identifier":[{"system":"s","value":"1"}]},
        "request":{"method":"POST","url":"Practitioner"}})";

TEST_F(TransactionTest, AConditionalReferenceBecomesTheOneMatch) {
  const Answer practitioner = Transact(kPractitioner);
  const Answer answer = Transact(kConditional + "," + kConditional);
  ASSERT_EQ(answer.Status(), 200) << answer.body;
  EXPECT_EQ(Get(Stored(answer, "1")).Text("participant", "0", "individual", "reference"),
            Stored(practitioner, "0"));
  EXPECT_EQ(Get("Encounter?participant=" + Stored(practitioner, "0")).Text("total"), "2");
}

TEST_F(TransactionTest, AConditionalReferenceMayMeanWhatTheBundleCreates) {
  const Answer answer = Transact(kConditional + "," + kPractitioner);
  ASSERT_EQ(answer.Status(), 200) << answer.body;
  EXPECT_EQ(Get(Stored(answer, "0")).Text("participant", "0", "individual", "reference"),
            Stored(answer, "1"));
}

TEST_F(TransactionTest, AConditionalReferenceWithNoneOrTwoMatchesFailsTheWhole) {
  const std::string expression = "Bundle.entry[0].resource.participant[0].individual.reference";
  const Answer none = Transact(kConditional);
  EXPECT_EQ(none.Status(), 400);
  EXPECT_EQ(none.Text("issue", "0", "expression", "0"), expression);
  Transact(kPractitioner);
  const Answer both = Transact(kConditional + "," + kPractitioner);
  EXPECT_EQ(both.Status(), 412);
  EXPECT_EQ(both.Text("issue", "0", "expression", "0"), expression);
  EXPECT_EQ(Get("Encounter").Text("total"), "0");
  EXPECT_EQ(Get("Practitioner").Text("total"), "1");
}

TEST_F(TransactionTest, OrderDoesNotDependOnTheEntries) {
  Put("Patient/old", R"({"resourceType":"Patient","id":"old"})");
  const Answer answer = Transact(
      R"({"request":{"method":"GET","url":"Patient/new"}},
         {"resource":{"resourceType":"Patient","id":"new"},
          "request":{"method":"PUT","url":"Patient/new"}},
         {"resource":{"resourceType":"Patient"},"request":{"method":"POST","url":"Patient"}},
         {"request":{"method":"DELETE","url":"Patient/old"}},
         {"request":{"method":"GET","url":"Patient?_summary=count"}},
         {"request":{"method":"GET","url":"Patient/none"}})");
  ASSERT_EQ(answer.Status(), 200) << answer.body;
  EXPECT_EQ(answer.Text("entry", "0", "resource", "id"), "new");
  EXPECT_EQ(answer.Text("entry", "1", "response", "status"), "201 Created");
  EXPECT_EQ(answer.Text("entry", "2", "response", "status"), "201 Created");
  EXPECT_EQ(answer.Text("entry", "3", "response", "status"), "204 No Content");
  EXPECT_EQ(answer.Text("entry", "4", "resource", "total"), "2");
  EXPECT_EQ(answer.Text("entry", "5", "response", "status"), "404 Not Found");
}

TEST_F(TransactionTest, OneBadEntryStoresNothingAndIsNamed) {
  const struct {
    std::string entry;
    int status;
    std::string expression;
  } cases[] = {
      {R"({"resource":{"resourceType":"Patient","foo":1},"request":{"method":"POST","url":"Patient"}})",
       400, "Bundle.entry[1].resource.foo"},
      {R"({"resource":{"resourceType":"Patient","id":"y"},"request":{"method":"PUT","url":"Patient/x"}})",
       400, "Bundle.entry[1].resource.id"},
      {R"({"resource":{"resourceType":"Patient"},"request":{"method":"POST","url":"Observation"}})",
       400, "Bundle.entry[1].resource.resourceType"},
      {R"({"resource":{"resourceType":"Patient"},"request":{"method":"POST","url":"Patiant"}})",
       400, "Bundle.entry[1].request.url"},
      {R"({"resource":{"resourceType":"Binary","contentType":"x"},
           "request":{"method":"PATCH","url":"Patient/x"}})",
       400, "Bundle.entry[1].resource"},
      {R"({"resource":{"resourceType":"Patient","id":"x"},
           "request":{"method":"PUT","url":"Patient/x","ifMatch":"W/\"9\""}})",
       412, "Bundle.entry[1]"},
      {R"({"resource":{"resourceType":"Patient","link":[{"other":{"reference":"Patient/none"}}]},
           "request":{"method":"POST","url":"Patient"}})",
       409, "Bundle.entry[1].resource.link[0].other.reference"},
      {R"({"request":{"method":"GET","url":"Patient?foo=bar"}})", 400,
       "Bundle.entry[1].request.url"},
      {R"({"resource":{"resourceType":"Patient"},
           "request":{"method":"POST","url":"Patient","ifNoneExist":"foo=bar"}})",
       400, "Bundle.entry[1].request.ifNoneExist"},
      {R"({"request":{"method":"DELETE","url":"Patient?foo=bar"}})", 400,
       "Bundle.entry[1].request.url"},
      {R"({"request":{"method":"GET","url":"Patient/x/$everything"}})", 400,
       "Bundle.entry[1].request"},
  };
  for (const auto& bad : cases) {
    const Answer answer = Transact(kPractitioner + "," + bad.entry);
    EXPECT_EQ(answer.Status(), bad.status) << bad.entry << answer.body;
    EXPECT_EQ(answer.Text("issue", "0", "expression", "0"), bad.expression) << bad.entry;
  }
  EXPECT_EQ(Get("Practitioner").Text("total"), "0");
}

TEST_F(TransactionTest, TheSameResourceTwiceIsRefused) {
  const std::string put =
      R"({"resource":{"resourceType":"Patient","id":"x"},"request":{"method":"PUT","url":"Patient/x"}})";
  const std::string absolute =
      R"({"resource":{"resourceType":"Patient","id":"x"},
          "request":{"method":"PUT","url":"http://localhost:8080/fhir/Patient/x"}})";
  EXPECT_EQ(Transact(put + "," + put).Status(), 400);
  EXPECT_EQ(Transact(put + "," + absolute).Status(), 400);
  EXPECT_EQ(Get("Patient/x").Status(), 404);
}

TEST_F(TransactionTest, DeletingAndRepointingTogetherIsNoIntegrityError) {
  Put("Patient/a", R"({"resourceType":"Patient","id":"a"})");
  Put("Patient/b", R"({"resourceType":"Patient","id":"b"})");
  const std::string observation =
      R"({"resourceType":"Observation","id":"o","subject":{"reference":)";
  Put("Observation/o", observation + "\"Patient/a\"}}");
  EXPECT_EQ(Delete("Patient/a").Status(), 409);
  const Answer answer =
      Transact(R"({"request":{"method":"DELETE","url":"Patient/a"}},{"resource":)" + observation +
               R"("Patient/b"}},"request":{"method":"PUT","url":"Observation/o"}})");
  EXPECT_EQ(answer.Status(), 200) << answer.body;
  EXPECT_EQ(Get("Patient/a").Status(), 410);
}

TEST_F(TransactionTest, ConditionalUpdatesAndDeletesWorkInside) {
  const std::string put =
      R"({"resource":{"resourceType":"Patient","identifier":[{"system":"s","value":"1"}]},
          "request":{"method":"PUT","url":"Patient?identifier=s|1"}})";
  const Answer first = Transact(put);
  ASSERT_EQ(first.Status(), 200) << first.body;
  EXPECT_EQ(first.Text("entry", "0", "response", "status"), "201 Created");
  const Answer second = Transact(put);
  EXPECT_EQ(second.Text("entry", "0", "response", "status"), "200 OK");
  EXPECT_EQ(Stored(second, "0"), Stored(first, "0"));
  EXPECT_EQ(Transact(put + "," + put).Status(), 400);
  const std::string remove = R"({"request":{"method":"DELETE","url":"Patient?identifier=s%7C1"}})";
  EXPECT_EQ(Transact(remove).Text("entry", "0", "response", "status"), "204 No Content");
  EXPECT_EQ(Get(Stored(first, "0")).Status(), 410);
  EXPECT_EQ(Transact(remove).Text("entry", "0", "response", "status"), "204 No Content");
}

TEST_F(TransactionTest, RepresentationsComeWhereAskedFor) {
  const Answer none = Transact(kPractitioner);
  EXPECT_TRUE(none.At("entry", "0", "resource").IsNone());
  const Answer whole =
      Transact(kPractitioner, With(&RequestHeaders::prefer, "return=representation"));
  EXPECT_EQ(whole.Text("entry", "0", "resource", "meta", "versionId"), "1");
  const Answer outcome =
      Transact(kPractitioner, With(&RequestHeaders::prefer, "return=OperationOutcome"));
  EXPECT_EQ(outcome.Text("entry", "0", "response", "outcome", "resourceType"), "OperationOutcome");
}

TEST_F(TransactionTest, AnEmptyTransactionIsAnswered) {
  const Answer answer = Post("", R"({"resourceType":"Bundle","type":"transaction"})");
  EXPECT_EQ(answer.Status(), 200) << answer.body;
  EXPECT_EQ(answer.Text("type"), "transaction-response");
}

}  // namespace
}  // namespace server
