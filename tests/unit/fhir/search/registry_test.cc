#include "fhir/search/registry.h"

#include <algorithm>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fhir/search/types/search_type.h"
#include "tests/unit/fhir/search/search_fixture.h"

namespace fhir::search {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Not;

// BuildR4 aborts for a parameter that does not compile.
TEST(RegistryTest, EveryParameterOfR4IsThereUnlessItIsNoneOfASearch) {
  std::size_t missing = 0;
  for (const auto& definition : definitions::SearchParameters()) {
    for (const std::string_view base : definition.base) {
      const std::string_view type =
          base == "Resource" || base == "DomainResource" ? "Patient" : base;
      if (R4().Find(type, definition.code) != nullptr) continue;
      ++missing;
      EXPECT_THAT((std::set<std::string_view>{"_content", "_query"}), Contains(definition.code));
    }
  }
  EXPECT_EQ(missing, 2U);
}

TEST(RegistryTest, EveryParameterHasIndexesOfItsType) {
  for (const definitions::Type& type : definitions::Types()) {
    if (type.kind != definitions::TypeKind::kResource) continue;
    for (const SearchParameter& parameter : R4().ParametersOf(type.name)) {
      if (parameter.rules == nullptr) continue;  // _id, _lastUpdated, _list
      EXPECT_FALSE(parameter.indexes.empty()) << parameter.url;
      for (const IndexId index : parameter.indexes) {
        EXPECT_EQ(R4().IndexAt(index).type, parameter.type);
        EXPECT_EQ(R4().IndexAt(index).resource_type, type.name);
      }
      if (parameter.type == SearchType::kReference) {
        EXPECT_FALSE(parameter.targets.empty()) << parameter.url;
      }
      EXPECT_EQ(parameter.components.empty(), parameter.type != SearchType::kComposite);
    }
  }
}

TEST(RegistryTest, KeysAreUniqueAndNameThePath) {
  std::set<std::string> keys;
  for (IndexId index = 0; index < R4().IndexCount(); ++index) {
    const IndexSpec& spec = R4().IndexAt(index);
    EXPECT_TRUE(keys.insert(spec.key).second) << spec.key;
  }
  // With the revision of its values: an index made before them is another one.
  EXPECT_THAT(keys, Contains("Observation.code:token.2"));
  EXPECT_THAT(keys, Contains("Observation.valueQuantity:quantity.3"));
  EXPECT_THAT(keys, Contains("Observation(code:token.2,valueQuantity:quantity.3):composite"));
  EXPECT_THAT(keys,
              Contains("DocumentReference.relatesTo(target:reference,code:token.2):composite"));
}

TEST(RegistryTest, ParametersWithTheSamePathShareItsIndex) {
  const SearchParameter* code = R4().Find("Observation", "code");
  const SearchParameter* combo = R4().Find("Observation", "combo-code");
  ASSERT_TRUE(code != nullptr && combo != nullptr);
  EXPECT_EQ(combo->indexes.size(), 2U);
  EXPECT_THAT(combo->indexes, Contains(code->indexes[0]));
  EXPECT_EQ(R4().Find("Observation", "patient")->indexes,
            R4().Find("Observation", "subject")->indexes);
}

TEST(RegistryTest, AResolvedTypeRestrictsTheParameter) {
  const SearchParameter* patient = R4().Find("Observation", "patient");
  EXPECT_EQ(patient->only_type, "Patient");
  EXPECT_THAT(patient->targets, ElementsAre("Patient"));
  EXPECT_EQ(R4().Find("Observation", "subject")->only_type, "");
  EXPECT_EQ(R4().Find("Immunization", "patient")->only_type, "");
}

TEST(RegistryTest, UnknownNamesAreNotFound) {
  EXPECT_EQ(R4().Find("Patient", "nothing"), nullptr);
  EXPECT_EQ(R4().Find("Nothing", "name"), nullptr);
  EXPECT_THAT(R4().ParametersOf("Nothing"), IsEmpty());
  EXPECT_EQ(R4().PlanOf("Resource"), nullptr);
}

TEST(RegistryTest, EveryTypeHasASearchType) {
  for (const SearchType type : {SearchType::kNumber, SearchType::kDate, SearchType::kString,
                                SearchType::kToken, SearchType::kReference, SearchType::kComposite,
                                SearchType::kQuantity, SearchType::kUri, SearchType::kSpecial}) {
    EXPECT_EQ(FindSearchType(type)->type, type);
  }
  EXPECT_EQ(FindSearchType(SearchType::kString), &kStringType);  // And not words.
}

}  // namespace
}  // namespace fhir::search
