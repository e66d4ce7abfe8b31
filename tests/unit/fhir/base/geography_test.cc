#include "fhir/base/geography.h"

#include <numbers>

#include <gtest/gtest.h>

namespace fhir {
namespace {

TEST(GeographyTest, DistancesAreThoseOfTheSphere) {
  constexpr double kHalfAroundM = 6'371'008.8 * std::numbers::pi;
  EXPECT_NEAR(DistanceM({0, 0}, {0, 180}), kHalfAroundM, 1);
  EXPECT_NEAR(DistanceM({90, 12}, {-90, 99}), kHalfAroundM, 1);
  EXPECT_NEAR(DistanceM({0, 0}, {0, 1}), kHalfAroundM / 180, 0.01);
  EXPECT_NEAR(DistanceM({60, 179.5}, {60, -179.5}), kHalfAroundM / 360, 10);
  EXPECT_NEAR(DistanceM({52.5186, 13.4081}, {51.3353, 12.3726}), 149'500, 500);
  EXPECT_EQ(DistanceM({12.5, -7}, {12.5, -7}), 0);
}

TEST(GeographyTest, ADegreeOfLatitudeIsTheSameEverywhere) {
  EXPECT_NEAR(DegreesOfLatitude(DistanceM({10, 5}, {12, 5})), 2, 1e-9);
}

}  // namespace
}  // namespace fhir
