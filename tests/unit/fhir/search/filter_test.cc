// What the names, operators and values of a _filter mean.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/fhir/search/search_fixture.h"

namespace fhir::search {
namespace {

using Kind = Expression::Kind;
using testing::AllOf;
using testing::HasSubstr;

Result<Query> AskFilter(std::string_view type, std::string_view filter, QueryOptions options = {}) {
  options.base_url = kBaseUrl;
  return ParseQuery(R4(), type, {{"_filter", std::string(filter)}}, options);
}

bool Holds(std::string_view type, const IndexEntries& entries, std::string_view filter) {
  const auto query = AskFilter(type, filter);
  EXPECT_TRUE(query.has_value()) << filter << ": "
                                 << (query ? "" : query.error().issues[0].diagnostics);
  return query && Matches(query->where, {"x", 1'000'000'000'000'000, &entries});
}

std::string Refusal(std::string_view type, std::string_view filter) {
  QueryOptions lenient;
  lenient.lenient = true;
  // A filter is never dropped, in whole or in part.
  const auto query = AskFilter(type, filter, lenient);
  EXPECT_FALSE(query.has_value()) << filter;
  if (query) return "";
  EXPECT_EQ(query.error().http_status, 400) << filter;
  return query.error().issues[0].diagnostics;
}

void ExpectPatient(std::string_view filter, bool expected) {
  static const IndexEntries kEntries = Extract(
      R"({"resourceType":"Patient","gender":"male","active":true,"birthDate":"1970-05-01",
          "name":[{"family":"Müller","given":["Anna","Bob"]}],
          "identifier":[{"system":"http://S","value":"aB-1c"},{"value":"plain"}],
          "generalPractitioner":[{"reference":"Practitioner/7"},
                                 {"reference":"http://there/fhir/Practitioner/8"}]})");
  EXPECT_EQ(Holds("Patient", kEntries, filter), expected) << filter;
}

TEST(FilterTest, StringsAreComparedWithoutCaseAndAccents) {
  ExpectPatient("family eq MULLER", true);
  ExpectPatient("family eq mull", false);
  ExpectPatient("family ne mull", true);
  ExpectPatient("family ne Muller", false);
  ExpectPatient("given ne anna", true);  // Bob.
  ExpectPatient("not (given eq anna)", false);
  ExpectPatient("family co LLE", true);
  ExpectPatient("family co le", true);
  ExpectPatient("family co llx", false);
  ExpectPatient("family sw mü", true);
  ExpectPatient("family sw ull", false);
  ExpectPatient("family ew LER", true);
  ExpectPatient("family ew muller", true);
  ExpectPatient("family ew xmuller", false);
  ExpectPatient("family ew mulle", false);
}

TEST(FilterTest, OrderOfStringsIsThatOfTheirFirstCharacters) {
  ExpectPatient("family gt m", false);
  ExpectPatient("family ge M", true);
  ExpectPatient("family gt L", true);
  ExpectPatient("family lt n", true);
  ExpectPatient("family lt m", false);
  ExpectPatient("family le m", true);
  ExpectPatient("given lt b", true);
  ExpectPatient("family lt \"é\"", false);
  EXPECT_THAT(Refusal("Patient", "family gt mu"), HasSubstr("first"));
}

TEST(FilterTest, LongTextsEndWhereTheyEnd) {
  constexpr std::size_t kWindow = 32 * 1024;
  for (const std::size_t size :
       {kWindow - 1, kWindow, kWindow + 1, 2 * kWindow - 1024, std::size_t{100'000}}) {
    std::string text(size, 'x');
    text.replace(kWindow - 4, 3, "cut");  // Ends just before, at or in the first window.
    text.replace(size - 3, 3, "end");
    const IndexEntries entries =
        Extract(R"({"resourceType":"Library","description":")" + text + "\"}");
    EXPECT_TRUE(Holds("Library", entries, "description ew end")) << size;
    EXPECT_FALSE(Holds("Library", entries, "description ew cutx")) << size;
    EXPECT_FALSE(Holds("Library", entries, "description ew cut")) << size;
    EXPECT_FALSE(Holds("Library", entries, "description eq x")) << size;
  }
}

TEST(FilterTest, TokensAreComparedWithoutCaseAndSystemsWithIt) {
  ExpectPatient("gender eq male", true);
  ExpectPatient("gender eq MALE", true);
  ExpectPatient("gender eq mal", false);
  ExpectPatient("gender eq http://hl7.org/fhir/administrative-gender|Male", true);
  ExpectPatient("identifier eq AB-1C", true);
  ExpectPatient("identifier eq http://S|Ab-1c", true);
  ExpectPatient("identifier eq http://s|aB-1c", false);
  ExpectPatient("identifier eq |aB-1c", false);
  ExpectPatient("identifier eq |PLAIN", true);
  ExpectPatient("identifier eq http://S|", true);
  ExpectPatient("identifier eq http://T|", false);
  ExpectPatient("active eq true", true);
  ExpectPatient("active eq false", false);
}

TEST(FilterTest, UnequalTokensAreAnyOthers) {
  ExpectPatient("gender ne Male", false);
  ExpectPatient("gender ne female", true);
  ExpectPatient("identifier ne plain", true);  // aB-1c
  ExpectPatient("identifier ne http://S|", true);
  ExpectPatient("identifier ne |plain", true);
  ExpectPatient("telecom ne x", false);  // There is none.
  ExpectPatient("not (telecom eq x)", true);
  ExpectPatient("active ne TRUE", false);
}

TEST(FilterTest, SomeSystemsHaveShortNames) {
  const IndexEntries entries = Extract(
      R"({"resourceType":"Observation","status":"final",
          "code":{"coding":[{"system":"http://loinc.org","code":"1234-5"}]},
          "valueQuantity":{"value":5.4,"system":"http://unitsofmeasure.org","code":"g"}})");
  EXPECT_TRUE(Holds("Observation", entries, "code eq loinc|1234-5"));
  EXPECT_FALSE(Holds("Observation", entries, "code eq snomed|1234-5"));
  EXPECT_TRUE(Holds("Observation", entries, "value-quantity eq 5400|ucum|mg"));
  EXPECT_TRUE(Holds("Observation", entries, "value-quantity gt 5.3"));
  EXPECT_TRUE(Holds("Observation", entries, "value-quantity ap 5"));
  EXPECT_FALSE(Holds("Observation", entries, "value-quantity ne 5.4|ucum|g"));
  EXPECT_FALSE(Holds("Observation", entries, "value-quantity lt 5.4|ucum|g"));
}

TEST(FilterTest, DatesAreRanges) {
  ExpectPatient("birthdate eq 1970-05-01", true);
  ExpectPatient("birthdate eq 1970", true);
  ExpectPatient("birthdate ne 1970", false);
  ExpectPatient("birthdate ge 1970-05-01", true);
  ExpectPatient("birthdate gt 1970-05-01", false);
  ExpectPatient("birthdate sa 1970-04", true);
  ExpectPatient("birthdate eb 1970-06", true);
  ExpectPatient("birthdate co 1970-05-01T10:00:00Z", true);
  ExpectPatient("birthdate co 1970-05-01", true);
  ExpectPatient("birthdate co 1970-05", false);
  ExpectPatient("birthdate co 1970-05-02T00:00:00Z", false);
  ExpectPatient("birthdate po 1970-05-01T23:59:59Z", true);
  ExpectPatient("birthdate po 1970-05-02", false);
  ExpectPatient("birthdate po 1970", true);
  const IndexEntries stay = Extract(
      R"({"resourceType":"Encounter","status":"finished","class":{"code":"IMP"},
          "period":{"start":"2020-01-01","end":"2020-03-31"}})");
  EXPECT_TRUE(Holds("Encounter", stay, "date co 2020-02"));
  EXPECT_TRUE(Holds("Encounter", stay, "date co 2020-03-31"));
  EXPECT_FALSE(Holds("Encounter", stay, "date co 2020"));
  EXPECT_FALSE(Holds("Encounter", stay, "date eq 2020-02"));
  EXPECT_TRUE(Holds("Encounter", stay, "date po 2020"));
  EXPECT_TRUE(Holds("Encounter", stay, "date po 2020-03-31T12:00:00Z"));
  EXPECT_FALSE(Holds("Encounter", stay, "date po 2020-04"));
}

TEST(FilterTest, NumbersAndUris) {
  const IndexEntries risk =
      Extract(R"({"resourceType":"RiskAssessment","prediction":[{"probabilityDecimal":0.25}]})");
  EXPECT_TRUE(Holds("RiskAssessment", risk, "probability eq 0.25"));
  EXPECT_TRUE(Holds("RiskAssessment", risk, "probability ne 0.4"));
  EXPECT_TRUE(Holds("RiskAssessment", risk, "probability lt 0.26"));
  const IndexEntries set = Extract(R"({"resourceType":"ValueSet","url":"http://A/b"})");
  EXPECT_TRUE(Holds("ValueSet", set, "url eq http://A/b"));
  EXPECT_FALSE(Holds("ValueSet", set, "url eq http://a/b"));
  EXPECT_FALSE(Holds("ValueSet", set, "url ne http://A/b"));
  EXPECT_TRUE(Holds("ValueSet", set, "url ne http://A/c"));
  EXPECT_TRUE(Holds("ValueSet", set, "url ne http://A"));
  const IndexEntries plan =
      Extract(R"({"resourceType":"CarePlan","instantiatesUri":["http://u|1"]})");
  EXPECT_TRUE(Holds("CarePlan", plan, "instantiates-uri eq http://u"));
  EXPECT_FALSE(Holds("CarePlan", plan, "instantiates-uri ne http://u"));
  EXPECT_FALSE(Holds("CarePlan", plan, "instantiates-uri ne http://u|1"));
  EXPECT_TRUE(Holds("CarePlan", plan, "instantiates-uri ne http://u|2"));
}

TEST(FilterTest, ReferencesPointToUrls) {
  ExpectPatient("general-practitioner re Practitioner/7", true);
  ExpectPatient("general-practitioner re http://here/fhir/Practitioner/7", true);
  ExpectPatient("general-practitioner re http://there/fhir/Practitioner/8", true);
  ExpectPatient("general-practitioner re Practitioner/8", false);
  EXPECT_THAT(Refusal("Patient", "general-practitioner eq Practitioner/7"),
              HasSubstr("it has pr re"));
}

TEST(FilterTest, PresenceAsksOfTheWholeSet) {
  ExpectPatient("gender pr true", true);
  ExpectPatient("gender pr false", false);
  ExpectPatient("telecom pr true", false);
  ExpectPatient("telecom pr false", true);
  ExpectPatient("_id pr true", true);
  ExpectPatient("general-practitioner pr true", true);
  EXPECT_THAT(Refusal("Patient", "gender pr yes"), HasSubstr("true or false"));
  const auto chained = AskFilter("Observation", "subject:Patient.name pr false");
  ASSERT_TRUE(chained.has_value());
  EXPECT_EQ(chained->where.kind, Kind::kNot);
  EXPECT_EQ(chained->where.children[0].kind, Kind::kChain);
}

TEST(FilterTest, IdsAndInstants) {
  ExpectPatient("_id eq x", true);
  ExpectPatient("_id eq X", false);
  ExpectPatient("_id ne y", true);
  ExpectPatient("_lastUpdated ge 2001-09-09", true);
  ExpectPatient("_lastUpdated eq 2001-09-09", true);
  ExpectPatient("_lastUpdated po 2001", true);
  ExpectPatient("_lastUpdated gt 2001-09-09", false);
  ExpectPatient("_lastUpdated lt 2001", false);
  EXPECT_THAT(Refusal("Patient", "_lastUpdated co 2001"), HasSubstr("'co'"));
  EXPECT_THAT(Refusal("Patient", "_id co x"), HasSubstr("'co'"));
}

TEST(FilterTest, LogicAndOtherParametersGoTogether) {
  ExpectPatient("gender eq female or family eq muller and birthdate lt 1980", true);
  ExpectPatient("family eq muller or gender eq male and gender eq female", false);
  ExpectPatient("family eq muller or (gender eq male and gender eq female)", true);
  ExpectPatient("not (gender eq female or birthdate gt 1980)", true);
  const auto query = Ask("Patient", "_filter=gender+eq+male&family=x&_filter=active+eq+true");
  ASSERT_TRUE(query.has_value());
  EXPECT_EQ(query->where.children.size(), 3U);
  EXPECT_EQ(query->applied.size(), 3U);
}

TEST(FilterTest, ChainsWithBracketsAskOneResource) {
  const auto query =
      AskFilter("Observation", "subject:Patient[gender eq male and active eq true].name sw mül");
  ASSERT_TRUE(query.has_value());
  const Expression& chain = query->where;
  ASSERT_EQ(chain.kind, Kind::kChain);
  EXPECT_EQ(chain.type, "Patient");
  ASSERT_EQ(chain.children[0].kind, Kind::kAnd);
  EXPECT_EQ(chain.children[0].children.size(), 3U);
  // Without a type: all that have the parameters, here Patient alone.
  const auto open = AskFilter("Observation", "subject[gender eq male].birthdate lt 2000");
  ASSERT_TRUE(open.has_value());
  EXPECT_EQ(open->where.kind, Kind::kChain);
  const auto negated = AskFilter("Observation", "not (subject:Patient.name eq x)");
  ASSERT_TRUE(negated.has_value());
  EXPECT_EQ(negated->where.kind, Kind::kNot);
}

TEST(FilterTest, WhatHasNoMeaningIsRefusedWithItsPlace) {
  EXPECT_THAT(Refusal("Patient", "gender eq male and famly eq x"),
              AllOf(HasSubstr("'famly'"), HasSubstr("(at character 20)"), HasSubstr("'family'")));
  EXPECT_THAT(Refusal("Patient", "birthdate sw 19"),
              AllOf(HasSubstr("'birthdate'"), HasSubstr("'sw'"), HasSubstr("(at character 11)")));
  for (const std::string_view filter : {"gender co ma",
                                        "gender sw ma",
                                        "gender gt a",
                                        "gender re Patient/1",
                                        "gender ap male",
                                        "family in http://vs",
                                        "family ap x",
                                        "family sa x",
                                        "family po x",
                                        "birthdate ew 1",
                                        "birthdate in http://vs",
                                        "birthdate eq ge2020",
                                        "birthdate po ge2020",
                                        "birthdate eq x",
                                        "birthdate eq 2020-13",
                                        "general-practitioner re not/a/reference",
                                        "general-practitioner ne Practitioner/1",
                                        "identifier ss http://s|x",
                                        "gender in http://vs",
                                        "family:exact eq x",
                                        "family.x eq y",
                                        "_list eq 1",
                                        "_has:Observation:subject:code eq x",
                                        "nothing.name eq x",
                                        "subject.name eq x",
                                        "organization:Patient.name eq x",
                                        "identifier eq a|b|c",
                                        "identifier eq Ä",
                                        "_id eq a/b",
                                        "_text co x"}) {
    EXPECT_THAT(Refusal("Patient", filter), HasSubstr("_filter")) << filter;
    EXPECT_THAT(Refusal("Patient", filter), HasSubstr("(at character ")) << filter;
  }
  EXPECT_NE(Refusal("Group", "characteristic[code eq x].value eq y"), "");
  EXPECT_NE(Refusal("Observation", "related[type eq x].target pr true"), "");
  EXPECT_NE(Refusal("Observation", "code-value-quantity eq x$1"), "");
  EXPECT_NE(Refusal("RiskAssessment", "probability co 1"), "");
  EXPECT_NE(Refusal("Observation", "value-quantity co 1"), "");
  EXPECT_NE(Refusal("Location", "near eq 1|2|3"), "");
  EXPECT_NE(Refusal("Patient", "identifier eq " + std::string(201, 'x')), "");
}

TEST(FilterTest, StandsAloneAndNotInCriteriaOrChains) {
  EXPECT_FALSE(Ask("Patient", "_filter:not=gender+eq+male").has_value());
  EXPECT_FALSE(Ask("Observation", "subject:Patient._filter=gender+eq+male").has_value());
  EXPECT_FALSE(ParseCriteria(R4(), "Patient", {{"_filter", "gender eq male"}}, {}).has_value());
  EXPECT_TRUE(Ask("Patient", "_filter=")->applied.empty());
}

TEST(FilterTest, ChainsThatGoTooManyWaysAreRefused) {
  std::string steps;
  for (int i = 0; i < 12; ++i) steps += ".subject";
  const auto chain = AskFilter("List", "item" + steps + " re Patient/x");
  ASSERT_FALSE(chain.has_value());
  EXPECT_EQ(chain.error().http_status, 403);
  std::string brackets = "subject re Patient/x";
  for (int i = 0; i < 10; ++i) brackets = "item[" + brackets + "].subject re Patient/x";
  const auto wide = AskFilter("List", brackets);
  ASSERT_FALSE(wide.has_value());
  // Named types go one way.
  EXPECT_TRUE(AskFilter("Observation", "subject:Group.member:Patient.link:Patient.name eq x"));
}

}  // namespace
}  // namespace fhir::search
