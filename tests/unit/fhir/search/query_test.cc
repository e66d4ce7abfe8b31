#include "fhir/search/query.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/fhir/search/search_fixture.h"

namespace fhir::search {
namespace {

using Kind = Expression::Kind;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

QueryOptions Lenient() {
  QueryOptions options;
  options.lenient = true;
  return options;
}

Error ErrorOf(std::string_view type, std::string_view query, QueryOptions options = {}) {
  const auto parsed = Ask(type, query, options);
  EXPECT_FALSE(parsed.has_value()) << query;
  return parsed ? Error{} : parsed.error();
}

void ExpectRefused(std::string_view type, std::string_view query, std::string_view named) {
  const Error error = ErrorOf(type, query);
  EXPECT_EQ(error.http_status, 400) << query;
  ASSERT_FALSE(error.issues.empty()) << query;
  EXPECT_THAT(error.issues[0].diagnostics, HasSubstr(std::string(named)));
}

TEST(QueryTest, NothingAskedIsEverything) {
  const auto query = Ask("Patient", "");
  ASSERT_TRUE(query.has_value());
  EXPECT_EQ(query->where.kind, Kind::kAll);
  EXPECT_EQ(query->count, 50U);
  EXPECT_EQ(query->total, Total::kAccurate);
}

TEST(QueryTest, UnknownParametersAreRefusedWithTheNearestName) {
  ExpectRefused("Patient", "famly=x", "'family'");
  ExpectRefused("Patient", "__t=1", "'__t'");
  ExpectRefused("Patient", "_cuont=1", "'_count'");
  EXPECT_EQ(ErrorOf("Patient", "famly=x").issues[0].code, IssueCode::kNotSupported);
}

TEST(QueryTest, LenientHandlingIgnoresUnknownParametersAndSaysSo) {
  const auto query =
      Ask("Patient", "famly=x&gender=male&_include=Patient:nothing&_sort=-x,birthdate", Lenient());
  ASSERT_TRUE(query.has_value());
  EXPECT_THAT(query->ignored, ElementsAre("famly", "_include", "_sort=x"));
  EXPECT_THAT(query->applied, ElementsAre(Pair("gender", "male"), Pair("_sort", "-x,birthdate")));
  EXPECT_EQ(query->sort.size(), 1U);
}

TEST(QueryTest, AModifierIsNeverDroppedNotEvenLeniently) {
  for (const std::string_view query :
       {"gender:text=x", "gender:in=x", "gender:not-in=x", "identifier:of-type=a", "gender:exact=x",
        "birthdate:not=2020", "family:not=x", "gender:=x", "family:exact:contains=x", "_id:exact=x",
        "organization:contains=x", "_count:x=1"}) {
    EXPECT_EQ(ErrorOf("Patient", query, Lenient()).http_status, 400) << query;
  }
  ExpectRefused("Patient", "gender:text=x", "gender:text");
}

TEST(QueryTest, WhatThisServerDoesNotKnowIsNamed) {
  for (const std::string_view name : {"_query", "_score", "_type"}) {
    ExpectRefused("Patient", std::string(name) + "=x", name);
  }
  ExpectRefused("Patient", "near=1|2|3", "near");
  ExpectRefused("Patient", "_content=x", "DB_CONTENT_INDEX");
  ExpectRefused("Patient", "general-practitioner._content=x", "DB_CONTENT_INDEX");
}

TEST(QueryTest, ContainedResourcesAreNotSearched) {
  const auto query = Ask("Patient", "_contained=false&_containedType=container&gender=male");
  ASSERT_TRUE(query.has_value());
  EXPECT_EQ(query->applied.size(), 3U);
  EXPECT_EQ(query->where.kind, Kind::kValues);
  for (const std::string_view value : {"true", "both", "x", "False"}) {
    ExpectRefused("Patient", "_contained=" + std::string(value), "_contained");
    EXPECT_EQ(ErrorOf("Patient", "_contained=" + std::string(value), Lenient()).http_status, 400);
  }
  ExpectRefused("Patient", "_containedType=both", "_containedType");
  ExpectRefused("Patient", "_contained:not=true", "_contained:not");
}

TEST(QueryTest, AListIsWhatItsEntriesReferTo) {
  const auto query = Ask("Patient", "_list=42,x");
  ASSERT_TRUE(query.has_value());
  EXPECT_EQ(query->where.kind, Kind::kHas);
  EXPECT_EQ(query->where.type, "List");
  EXPECT_THAT(query->where.children.at(0).ids, ElementsAre("42", "x"));
  EXPECT_EQ(Ask("Observation", "subject:Patient._list=42")->where.kind, Kind::kChain);
  ExpectRefused("AllergyIntolerance", "_list=$current-allergies", "$current-allergies");
  ExpectRefused("Patient", "_list=List/42", "_list");
  ExpectRefused("Patient", "_list:missing=true", "missing");
  ExpectRefused("Patient", "_sort=_list", "_list");
}

TEST(QueryTest, AnIdHasNoTextAndNoSystem) {
  for (const std::string_view modifier : {"text", "in", "below", "of-type", "above", "not-in"}) {
    ExpectRefused("Patient", "_id:" + std::string(modifier) + "=x", modifier);
  }
}

TEST(QueryTest, EmptyValuesAreIgnoredAndNotApplied) {
  const auto query = Ask("Patient", "family=&gender=male&nothing=");
  ASSERT_TRUE(query.has_value());
  EXPECT_THAT(query->applied, ElementsAre(Pair("gender", "male")));
}

TEST(QueryTest, RepeatedParametersAreAllRequired) {
  const IndexEntries entries =
      Extract(R"({"resourceType":"Patient","name":[{"given":["Ann","Bo"]}]})");
  EXPECT_TRUE(Matches("Patient", entries, "given=ann&given=bo"));
  EXPECT_FALSE(Matches("Patient", entries, "given=ann&given=cy"));
  EXPECT_TRUE(Matches("Patient", entries, "given=cy,bo"));
}

TEST(QueryTest, MissingTakesTrueOrFalse) {
  const IndexEntries entries = Extract(R"({"resourceType":"Patient","gender":"male"})");
  EXPECT_TRUE(Matches("Patient", entries, "gender:missing=false&birthdate:missing=true"));
  EXPECT_FALSE(Matches("Patient", entries, "gender:missing=true"));
  EXPECT_TRUE(Matches("Patient", entries, "_id:missing=false"));
  EXPECT_FALSE(Matches("Patient", entries, "_lastUpdated:missing=true"));
  ExpectRefused("Patient", "gender:missing=maybe", "gender");
}

TEST(QueryTest, IdsAreAlternatives) {
  const auto query = Ask("Patient", "_id=a,b");
  ASSERT_TRUE(query.has_value());
  EXPECT_EQ(query->where.kind, Kind::kIds);
  EXPECT_THAT(query->where.ids, ElementsAre("a", "b"));
  ExpectRefused("Patient", "_id=a|b", "_id");
  const auto other = Ask("Patient", "_id:not=a");
  ASSERT_TRUE(other.has_value());
  EXPECT_EQ(other->where.kind, Kind::kNot);
}

TEST(QueryTest, AChainNamesTypeReferencesAndCondition) {
  const auto query = Ask("Observation", "patient.birthdate=2020");
  ASSERT_TRUE(query.has_value());
  EXPECT_EQ(query->where.kind, Kind::kChain);
  EXPECT_EQ(query->where.type, "Patient");
  EXPECT_EQ(query->where.references, R4().Find("Observation", "subject")->indexes);
  EXPECT_EQ(query->where.children.at(0).kind, Kind::kValues);
  EXPECT_FALSE(IsLocal(query->where));
}

TEST(QueryTest, AnUntypedChainGoesThroughAllTypesThatHaveTheParameter) {
  const auto query = Ask("Observation", "subject.name=x");
  ASSERT_TRUE(query.has_value());
  ASSERT_EQ(query->where.kind, Kind::kOr);
  std::vector<std::string> types;
  for (const Expression& way : query->where.children) types.push_back(way.type);
  EXPECT_THAT(types, testing::UnorderedElementsAre("Patient", "Location"));
  const auto typed = Ask("Observation", "subject:Patient.name:exact=x");
  ASSERT_TRUE(typed.has_value());
  EXPECT_EQ(typed->where.kind, Kind::kChain);
}

TEST(QueryTest, ChainsAndHasNest) {
  const auto query =
      Ask("Patient", "_has:Observation:patient:encounter:Encounter.service-provider.name=x");
  ASSERT_TRUE(query.has_value());
  EXPECT_EQ(query->where.kind, Kind::kHas);
  EXPECT_EQ(query->where.type, "Observation");
  EXPECT_EQ(query->where.children.at(0).kind, Kind::kChain);
  EXPECT_EQ(query->where.children.at(0).children.at(0).type, "Organization");
  const auto twice = Ask("Patient", "_has:Observation:patient:_has:AuditEvent:entity:agent=x");
  ASSERT_TRUE(twice.has_value());
  EXPECT_EQ(twice->where.children.at(0).kind, Kind::kHas);
  const auto inner = Ask("Encounter", "patient._has:Group:member:_id=x");
  ASSERT_TRUE(inner.has_value());
  EXPECT_EQ(inner->where.children.at(0).kind, Kind::kHas);
}

TEST(QueryTest, ImpossibleChainsAreRefused) {
  ExpectRefused("Observation", "code.x=1", "code");
  ExpectRefused("Observation", "subject.famly=1", "famly");
  ExpectRefused("Observation", "subject:Medication.code=1", "Medication");
  ExpectRefused("Observation", "subject:exact.name=1", "exact");
  ExpectRefused("Observation", "nothing.name=1", "nothing");
  ExpectRefused("Patient", "_has:Observation:code=1", "_has");
  ExpectRefused("Patient", "_has:Nothing:patient:code=1", "Nothing");
  ExpectRefused("Patient", "_has:Observation:code:code=1", "code");
  ExpectRefused("Organization", "_has:Observation:patient:code=1", "patient");
  ExpectRefused("QuestionnaireResponse", "questionnaire.title=1", "canonical");
}

TEST(QueryTest, ChainsThatGoTooManyWaysAreTooCostly) {
  std::string name = "target";
  for (int i = 0; i < 12; ++i) name += ".target";
  const auto query = Ask("Provenance", name + "=x");
  ASSERT_TRUE(!query.has_value());
  std::string list = "item";
  for (int i = 0; i < 12; ++i) list += ".subject";
  EXPECT_EQ(ErrorOf("List", list + "=x").issues[0].code, IssueCode::kTooCostly);
  std::string has;
  for (int i = 0; i < 2000; ++i) has += "_has:Patient:link:";
  EXPECT_EQ(ErrorOf("Patient", has + "name=x").issues[0].code, IssueCode::kTooCostly);
}

TEST(QueryTest, TooManyValuesAreTooCostly) {
  std::string ids = "List/0";
  for (int i = 0; i < 1000; ++i) ids += "," + std::to_string(i);
  EXPECT_EQ(ErrorOf("List", "item=" + ids).issues[0].code, IssueCode::kTooCostly);
}

TEST(QueryTest, CountsAreBounded) {
  EXPECT_EQ(Ask("Patient", "_count=7")->count, 7U);
  const auto zero = Ask("Patient", "_count=0&_summary=true");
  EXPECT_EQ(zero->summary, Summary::kCount);
  for (const std::string_view bad : {"-1", "x", "1x", "10001", "99999999999", "1.5"}) {
    ExpectRefused("Patient", "_count=" + std::string(bad), "_count");
  }
  ExpectRefused("Patient", "_count=1&_count=2", "_count");
}

TEST(QueryTest, ResultParametersAreUnderstood) {
  const auto query = Ask("Patient", "_summary=text&_total=none&_elements=name,gender&_format=json");
  ASSERT_TRUE(query.has_value());
  EXPECT_EQ(query->summary, Summary::kText);
  EXPECT_EQ(query->total, Total::kNone);
  EXPECT_THAT(query->elements, ElementsAre("name", "gender"));
  EXPECT_EQ(query->where.kind, Kind::kAll);
  EXPECT_EQ(query->applied.size(), 4U);
  ExpectRefused("Patient", "_summary=much", "_summary");
  ExpectRefused("Patient", "_total=all", "_total");
}

TEST(QueryTest, SortKeysNameWhereTheirValuesStand) {
  const auto query = Ask("Observation", "_sort=-date,_id,-_lastUpdated,patient,code");
  ASSERT_TRUE(query.has_value());
  ASSERT_EQ(query->sort.size(), 5U);
  EXPECT_TRUE(query->sort[0].descending);
  // Four types of effective[x], short and long ranges.
  EXPECT_EQ(query->sort[0].ranges.size(), 8U);
  EXPECT_EQ(query->sort[1].kind, SortKey::Kind::kId);
  EXPECT_EQ(query->sort[2].kind, SortKey::Kind::kLastUpdated);
  EXPECT_EQ(query->sort[3].ranges.at(0).prefix, "\x01Patient/");
  EXPECT_EQ(query->sort[4].ranges.at(0).prefix, "\x01");
  ExpectRefused("Observation", "_sort=dat", "'date'");
}

TEST(CriteriaTest, CriteriaAreStrictAndLocal) {
  const QueryOptions options;
  const auto parse = [&](std::string_view type, std::string_view text) {
    return ParseCriteria(R4(), type, *DecodeParameters(text), options);
  };
  EXPECT_TRUE(parse("Patient", "identifier=s|v").has_value());
  EXPECT_TRUE(parse("Patient", "_id=x&gender:not=male").has_value());
  EXPECT_FALSE(parse("Patient", "").has_value());
  EXPECT_FALSE(parse("Patient", "identifier=").has_value());
  EXPECT_FALSE(parse("Patient", "identifier=x&_count=1").has_value());
  EXPECT_FALSE(parse("Patient", "identifer=x").has_value());
  EXPECT_FALSE(parse("Observation", "patient.name=x").has_value());
  EXPECT_FALSE(parse("Patient", "_has:Observation:patient:code=x").has_value());
}

TEST(CompartmentTest, MembersReferToTheCompartment) {
  const auto observations = CompartmentExpression(R4(), "Patient", "1", "Observation");
  ASSERT_TRUE(observations.has_value());
  const auto matches = [&](std::string_view json) {
    const IndexEntries entries = Extract(json);
    return Matches(*observations, {"x", 0, &entries});
  };
  EXPECT_TRUE(matches(R"({"resourceType":"Observation","subject":{"reference":"Patient/1"}})"));
  EXPECT_TRUE(matches(R"({"resourceType":"Observation","performer":[{"reference":"Patient/1"}]})"));
  EXPECT_FALSE(matches(R"({"resourceType":"Observation","subject":{"reference":"Patient/12"}})"));
  EXPECT_FALSE(matches(R"({"resourceType":"Observation","subject":{"reference":"Group/1"}})"));
}

TEST(CompartmentTest, TheCompartmentsOwnTypeIsTheResourceItself) {
  const auto own = CompartmentExpression(R4(), "Patient", "1", "Patient");
  ASSERT_TRUE(own.has_value());
  EXPECT_EQ(own->kind, Kind::kIds);
  EXPECT_THAT(own->ids, ElementsAre("1"));
  EXPECT_FALSE(CompartmentExpression(R4(), "Patient", "1", "Organization").has_value());
  EXPECT_FALSE(CompartmentExpression(R4(), "Nothing", "1", "Patient").has_value());
}

TEST(CompartmentTest, EveryParameterOfACompartmentIsAReferenceParameter) {
  for (const auto& member : definitions::CompartmentMembers()) {
    for (const std::string_view code : member.parameters) {
      if (code == "{def}") continue;
      const SearchParameter* parameter = R4().Find(member.resource_type, code);
      ASSERT_NE(parameter, nullptr) << member.resource_type << " " << code;
      EXPECT_EQ(parameter->type, SearchType::kReference);
    }
  }
}

TEST(QueryTest, WhatMakesWorkForEveryMatchIsBounded) {
  const auto list = [](std::string_view item, std::size_t count) {
    std::string text(item);
    for (std::size_t i = 1; i < count; ++i) text.append(",").append(item);
    return text;
  };
  const auto status = [](const std::string& query) {
    const auto parsed = Ask("Patient", query);
    return parsed ? 200 : parsed.error().http_status;
  };
  EXPECT_EQ(status("_sort=" + list("name", 16)), 200);
  EXPECT_EQ(status("_sort=" + list("name", 17)), 403);
  EXPECT_EQ(status("_elements=" + list("name", 1'000)), 200);
  EXPECT_EQ(status("_elements=" + list("name", 1'001)), 403);
  EXPECT_EQ(status("_lastUpdated=" + list("2020", 20'000)), 200);
  EXPECT_EQ(status("_lastUpdated=" + list("2020", 20'001)), 403);
  EXPECT_EQ(status("_id=" + list("a", 20'001)), 403);
}

TEST(QueryTest, AQueryLongerThanAMebibyteIsTooLarge) {
  EXPECT_TRUE(DecodeParameters(std::string(kMaxQueryBytes, 'a')).has_value());
  const auto refused = DecodeParameters(std::string(kMaxQueryBytes + 1, 'a'));
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().http_status, 413);
}

}  // namespace
}  // namespace fhir::search
