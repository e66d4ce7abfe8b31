#include "fhir/model/reference.h"

#include <string>

#include <gtest/gtest.h>

namespace fhir::model {
namespace {

constexpr std::string_view kBase = "http://h/fhir";

TEST(ReferenceTest, ARelativeReferenceIsTypeAndId) {
  std::optional<LiteralReference> reference = ParseLiteralReference("Patient/x-1.A", {});
  ASSERT_TRUE(reference);
  EXPECT_EQ(reference->type, "Patient");
  EXPECT_EQ(reference->id, "x-1.A");
  EXPECT_EQ(reference->version, "");
}

TEST(ReferenceTest, AVersionMayFollow) {
  std::optional<LiteralReference> reference = ParseLiteralReference("Patient/x/_history/2", {});
  ASSERT_TRUE(reference);
  EXPECT_EQ(reference->id, "x");
  EXPECT_EQ(reference->version, "2");
}

TEST(ReferenceTest, OurOwnBaseIsCutOff) {
  std::optional<LiteralReference> reference =
      ParseLiteralReference("http://h/fhir/Patient/x", kBase);
  ASSERT_TRUE(reference);
  EXPECT_EQ(reference->type, "Patient");
  EXPECT_TRUE(ParseLiteralReference("Patient/x", kBase));
  EXPECT_FALSE(ParseLiteralReference("http://h/fhir/Patient/x", {}));
  EXPECT_FALSE(ParseLiteralReference("http://h/fhirPatient/x", kBase));
  EXPECT_FALSE(ParseLiteralReference("http://other/fhir/Patient/x", kBase));
}

TEST(ReferenceTest, EverythingElseIsNotLiteral) {
  const std::string long_id(65, 'a');
  for (std::string_view text : {"",
                                "#",
                                "#x",
                                "Patient",
                                "Patient/",
                                "Patient/x/",
                                "/Patient/x",
                                "Patient//x",
                                "Patient/x/y",
                                "Patient/x#y",
                                "Patient/x_y",
                                "Patient/x/_history",
                                "Patient/x/_history/",
                                "Patient/x/_history/1/2",
                                "Patient/x/history/1",
                                "patient/x",
                                "Nonsense/x",
                                "Resource/x",
                                "DomainResource/x",
                                "HumanName/x",
                                "Patient?name=x",
                                "urn:uuid:0c3151bd-1cbf-4d64-b04d-cd9187a4c6e0"}) {
    EXPECT_FALSE(ParseLiteralReference(text, {})) << text;
  }
  EXPECT_FALSE(ParseLiteralReference("Patient/" + long_id, {}));
  EXPECT_TRUE(ParseLiteralReference("Patient/" + long_id.substr(1), {}));
}

TEST(ReferenceTest, AConditionalReferenceIsTypeAndQuery) {
  std::optional<ConditionalReference> reference =
      ParseConditionalReference("Practitioner?identifier=s|v");
  ASSERT_TRUE(reference);
  EXPECT_EQ(reference->type, "Practitioner");
  EXPECT_EQ(reference->query, "identifier=s|v");
  for (const char* text : {"Practitioner", "Practitioner/x", "?identifier=x", "Nonsense?x=y",
                           "http://h/Patient?x=y"}) {
    EXPECT_FALSE(ParseConditionalReference(text)) << text;
  }
}

}  // namespace
}  // namespace fhir::model
