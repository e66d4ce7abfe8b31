#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "fhir/json/writer.h"
#include "fhir/model/bundle.h"

namespace fhir::model {
namespace {

constexpr std::string_view kUuid = "urn:uuid:0c3151bd-1cbf-4d64-b04d-cd9187a4c6e0";

TEST(ReferenceMapTest, AUrnBecomesTheStoredResource) {
  ReferenceMap map;
  map.AddEntry(kUuid, "Patient/1");
  map.AddEntry("urn:oid:1.2.3", "Patient/2");
  EXPECT_EQ(map.Resolve(kUuid), "Patient/1");
  EXPECT_EQ(map.Resolve("urn:oid:1.2.3"), "Patient/2");
  EXPECT_EQ(map.Resolve("urn:oid:1.2.34"), std::nullopt);
  EXPECT_EQ(map.Resolve("urn:oid:1.2.4"), std::nullopt);
  EXPECT_EQ(map.Resolve(""), std::nullopt);
  EXPECT_EQ(map.Resolve("#urn:oid:1.2.3"), std::nullopt);
}

TEST(ReferenceMapTest, AFragmentOrVersionIsKept) {
  ReferenceMap map;
  map.AddEntry(kUuid, "Patient/1");
  map.AddEntry("http://h/fhir/Patient/New", "Patient/2");
  EXPECT_EQ(map.Resolve(std::string(kUuid) + "#part"), "Patient/1#part");
  EXPECT_EQ(map.Resolve("http://h/fhir/Patient/New/_history/1"), "Patient/2/_history/1");
  EXPECT_EQ(map.Resolve("Patient/New/_history/1"), "Patient/2/_history/1");
}

TEST(ReferenceMapTest, ARestfulFullUrlResolvesInItsRelativeForm) {
  ReferenceMap map;
  map.AddEntry("http://h/fhir/Patient/New", "Patient/7");
  EXPECT_EQ(map.Resolve("http://h/fhir/Patient/New"), "Patient/7");
  EXPECT_EQ(map.Resolve("Patient/New"), "Patient/7");
  EXPECT_EQ(map.Resolve("Patient/Old"), std::nullopt);
  EXPECT_EQ(map.Resolve("New"), std::nullopt);
}

TEST(ReferenceMapTest, ARelativeReferenceStaysUnderItsRoot) {
  ReferenceMap map;
  map.AddEntry("http://a/fhir/Patient/1", "Patient/from-a");
  map.AddEntry("http://b/fhir/Patient/1", "Patient/from-b");
  map.AddEntry("http://b/fhir/Patient/2", "Patient/from-b2");
  EXPECT_EQ(map.Resolve("Patient/1", "http://a/fhir/Observation/1"), "Patient/from-a");
  EXPECT_EQ(map.Resolve("Patient/1", "http://b/fhir/Observation/1"), "Patient/from-b");
  EXPECT_EQ(map.Resolve("Patient/2", "http://a/fhir/Observation/1"), std::nullopt);
  EXPECT_EQ(map.Resolve("Patient/1", kUuid), std::nullopt);  // Which one is meant?
  EXPECT_EQ(map.Resolve("Patient/2", kUuid), "Patient/from-b2");
}

TEST(ReferenceMapTest, AnEntryPutToItsOwnUrlChangesNothing) {
  ReferenceMap map;
  map.AddEntry("http://h/fhir/Patient/x", "Patient/x");
  EXPECT_EQ(map.Resolve("Patient/x"), std::nullopt);
  EXPECT_EQ(map.Resolve("http://h/fhir/Patient/x"), "Patient/x");
}

TEST(ReferenceMapTest, AConditionalReferenceResolvesAsWritten) {
  ReferenceMap map;
  EXPECT_TRUE(map.IsEmpty());
  map.AddConditional("Practitioner?identifier=s|v", "Practitioner/1");
  EXPECT_FALSE(map.IsEmpty());
  EXPECT_TRUE(map.HasConditional("Practitioner?identifier=s|v"));
  EXPECT_FALSE(map.HasConditional("Practitioner?identifier=s|w"));
  EXPECT_EQ(map.Resolve("Practitioner?identifier=s|v"), "Practitioner/1");
  EXPECT_EQ(map.ResolveEntry("Practitioner?identifier=s|v"), std::nullopt);
}

// Edits of the text of one string node of the kind.
std::vector<Edit> EditsOf(const std::string& json_string, validation::SiteKind kind) {
  ReferenceMap map;
  map.AddEntry(kUuid, "Patient/1");
  map.AddEntry("http://h/fhir/Binary/b", "Binary/2");
  map.AddConditional("Practitioner?identifier=1", "Practitioner/3");
  json::Document document = json::Document::Parse(json_string).value();
  const std::vector<validation::Site> sites = {{0, kind}};
  return ResolveReferences(document.Root(), sites, map);
}

std::string Narrative(const std::string& xhtml) {
  std::string quoted;
  json::AppendString(&quoted, xhtml);
  std::vector<Edit> edits = EditsOf(quoted, validation::SiteKind::kNarrative);
  return edits.empty() ? "unchanged" : edits.at(0).text;
}

TEST(ReferenceMapTest, EverySiteThatResolvesIsEdited) {
  const std::string uuid = "\"" + std::string(kUuid) + "\"";
  EXPECT_EQ(EditsOf(uuid, validation::SiteKind::kReference).at(0).text, "Patient/1");
  EXPECT_EQ(EditsOf(uuid, validation::SiteKind::kUri).at(0).text, "Patient/1");
  EXPECT_EQ(EditsOf("\"Binary/b\"", validation::SiteKind::kUri).at(0).text, "Binary/2");
  EXPECT_EQ(EditsOf("\"Practitioner?identifier=1\"", validation::SiteKind::kReference).at(0).text,
            "Practitioner/3");
  EXPECT_TRUE(EditsOf("\"Practitioner?identifier=1\"", validation::SiteKind::kUri).empty());
  EXPECT_TRUE(EditsOf("\"http://loinc.org\"", validation::SiteKind::kUri).empty());
}

TEST(ReferenceMapTest, LinksAndImagesOfNarrativesAreEdited) {
  const std::string uuid(kUuid);
  EXPECT_EQ(Narrative("<div><a href=\"" + uuid +
                      "\">x</a><img alt='y' src = 'http://h/fhir/Binary/b'/></div>"),
            "<div><a href=\"Patient/1\">x</a><img alt='y' src = 'Binary/2'/></div>");
  EXPECT_EQ(Narrative("<a\nhref='" + uuid + "#p'/>"), "<a\nhref='Patient/1#p'/>");
}

TEST(ReferenceMapTest, OtherTextOfNarrativesStays) {
  const std::string uuid(kUuid);
  EXPECT_EQ(Narrative("<div>href=\"" + uuid + "\"</div>"), "unchanged");
  EXPECT_EQ(Narrative("<a title=\"href='" + uuid + "'\" xhref=\"" + uuid + "\"/>"), "unchanged");
  EXPECT_EQ(Narrative("<!-- <a href=\"" + uuid + "\"> -->"), "unchanged");
  EXPECT_EQ(Narrative("<a href=\"#top\"/><a href=\"\"/>"), "unchanged");
}

TEST(ReferenceMapTest, BrokenNarrativesDoNoHarm) {
  const std::string uuid(kUuid);
  for (const std::string& xhtml :
       {std::string("<"), std::string("<a"), std::string("<a href"), std::string("<a href="),
        std::string("<a href=\""), std::string("<a href='x"), std::string("<!--"),
        std::string("<a href=x>"), std::string("<<<>>=\"'")}) {
    EXPECT_EQ(Narrative(xhtml), "unchanged") << xhtml;
  }
  EXPECT_EQ(Narrative("<a href=\"" + uuid), "<a href=\"Patient/1");
}

// Its root would be copied for each reference.
TEST(ReferenceMapTest, AnAbsurdlyLongFullUrlHasNoRelativeForm) {
  const std::string full_url = "http://" + std::string(5'000, 'h') + "/Patient/New";
  ReferenceMap map;
  map.AddEntry(full_url, "Patient/7");
  EXPECT_EQ(map.Resolve(full_url), "Patient/7");
  EXPECT_EQ(map.Resolve("Patient/New", full_url), std::nullopt);
}

}  // namespace
}  // namespace fhir::model
