// Location's near.
#include "fhir/search/types/position.h"

#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/fhir/search/search_fixture.h"

namespace fhir::search {
namespace {

IndexEntries At(std::string_view latitude, std::string_view longitude) {
  return Extract(R"({"resourceType":"Location","position":{"latitude":)" + std::string(latitude) +
                 R"(,"longitude":)" + std::string(longitude) + "}}");
}

bool Finds(const IndexEntries& entries, std::string_view near) {
  return Matches("Location", entries, "near=" + std::string(near));
}

// Leipzig's town hall; Berlin's is 149 km away.
const IndexEntries& Leipzig() {
  static const IndexEntries kEntries = At("51.3353", "12.3726");
  return kEntries;
}

TEST(PositionTest, DistanceIsInKilometresUnlessUnitsAreGiven) {
  EXPECT_TRUE(Finds(Leipzig(), "52.5186|13.4081|151|km"));
  EXPECT_FALSE(Finds(Leipzig(), "52.5186|13.4081|147|km"));
  EXPECT_TRUE(Finds(Leipzig(), "52.5186|13.4081|151"));
  EXPECT_TRUE(Finds(Leipzig(), "52.5186|13.4081|151000|m"));
  EXPECT_FALSE(Finds(Leipzig(), "52.5186|13.4081|151|m"));
  EXPECT_TRUE(Finds(Leipzig(), "52.5186|13.4081|94|[mi_i]"));
  EXPECT_FALSE(Finds(Leipzig(), "52.5186|13.4081|90|mi"));
}

TEST(PositionTest, WithoutADistanceNearIsFiftyKilometres) {
  EXPECT_TRUE(Finds(Leipzig(), "51.4|12.4"));
  EXPECT_TRUE(Finds(Leipzig(), "51.4|12.4|"));
  EXPECT_TRUE(Finds(Leipzig(), "51.4|12.4||m"));
  EXPECT_FALSE(Finds(Leipzig(), "52.5186|13.4081"));
}

TEST(PositionTest, AnyOfSeveralPlaces) {
  EXPECT_TRUE(Finds(Leipzig(), "0|0|1,51.3353|12.3726|0"));
  EXPECT_FALSE(Finds(Leipzig(), "0|0|1,1|1|1"));
}

TEST(PositionTest, CirclesCrossTheDateLineAndThePoles) {
  EXPECT_TRUE(Finds(At("0", "179.9"), "0|-179.9|23"));
  EXPECT_FALSE(Finds(At("0", "179.9"), "0|-179.9|22"));
  EXPECT_TRUE(Finds(At("89.9", "0"), "89.9|180|23"));
  EXPECT_TRUE(Finds(At("-89.9", "0"), "-90|77|12"));
  EXPECT_TRUE(Finds(At("-0.0", "0"), "0|0|0"));
}

TEST(PositionTest, WhatIsNoPlaceIsThereButNotFound) {
  const IndexEntries nowhere = At("91", "0");
  EXPECT_FALSE(Finds(nowhere, "90|0|20000"));
  EXPECT_TRUE(Matches("Location", nowhere, "near:missing=false"));
  EXPECT_TRUE(Matches("Location", Extract(R"({"resourceType":"Location"})"), "near:missing=true"));
}

TEST(PositionTest, BadValuesAreRefused) {
  for (const std::string_view near : {"51", "51|", "x|12", "91|0|1", "0|181|1", "0|0|-1", "0|0|x",
                                      "0|0|1|parsec", "0|0|1|km|1", "nan|0|1", "0|0|inf"}) {
    const auto parsed = Ask("Location", "near=" + std::string(near));
    ASSERT_FALSE(parsed.has_value()) << near;
    EXPECT_EQ(parsed.error().http_status, 400) << near;
  }
  EXPECT_FALSE(Ask("Location", "_sort=near").has_value());
  EXPECT_FALSE(Ask("Location", "near:exact=0|0").has_value());
}

// The band of latitudes leaves out nothing that is near enough.
TEST(PositionTest, AgreesWithMeasuringEachPlace) {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> latitude(-90, 90);
  std::uniform_real_distribution<double> longitude(-180, 180);
  std::uniform_real_distribution<double> kilometres(0, 20'000);
  for (int i = 0; i < 2'000; ++i) {
    const GeoPoint place{latitude(random), longitude(random)};
    const GeoPoint centre{latitude(random), longitude(random)};
    const double radius_km = kilometres(random);
    const std::string near = std::to_string(centre.latitude) + "|" +
                             std::to_string(centre.longitude) + "|" + std::to_string(radius_km);
    const double distance_km = DistanceM(place, centre) / 1000;
    if (std::abs(distance_km - radius_km) < 0.01) continue;  // Digits were cut.
    EXPECT_EQ(Finds(At(std::to_string(place.latitude), std::to_string(place.longitude)), near),
              distance_km < radius_km);
  }
}

}  // namespace
}  // namespace fhir::search
