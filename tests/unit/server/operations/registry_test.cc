#include <gtest/gtest.h>

#include "fhir/definitions/definitions.h"
#include "server/operations/operation.h"

namespace server {
namespace {

TEST(OperationRegistryTest, EveryOperationDescribesItself) {
  for (const Operation* operation : Operations()) {
    EXPECT_FALSE(operation->code.empty());
    EXPECT_TRUE(operation->definition.starts_with("http") ||
                operation->definition.starts_with("urn:"));
    EXPECT_NE(operation->handler.read == nullptr, operation->handler.prepare == nullptr);
    EXPECT_EQ(operation->level == Level::kSystem, operation->resource_type.empty());
    if (!operation->resource_type.empty()) {
      EXPECT_TRUE(fhir::definitions::IsResourceType(operation->resource_type));
    }
  }
}

}  // namespace
}  // namespace server
