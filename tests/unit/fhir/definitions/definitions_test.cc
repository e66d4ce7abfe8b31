#include "fhir/definitions/definitions.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fhir::definitions {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;

std::string_view TypeOf(std::string_view type, std::string_view element) {
  const Element* found = FindElement(FindType(type), element);
  return found != nullptr ? GetType(found->type).name : "none";
}

std::vector<std::string_view> MembersOfChoice(std::string_view type, std::string_view choice) {
  std::vector<std::string_view> names;
  for (const Element& element : ElementsOf(FindType(type))) {
    if (element.choice == choice) names.push_back(element.name);
  }
  return names;
}

const SearchParameterDefinition& Parameter(std::string_view name) {
  const std::string url = "http://hl7.org/fhir/SearchParameter/" + std::string(name);
  return *std::ranges::find(SearchParameters(), std::string_view(url),
                            &SearchParameterDefinition::url);
}

TEST(TypesTest, HaveTheCountsOfTheSpecification) {
  std::map<TypeKind, int> counts;
  for (const Type& type : Types().subspan(1)) ++counts[type.kind];
  EXPECT_EQ(counts[TypeKind::kPrimitive], 20);
  EXPECT_EQ(counts[TypeKind::kResource], 146);
  EXPECT_EQ(counts[TypeKind::kAbstract], 2);
  EXPECT_EQ(counts[TypeKind::kComplex], 39);
}

TEST(TypesTest, AreSortedAndUniqueSoThatSearchFindsEachOfThem) {
  for (std::size_t i = 1; i < Types().size(); ++i) {
    ASSERT_LT(Types()[i - 1].name, Types()[i].name);
    ASSERT_EQ(FindType(Types()[i].name), i);
  }
}

TEST(TypesTest, HaveSpansThatTogetherAreAllElements) {
  std::size_t next = 0;
  for (const Type& type : Types().subspan(1)) {
    ASSERT_EQ(type.first_element, next) << type.name;
    ASSERT_GT(type.element_count, 0) << type.name;
    next += type.element_count;
  }
  EXPECT_EQ(next, AllElements().size());
}

TEST(TypesTest, HaveElementsThatAreSortedAndReferToAType) {
  for (TypeId id = 1; id < Types().size(); ++id) {
    const std::span<const Element> elements = ElementsOf(id);
    for (std::size_t i = 0; i < elements.size(); ++i) {
      const Element& element = elements[i];
      ASSERT_TRUE(i == 0 || elements[i - 1].name < element.name) << element.name;
      ASSERT_TRUE(element.type > 0 && element.type < Types().size()) << element.name;
      ASSERT_EQ(FindElement(id, element.name), &element);
      ASSERT_TRUE(element.name.starts_with(element.choice)) << element.name;
    }
  }
}

TEST(TypesTest, ArePrimitiveByKindAndByPrimitiveAlike) {
  std::set<Primitive> seen;
  for (const Type& type : Types().subspan(1)) {
    EXPECT_EQ(type.kind == TypeKind::kPrimitive, type.primitive != Primitive::kNone) << type.name;
    if (type.primitive != Primitive::kNone) EXPECT_TRUE(seen.insert(type.primitive).second);
  }
  EXPECT_EQ(GetType(FindType("date")).primitive, Primitive::kDate);
  EXPECT_EQ(GetType(FindType("dateTime")).primitive, Primitive::kDateTime);
}

TEST(TypesTest, DoNotContainWhatNoElementIs) {
  for (const char* name : {"", "Element", "BackboneElement", "MetadataResource", "SimpleQuantity",
                           "patient", "Patients", "Patien", "zzz"}) {
    EXPECT_EQ(FindType(name), kNoType) << name;
  }
}

TEST(TypesTest, AreResourceTypesOnlyIfTheyCanBeStored) {
  EXPECT_TRUE(IsResourceType("Patient"));
  EXPECT_TRUE(IsResourceType("Parameters"));
  for (const char* name :
       {"", "Resource", "DomainResource", "HumanName", "Patient.contact", "code"}) {
    EXPECT_FALSE(IsResourceType(name)) << name;
  }
}

TEST(ElementsTest, OfPatientAreAsSpecified) {
  EXPECT_EQ(TypeOf("Patient", "id"), "id");
  EXPECT_EQ(TypeOf("Patient", "meta"), "Meta");
  EXPECT_EQ(TypeOf("Patient", "contained"), "Resource");
  EXPECT_EQ(TypeOf("Patient", "contact"), "Patient.contact");
  EXPECT_EQ(TypeOf("Patient.contact", "gender"), "code");
  EXPECT_EQ(TypeOf("Patient", "resourceType"), "none");
  EXPECT_EQ(TypeOf("Patient", "deceased"), "none");
  const TypeId patient = FindType("Patient");
  EXPECT_TRUE(FindElement(patient, "name")->repeats);
  EXPECT_FALSE(FindElement(patient, "birthDate")->repeats);
  EXPECT_FALSE(FindElement(patient, "birthDate")->required);
  EXPECT_TRUE(FindElement(FindType("Observation"), "status")->required);
  EXPECT_EQ(FindElement(patient, "nope"), nullptr);
  EXPECT_EQ(FindElement(kNoType, "id"), nullptr);
}

TEST(ElementsTest, OfAResourceThatIsNoDomainResourceLackItsElements) {
  EXPECT_EQ(TypeOf("Bundle", "id"), "id");
  EXPECT_EQ(TypeOf("Bundle", "text"), "none");
  EXPECT_EQ(TypeOf("Bundle", "extension"), "none");
  EXPECT_EQ(TypeOf("Bundle.entry", "resource"), "Resource");
  EXPECT_EQ(TypeOf("Parameters.parameter", "resource"), "Resource");
}

TEST(ElementsTest, WithFhirpathTypesHaveFhirTypes) {
  EXPECT_EQ(TypeOf("Extension", "url"), "uri");
  EXPECT_EQ(TypeOf("Extension", "id"), "string");
  EXPECT_EQ(TypeOf("HumanName", "id"), "string");
  EXPECT_EQ(TypeOf("Narrative", "div"), "xhtml");
}

TEST(ElementsTest, OfAPrimitiveAreItsIdAndExtensions) {
  const std::span<const Element> date = ElementsOf(FindType("date"));
  ASSERT_EQ(date.size(), 2U);
  EXPECT_EQ(date[0].name, "extension");
  EXPECT_EQ(date[1].name, "id");
  EXPECT_EQ(ElementsOf(FindType("xhtml")).size(), 1U);
}

TEST(ElementsTest, OfAChoiceStandOncePerType) {
  EXPECT_THAT(MembersOfChoice("Observation", "value"),
              ElementsAre("valueBoolean", "valueCodeableConcept", "valueDateTime", "valueInteger",
                          "valuePeriod", "valueQuantity", "valueRange", "valueRatio",
                          "valueSampledData", "valueString", "valueTime"));
  EXPECT_EQ(MembersOfChoice("Extension", "value").size(), 50U);
  EXPECT_EQ(MembersOfChoice("Parameters.parameter", "value").size(), 50U);
  EXPECT_EQ(TypeOf("Observation", "valueQuantity"), "Quantity");
  EXPECT_EQ(TypeOf("Extension", "valueBase64Binary"), "base64Binary");
}

TEST(ElementsTest, ThatReferToAnotherHaveItsType) {
  EXPECT_EQ(TypeOf("Questionnaire.item", "item"), "Questionnaire.item");
  EXPECT_EQ(TypeOf("Observation.component", "referenceRange"), "Observation.referenceRange");
  EXPECT_EQ(TypeOf("Bundle.entry", "link"), "Bundle.link");
  EXPECT_TRUE(FindElement(FindType("Questionnaire.item"), "item")->repeats);
}

TEST(ElementsTest, KnowTheSystemOfARequiredBindingToOne) {
  EXPECT_EQ(FindElement(FindType("Patient"), "gender")->system,
            "http://hl7.org/fhir/administrative-gender");
  EXPECT_EQ(FindElement(FindType("Observation"), "status")->system,
            "http://hl7.org/fhir/observation-status");
  // Preferred, not required.
  EXPECT_THAT(FindElement(FindType("Patient"), "language")->system, IsEmpty());
  // Data types and resource types: two systems.
  EXPECT_THAT(FindElement(FindType("ParameterDefinition"), "type")->system, IsEmpty());
  for (const Element& element : AllElements()) {
    if (!element.system.empty()) EXPECT_EQ(GetType(element.type).primitive, Primitive::kCode);
  }
}

TEST(ElementsTest, ElementsOfTheSummaryAreMarked) {
  const auto is_summary = [](std::string_view type, std::string_view element) {
    return FindElement(FindType(type), element)->summary;
  };
  EXPECT_TRUE(is_summary("Patient", "deceasedBoolean"));
  EXPECT_FALSE(is_summary("Patient", "contact"));
  EXPECT_TRUE(is_summary("Observation.component", "valueQuantity"));
  EXPECT_FALSE(is_summary("Observation.component", "interpretation"));
  EXPECT_TRUE(is_summary("Attachment", "url"));
  EXPECT_FALSE(is_summary("Attachment", "data"));
}

TEST(SearchParametersTest, AreTheOfficialOnes) {
  EXPECT_EQ(SearchParameters().size(), 1375U);
  std::set<std::string_view> urls;
  for (const SearchParameterDefinition& parameter : SearchParameters()) {
    EXPECT_TRUE(urls.insert(parameter.url).second);
    EXPECT_TRUE(parameter.url.starts_with("http://hl7.org/fhir/"));
    EXPECT_FALSE(parameter.code.empty());
    EXPECT_FALSE(parameter.base.empty());
    EXPECT_EQ(parameter.type == SearchType::kComposite, !parameter.components.empty());
  }
}

TEST(SearchParametersTest, ReferToTypesAndParametersThatExist) {
  std::set<std::string_view> urls;
  for (const SearchParameterDefinition& parameter : SearchParameters()) urls.insert(parameter.url);
  for (const SearchParameterDefinition& parameter : SearchParameters()) {
    for (const std::string_view base : parameter.base) EXPECT_NE(FindType(base), kNoType) << base;
    for (const std::string_view target : parameter.targets) {
      EXPECT_TRUE(IsResourceType(target)) << target;
    }
    for (const SearchComponent& component : parameter.components) {
      EXPECT_THAT(urls, Contains(component.definition));
      EXPECT_FALSE(component.expression.empty());
    }
  }
}

TEST(SearchParametersTest, AreReadInFull) {
  const SearchParameterDefinition& subject = Parameter("clinical-patient");
  EXPECT_EQ(subject.code, "patient");
  EXPECT_EQ(ToString(subject.type), "reference");
  EXPECT_GT(subject.base.size(), 20U);
  EXPECT_THAT(Parameter("Observation-status").base, ElementsAre("Observation"));
  EXPECT_EQ(Parameter("Observation-status").expression, "Observation.status");
  EXPECT_THAT(Parameter("Resource-content").expression, IsEmpty());
  EXPECT_THAT(Parameter("Resource-id").base, ElementsAre("Resource"));
}

TEST(SearchParametersTest, AreCorrectedWhereTheyWerePublishedWrong) {
  const auto relationship = Parameter("DocumentReference-relationship").components;
  ASSERT_EQ(relationship.size(), 2U);
  EXPECT_TRUE(relationship[0].definition.ends_with("-relatesto"));
  EXPECT_EQ(relationship[0].expression, "target");
  EXPECT_EQ(relationship[1].expression, "code");
  EXPECT_EQ(Parameter("Observation-code-value-date").components[1].expression,
            "value.as(dateTime) | value.as(Period)");
  EXPECT_EQ(Parameter("InsurancePlan-name").expression, "InsurancePlan.name | InsurancePlan.alias");
}

TEST(CompartmentsTest, NameTheParametersOfEachMember) {
  EXPECT_THAT(FindCompartmentMember("Patient", "Observation")->parameters,
              ElementsAre("subject", "performer"));
  EXPECT_THAT(FindCompartmentMember("Encounter", "Encounter")->parameters, ElementsAre("{def}"));
  EXPECT_THAT(FindCompartmentMember("RelatedPerson", "Observation")->parameters,
              ElementsAre("performer"));
  EXPECT_EQ(FindCompartmentMember("Encounter", "List"), nullptr);
  EXPECT_EQ(FindCompartmentMember("Organization", "Patient"), nullptr);
  EXPECT_EQ(FindCompartmentMember("", ""), nullptr);
}

TEST(CompartmentsTest, AreFiveWithMembersAndParametersThatExist) {
  std::set<std::string_view> compartments;
  for (const CompartmentMember& member : CompartmentMembers()) {
    compartments.insert(member.compartment);
    ASSERT_EQ(FindCompartmentMember(member.compartment, member.resource_type), &member);
    ASSERT_TRUE(IsResourceType(member.resource_type));
    ASSERT_FALSE(member.parameters.empty());
    for (const std::string_view code : member.parameters) {
      const bool exists = std::ranges::any_of(SearchParameters(), [&](const auto& parameter) {
        return parameter.code == code && parameter.type == SearchType::kReference &&
               std::ranges::count(parameter.base, member.resource_type) == 1;
      });
      EXPECT_TRUE(code == "{def}" || exists) << member.resource_type << " " << code;
    }
  }
  EXPECT_THAT(compartments,
              ElementsAre("Device", "Encounter", "Patient", "Practitioner", "RelatedPerson"));
}

}  // namespace
}  // namespace fhir::definitions
