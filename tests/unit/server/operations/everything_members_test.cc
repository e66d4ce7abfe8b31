#include "server/operations/everything_members.h"

#include <gtest/gtest.h>

#include "fhir/definitions/definitions.h"

namespace server {
namespace {

TEST(EverythingMembersTest, EveryCareDateIsADateParameterOfItsType) {
  const auto registry = fhir::search::Registry::BuildR4();
  std::size_t count = 0;
  for (const fhir::definitions::Type& type : fhir::definitions::Types()) {
    const std::string_view code = CareDateParameter(type.name);
    if (code.empty()) continue;
    ++count;
    const auto* parameter = registry->Find(type.name, code);
    ASSERT_NE(parameter, nullptr) << type.name << " " << code;
    EXPECT_EQ(parameter->type, fhir::search::SearchType::kDate) << type.name;
    EXPECT_FALSE(parameter->indexes.empty()) << type.name;
    EXPECT_NE(fhir::definitions::FindCompartmentMember("Patient", type.name), nullptr)
        << type.name << " is not in the compartment";
  }
  EXPECT_GT(count, 50U);
}

TEST(EverythingMembersTest, WithoutTypesAllAreAllowed) {
  EverythingFilter filter;
  EXPECT_TRUE(filter.Allows("Patient"));
  filter.types = {"Observation"};
  EXPECT_FALSE(filter.Allows("Patient"));
  EXPECT_TRUE(filter.Allows("Observation"));
}

}  // namespace
}  // namespace server
