#include <gtest/gtest.h>

#include "tests/unit/fhir/search/search_fixture.h"

namespace fhir::search {
namespace {

IndexEntries About(std::string_view reference) {
  return Extract(R"({"resourceType":"Observation","subject":{"reference":")" +
                 std::string(reference) + R"("}})");
}

bool Finds(std::string_view reference, std::string_view query) {
  return Matches("Observation", About(reference), query);
}

TEST(ReferenceTest, LocalReferencesMatchByTypeAndIdByIdAndByUrl) {
  for (const std::string_view written :
       {"Patient/1", "Patient/1/_history/3", "http://here/fhir/Patient/1"}) {
    EXPECT_TRUE(Finds(written, "subject=Patient/1")) << written;
    EXPECT_TRUE(Finds(written, "subject=1")) << written;
    EXPECT_TRUE(Finds(written, "subject=http://here/fhir/Patient/1")) << written;
    EXPECT_TRUE(Finds(written, "subject:Patient=1")) << written;
    EXPECT_TRUE(Finds(written, "subject:Patient=Patient/1")) << written;
    EXPECT_FALSE(Finds(written, "subject:Group=1")) << written;
    EXPECT_FALSE(Finds(written, "subject=Patient/12")) << written;
    EXPECT_FALSE(Finds(written, "subject=http://there/fhir/Patient/1")) << written;
  }
}

TEST(ReferenceTest, PatientFindsOnlyPatientsAlthoughTheIndexIsSubjects) {
  EXPECT_TRUE(Finds("Patient/1", "patient=1"));
  EXPECT_FALSE(Finds("Group/1", "patient=1"));
  EXPECT_FALSE(Finds("Group/1", "patient=Group/1"));
  EXPECT_TRUE(Finds("Group/1", "subject=1"));
  EXPECT_TRUE(Finds("Group/1", "patient:missing=true"));
  EXPECT_FALSE(Finds("Group/1", "subject:missing=true"));
  EXPECT_TRUE(Finds("http://x/Patient/1", "patient=http://x/Patient/1"));
  EXPECT_FALSE(Finds("http://x/Group/1", "patient=http://x/Group/1"));
}

TEST(ReferenceTest, OtherServersAreMatchedByTheWholeUrl) {
  EXPECT_TRUE(Finds("http://x/Patient/1", "subject=http://x/Patient/1"));
  EXPECT_FALSE(Finds("http://x/Patient/1", "subject=1"));
  EXPECT_FALSE(Finds("http://x/Patient/1", "subject=Patient/1"));
  EXPECT_TRUE(Finds("urn:uuid:5", "subject=urn:uuid:5"));
}

TEST(ReferenceTest, AFragmentIsThereButFindsNothing) {
  EXPECT_TRUE(Finds("#p", "subject:missing=false"));
  EXPECT_FALSE(Ask("Observation", "subject=%23p").has_value());
}

TEST(ReferenceTest, IdentifierLooksAtTheLogicalReference) {
  const IndexEntries entries = Extract(
      R"({"resourceType":"Observation","subject":{"identifier":{"system":"s","value":"5"}}})");
  EXPECT_TRUE(Matches("Observation", entries, "subject:identifier=s|5"));
  EXPECT_TRUE(Matches("Observation", entries, "subject:identifier=5"));
  EXPECT_TRUE(Matches("Observation", entries, "subject:identifier=s|"));
  EXPECT_FALSE(Matches("Observation", entries, "subject:identifier=t|"));
  EXPECT_FALSE(Matches("Observation", entries, "subject:identifier=|5"));
  EXPECT_FALSE(Matches("Observation", entries, "subject:identifier=s|55"));
}

TEST(ReferenceTest, CanonicalsMatchInAnyVersion) {
  const IndexEntries entries =
      Extract(R"({"resourceType":"QuestionnaireResponse","questionnaire":"http://q/1|2"})");
  EXPECT_TRUE(Matches("QuestionnaireResponse", entries, "questionnaire=http://q/1"));
  EXPECT_TRUE(Matches("QuestionnaireResponse", entries, "questionnaire=http://q/1|2"));
  EXPECT_FALSE(Matches("QuestionnaireResponse", entries, "questionnaire=http://q/1|3"));
}

TEST(ReferenceTest, ADocumentsFirstEntryIsItsComposition) {
  const IndexEntries entries = Extract(
      R"({"resourceType":"Bundle","type":"document","entry":[
          {"resource":{"resourceType":"Composition","id":"c"}},
          {"resource":{"resourceType":"Composition","id":"d"}}]})");
  EXPECT_TRUE(Matches("Bundle", entries, "composition=c"));
  EXPECT_FALSE(Matches("Bundle", entries, "composition=d"));
  EXPECT_FALSE(Matches("Bundle", entries, "message=c"));
}

TEST(ReferenceTest, AnEditedReferenceCountsAsEdited) {
  const std::string_view json =
      R"({"resourceType":"Observation","subject":{"reference":"urn:uuid:1"}})";
  const auto document = json::Document::Parse(json);
  const model::Edit edits[] = {
      {document->Root().Find("subject").Find("reference").Index(), "Patient/7"}};
  EXPECT_TRUE(Matches("Observation", Extract(json, edits), "subject=Patient/7"));
}

TEST(ReferenceTest, WhatIsNoReferenceOrNoTargetIsRefused) {
  EXPECT_FALSE(Ask("Observation", "subject=a+b").has_value());
  EXPECT_FALSE(Ask("Observation", "subject:Medication=1").has_value());
  EXPECT_FALSE(Ask("Observation", "subject:Nothing=1").has_value());
  EXPECT_FALSE(Ask("Observation", "subject=Patient/1/_history/1").has_value());
}

TEST(ReferenceTest, AVeryLongUrlOrIdentifierIsFoundWhole) {
  const std::string text(5'000, 'x');
  const IndexEntries entries =
      Extract(R"({"resourceType":"Observation","subject":{"reference":"http://a/)" + text +
              R"(","identifier":{"system":"s","value":")" + text + R"("}}})");
  for (const auto& entry : entries.List()) EXPECT_LT(entry.size, 2'200U);
  EXPECT_TRUE(Matches("Observation", entries, "subject=http://a/" + text));
  EXPECT_FALSE(Matches("Observation", entries, "subject=http://a/" + text + "y"));
  EXPECT_TRUE(Matches("Observation", entries, "subject:identifier=s|" + text));
  EXPECT_FALSE(Matches("Observation", entries, "subject:identifier=s|" + text + "y"));
}

}  // namespace
}  // namespace fhir::search
