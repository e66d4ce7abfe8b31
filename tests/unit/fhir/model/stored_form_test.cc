#include "fhir/model/stored_form.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "fhir/json/document.h"
#include "fhir/validation/structure.h"

namespace fhir::model {
namespace {

// Edits are given as (old text, new text).
StoredForm Store(std::string_view text,
                 const std::vector<std::pair<std::string, std::string>>& edits = {}) {
  Result<json::Document> document = json::Document::Parse(text);
  if (!document) {
    ADD_FAILURE() << "not JSON: " << text;
    return {};
  }
  validation::Inspection inspection = validation::InspectResource(document->Root());
  EXPECT_TRUE(inspection.issues.empty())
      << inspection.issues.at(0).diagnostics << inspection.issues.at(0).expression;
  std::vector<Edit> node_edits;
  for (std::uint32_t i = 0; i < document->Nodes().size(); ++i) {
    for (const auto& [before, after] : edits) {
      if (json::Value(&*document, i).StringOrEmpty() == before) node_edits.push_back({i, after});
    }
  }
  StoredForm form = MakeStoredForm(document->Root(), "new", inspection.sites, node_edits);
  EXPECT_TRUE(json::Document::Parse(form.json)) << form.json;
  return form;
}

std::vector<std::string> References(const StoredForm& form) {
  std::vector<std::string> texts;
  texts.reserve(form.references.size());
  for (const ReferenceSpan& span : form.references)
    texts.push_back(form.json.substr(span.offset, span.size));
  return texts;
}

std::string Sent(const StoredForm& form) {
  std::string out = "before";
  AppendResource(&out, form.json, form.meta_offset, 3, "2020-01-01T10:00:00.000Z");
  return out.substr(6);
}

TEST(StoredFormTest, TypeIdAndMetaComeFirstAndTheRestKeepsItsOrder) {
  StoredForm form =
      Store(R"({ "gender" : "male", "id" : "old", "active":true, "resourceType" : "Patient" })");
  EXPECT_EQ(form.json,
            R"({"resourceType":"Patient","id":"new","meta":{},"gender":"male","active":true})");
  EXPECT_EQ(form.json.substr(form.meta_offset - 1, 2), "{}");
}

TEST(StoredFormTest, AResourceOfNothingIsStored) {
  EXPECT_EQ(Store(R"({"resourceType":"Basic"})").json,
            R"({"resourceType":"Basic","id":"new","meta":{}})");
}

TEST(StoredFormTest, VersionAndInstantAreLeftOut) {
  StoredForm form = Store(
      R"({"resourceType":"Patient","active":true,"meta":{"versionId":"7","_versionId":{"id":"a"},"profile":["http://p"],
          "lastUpdated":"2020-01-01T00:00:00Z","_lastUpdated":{"id":"b"},"source":"http://s"}})");
  EXPECT_EQ(
      form.json,
      R"({"resourceType":"Patient","id":"new","meta":{"profile":["http://p"],"source":"http://s"},"active":true})");
}

TEST(StoredFormTest, OnlyTheResourcesOwnIdAndMetaAreReplaced) {
  StoredForm form = Store(
      R"({"resourceType":"Patient","contained":[{"resourceType":"Organization","id":"c","meta":{"versionId":"1"},
          "name":"n"}],"name":[{"id":"e","family":"f"}]})");
  EXPECT_EQ(
      form.json,
      R"({"resourceType":"Patient","id":"new","meta":{},"contained":[{"resourceType":"Organization",)"
      R"("id":"c","meta":{"versionId":"1"},"name":"n"}],"name":[{"id":"e","family":"f"}]})");
}

TEST(StoredFormTest, DigitsAndTextsAreKept) {
  StoredForm form = Store(
      R"({"resourceType":"Observation","status":"final","code":{"text":"\u00e4\n\"\\"},"valueQuantity":{"value":1.10}})");
  EXPECT_TRUE(form.json.ends_with(
      "\"code\":{\"text\":\"\u00E4\\n\\\"\\\\\"},\"valueQuantity\":{\"value\":1.10}}"))
      << form.json;
}

TEST(StoredFormTest, EditsReplaceTexts) {
  StoredForm form = Store(
      R"({"resourceType":"Observation","status":"final","code":{"text":"\n"},"subject":{"reference":"urn:uuid:1"},
          "focus":[{"reference":"urn:uuid:22"},{"reference":"Patient/x"}]})",
      {{"urn:uuid:1", "Patient/a"}, {"urn:uuid:22", "Patient/b"}});
  EXPECT_TRUE(form.json.ends_with(
      R"("subject":{"reference":"Patient/a"},"focus":[{"reference":"Patient/b"},{"reference":"Patient/x"}]})"))
      << form.json;
  EXPECT_EQ(References(form), (std::vector<std::string>{"Patient/a", "Patient/b", "Patient/x"}));
}

TEST(StoredFormTest, EditsInAMetaThatStandsLastAreMade) {
  StoredForm form = Store(
      R"({"resourceType":"Observation","status":"final","code":{"text":"t"},"subject":{"reference":"urn:uuid:1"},
          "meta":{"profile":["urn:uuid:2"],
                  "extension":[{"url":"http://e","valueReference":{"reference":"Patient/m"}}]}})",
      {{"urn:uuid:1", "Patient/a"}, {"urn:uuid:2", "StructureDefinition/p"}});
  EXPECT_TRUE(form.json.starts_with(
      R"({"resourceType":"Observation","id":"new","meta":{"profile":["StructureDefinition/p"],)"))
      << form.json;
  EXPECT_EQ(References(form), (std::vector<std::string>{"Patient/m", "Patient/a"}));
}

TEST(StoredFormTest, OnlyLocalLiteralReferencesAreNoted) {
  StoredForm form = Store(
      R"({"resourceType":"Observation","status":"final","code":{"text":"Patient/text"},
          "contained":[{"resourceType":"Patient","id":"c","managingOrganization":{"reference":"Organization/o"}}],
          "subject":{"reference":"#c"},"encounter":{"reference":"http://else/Encounter/1"},
          "focus":[{"reference":"Patient/x/_history/2"},{"reference":"urn:uuid:7"},{"identifier":{"value":"Patient/v"}}],
          "note":[{"text":"Patient/note"}]})");
  EXPECT_EQ(References(form), (std::vector<std::string>{"Organization/o", "Patient/x/_history/2"}));
}

TEST(StoredFormTest, TheSentResourceHasVersionAndInstantInMeta) {
  EXPECT_EQ(
      Sent(Store(R"({"resourceType":"Patient","active":true})")),
      R"({"resourceType":"Patient","id":"new","meta":{"versionId":"3","lastUpdated":"2020-01-01T10:00:00.000Z"},)"
      R"("active":true})");
  EXPECT_EQ(
      Sent(Store(R"({"resourceType":"Patient","meta":{"source":"http://s"}})")),
      R"({"resourceType":"Patient","id":"new","meta":{"versionId":"3","lastUpdated":"2020-01-01T10:00:00.000Z",)"
      R"("source":"http://s"}})");
}

TEST(StoredFormTest, StoringWhatWasSentGivesTheSameBytes) {
  StoredForm form = Store(
      R"({"resourceType":"Patient","meta":{"tag":[{"code":"a"}]},"name":[{"given":["a","b"],"_given":[null,{"id":"i"}]}],
          "birthDate":"2020"})");
  EXPECT_EQ(Store(Sent(form)).json, form.json);
}

}  // namespace
}  // namespace fhir::model
