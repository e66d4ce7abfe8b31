// How elements of resources are walked and typed.
#include <string>

#include <gtest/gtest.h>

#include "tests/unit/fhir/path/evaluate.h"

namespace fhir::path {
namespace {

constexpr std::string_view kPatient = R"({
  "resourceType": "Patient", "id": "p",
  "contained": [{"resourceType": "Organization", "id": "o", "name": "Here"}],
  "active": true,
  "_birthDate": {"extension": [{"url": "http://x/unknown", "valueCode": "asked"}]},
  "name": [{"family": "Müller", "given": ["Ann", null, "Bea"],
            "_given": [null, {"id": "g2"}, {"extension": [{"url": "u", "valueString": "v"}]}]}],
  "deceasedDateTime": "2020-01",
  "multipleBirthInteger": 2,
  "managingOrganization": {"reference": "#o"},
  "generalPractitioner": [{"reference": "Practitioner/1"},
                          {"reference": "http://h/fhir/Organization/2/_history/3"},
                          {"display": "someone"}],
  "nonsense": "x"
})";

class FhirPathElementTest : public testing::Test {
 protected:
  Evaluator evaluate_{kPatient};
};

TEST_F(FhirPathElementTest, ChoicesStandUnderTheirOneName) {
  EXPECT_EQ(evaluate_("deceased"), Texts{"2020-01"});
  EXPECT_EQ(evaluate_("deceased is dateTime"), Texts{"true"});
  EXPECT_EQ(evaluate_("multipleBirth + 1"), Texts{"3"});
  EXPECT_EQ(evaluate_("deceasedDateTime"), Texts{});
}

TEST_F(FhirPathElementTest, PrimitivesHaveTheirExtensions) {
  EXPECT_EQ(evaluate_("birthDate.extension('http://x/unknown').value"), Texts{"asked"});
  EXPECT_EQ(evaluate_("birthDate.exists() and birthDate.hasValue().not()"), Texts{"true"});
  EXPECT_EQ(evaluate_("birthDate = @2020"), Texts{});
  EXPECT_EQ(evaluate_("name.given.count()"), Texts{"3"});
  EXPECT_EQ(evaluate_("name.given.where(hasValue())"), (Texts{"Ann", "Bea"}));
  EXPECT_EQ(evaluate_("name.given[1].id"), Texts{"g2"});
  EXPECT_EQ(evaluate_("name.given.extension('u').value"), Texts{"v"});
}

TEST_F(FhirPathElementTest, UnknownMembersAreNotThere) {
  EXPECT_EQ(evaluate_("nonsense"), Texts{});
  EXPECT_EQ(evaluate_("descendants().where($this = 'x')"), Texts{});
  evaluate_.Context().strict = true;
  EXPECT_EQ(evaluate_("nonsense"), Texts{"error invalid"});
  EXPECT_EQ(evaluate_("Patient.name.family"), Texts{"Müller"});
  EXPECT_EQ(evaluate_("Observation.value"), Texts{"error invalid"});
  EXPECT_EQ(evaluate_("descendants().first()"), Texts{"error invalid"});
  EXPECT_EQ(evaluate_("(deceased as Period).unit"), Texts{"error invalid"});
}

TEST_F(FhirPathElementTest, TypesHaveTheirAncestors) {
  EXPECT_EQ(evaluate_("$this is DomainResource and $this is Resource"), Texts{"true"});
  EXPECT_EQ(evaluate_("Resource.id = DomainResource.id"), Texts{"true"});
  EXPECT_EQ(evaluate_("id is string and id is Element and (id is uri).not()"), Texts{"true"});
  EXPECT_EQ(evaluate_("contained.ofType(Resource).name"), Texts{"Here"});
  EXPECT_EQ(evaluate_("contained.ofType(Patient)"), Texts{});
  EXPECT_EQ(evaluate_("active is Boolean"), Texts{"false"});
  EXPECT_EQ(evaluate_("active.getValue() is Boolean"), Texts{"true"});
  EXPECT_EQ(evaluate_("name.type().name"), Texts{"HumanName"});
}

TEST_F(FhirPathElementTest, AsOverSeveralItemsIsAnErrorUnlessItFilters) {
  EXPECT_EQ(evaluate_("(generalPractitioner as Reference).display"), Texts{"error invalid"});
  evaluate_.Context().as_filters = true;
  EXPECT_EQ(evaluate_("(generalPractitioner as Reference).display"), Texts{"someone"});
}

TEST_F(FhirPathElementTest, WithoutAResolverReferencesHaveTheirTypesOnly) {
  EXPECT_EQ(evaluate_("managingOrganization.resolve().name"), Texts{"Here"});
  EXPECT_EQ(evaluate_("generalPractitioner.where(resolve() is Practitioner).reference"),
            Texts{"Practitioner/1"});
  EXPECT_EQ(evaluate_("generalPractitioner.resolve()"),
            (Texts{"{Practitioner}", "{Organization}"}));
  EXPECT_EQ(evaluate_("generalPractitioner.resolve().descendants()"), Texts{});
  EXPECT_EQ(evaluate_("generalPractitioner.resolve().distinct().count()"), Texts{"2"});
}

TEST_F(FhirPathElementTest, AResolverIsAskedForWhatIsNotContained) {
  std::string asked;
  evaluate_.Context().resolver =
      [&asked](std::string_view reference) -> Result<std::optional<ResolvedReference>> {
    asked += std::string(reference) + ";";
    if (reference.starts_with("http")) return Fail(NotFound("no"));
    return std::nullopt;
  };
  EXPECT_EQ(evaluate_("managingOrganization.resolve().name"), Texts{"Here"});
  EXPECT_EQ(evaluate_("generalPractitioner[0].resolve()"), Texts{});
  EXPECT_EQ(evaluate_("generalPractitioner.resolve()"), Texts{"error not-found"});
  EXPECT_EQ(asked, "Practitioner/1;Practitioner/1;http://h/fhir/Organization/2/_history/3;");
}

TEST_F(FhirPathElementTest, WhatNeedsAServiceIsNotSupported) {
  EXPECT_EQ(evaluate_("gender.memberOf('http://x')"), Texts{"error not-supported"});
  EXPECT_EQ(evaluate_("conformsTo('http://x')"), Texts{"error not-supported"});
  EXPECT_EQ(evaluate_("text.htmlChecks()"), Texts{"error not-supported"});
  EXPECT_EQ(evaluate_("now()"), Texts{"error invalid"});
}

TEST_F(FhirPathElementTest, TheClockIsTheContexts) {
  evaluate_.Context().now_unix_ms = 1'767'225'600'123;
  EXPECT_EQ(evaluate_("now()"), Texts{"2026-01-01T00:00:00.123Z"});
  EXPECT_EQ(evaluate_("today()"), Texts{"2026-01-01"});
  EXPECT_EQ(evaluate_("timeOfDay()"), Texts{"00:00:00.123"});
  evaluate_.Context().now_unix_ms = INT64_MAX;
  EXPECT_EQ(evaluate_("now()"), Texts{"error invalid"});
}

TEST_F(FhirPathElementTest, VariablesNameResourcesAndCodeSystems) {
  EXPECT_EQ(evaluate_("contained.select(%resource.id)"), Texts{"p"});
  EXPECT_EQ(evaluate_("name.select(%context.id)"), Texts{"p"});
  EXPECT_EQ(evaluate_("%`vs-a`"), Texts{"http://hl7.org/fhir/ValueSet/a"});
  EXPECT_EQ(evaluate_("%nosuch"), Texts{"error invalid"});
}

}  // namespace
}  // namespace fhir::path
