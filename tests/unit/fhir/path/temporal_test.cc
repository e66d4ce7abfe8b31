#include "fhir/path/temporal.h"

#include <string>

#include <gtest/gtest.h>

namespace fhir::path {
namespace {

using enum TemporalKind;

Temporal T(TemporalKind kind, std::string_view text) {
  const auto value = ParseTemporal(kind, text);
  EXPECT_TRUE(value.has_value()) << text;
  return value.value_or(Temporal{});
}

std::string Text(const std::optional<Temporal>& value) {
  return value ? ToString(*value) : "nothing";
}

TEST(FhirPathTemporalTest, TextsOfEveryPrecisionComeBackAsWritten) {
  for (const std::string text : {"2015", "2015-02", "2015-02-04"}) {
    EXPECT_EQ(ToString(T(kDate, text)), text);
    EXPECT_EQ(ToString(T(kDateTime, text)), text);
  }
  for (const std::string text : {"2015-02-04T14", "2015-02-04T14:34:28.120Z",
                                 "0001-01-01T00:00-05:30", "9999-12-31T23:59:59.999+14:00"}) {
    EXPECT_EQ(ToString(T(kDateTime, text)), text);
  }
  EXPECT_EQ(ToString(T(kTime, "14:34:28.1")), "14:34:28.1");
  EXPECT_EQ(ToString(T(kDateTime, "2015T")), "2015");
}

TEST(FhirPathTemporalTest, WhatIsNoRealTimeIsRefused) {
  for (const std::string text : {"", "15", "2015-13", "2015-02-29", "0000", "2015-2-4", "2015T",
                                 "2015-02-04T14", "2015-02-04x"}) {
    EXPECT_FALSE(ParseTemporal(kDate, text)) << text;
  }
  for (const std::string text : {"2015-02-04T24", "2015-02T10", "2015-02-04T10:00+15:00",
                                 "2015-02-04T10:60", "2015-02-04T10:00:00."}) {
    EXPECT_FALSE(ParseTemporal(kDateTime, text)) << text;
  }
  EXPECT_FALSE(ParseTemporal(kTime, "14:34:28Z"));
  EXPECT_TRUE(ParseTemporal(kDate, "2024-02-29"));
}

TEST(FhirPathTemporalTest, PrecisionLeavesTheOrderOpenOnlyWhereItMatters) {
  EXPECT_EQ(Compare(T(kDate, "2018-03"), T(kDate, "2018-03-01")), std::nullopt);
  EXPECT_EQ(Compare(T(kDate, "2018-03"), T(kDate, "2018-04-01")), std::strong_ordering::less);
  EXPECT_EQ(Compare(T(kTime, "10:30:00"), T(kTime, "10:30:00.0")), std::strong_ordering::equal);
  EXPECT_EQ(Compare(T(kTime, "10:30"), T(kDate, "2018")), std::nullopt);
}

TEST(FhirPathTemporalTest, AMissingZoneLeavesTheOrderOpenWithinADay) {
  const Temporal zoned = T(kDateTime, "2012-04-15T15:00:00Z");
  EXPECT_EQ(Compare(zoned, T(kDateTime, "2012-04-15T10:00:00")), std::nullopt);
  EXPECT_EQ(Compare(zoned, T(kDate, "2012-04-15")), std::nullopt);
  EXPECT_EQ(Compare(zoned, T(kDate, "2012-04-17")), std::strong_ordering::less);
  EXPECT_EQ(Compare(zoned, T(kDate, "2011")), std::strong_ordering::greater);
}

TEST(FhirPathTemporalTest, ZonesAreComparedAsInstants) {
  EXPECT_EQ(
      Compare(T(kDateTime, "2012-12-31T23:30:00-01:00"), T(kDateTime, "2013-01-01T00:30:00Z")),
      std::strong_ordering::equal);
  // At the ends of the calendar too.
  EXPECT_TRUE(
      Compare(T(kDateTime, "0001-01-01T00:00:00+14:00"), T(kDateTime, "0001-01-01T00:00:00Z")));
}

TEST(FhirPathTemporalTest, AddingKeepsToTheCalendar) {
  EXPECT_EQ(Text(Add(T(kDate, "2024-01-31"), 1, TimeUnit::kMonth)), "2024-02-29");
  EXPECT_EQ(Text(Add(T(kDate, "2024-02-29"), 1, TimeUnit::kYear)), "2025-02-28");
  EXPECT_EQ(Text(Add(T(kDate, "1973-12-25"), -2, TimeUnit::kWeek)), "1973-12-11");
  EXPECT_EQ(Text(Add(T(kDateTime, "1973-12-31T23:59:59.5Z"), 600, TimeUnit::kMillisecond)),
            "1974-01-01T00:00:00.100Z");
  EXPECT_EQ(Text(Add(T(kDateTime, "1974-01-01T00:00:00Z"), -1, TimeUnit::kSecond)),
            "1973-12-31T23:59:59Z");
}

TEST(FhirPathTemporalTest, AddingIsCutToTheValuesOwnPrecision) {
  EXPECT_EQ(Text(Add(T(kDate, "2016"), 365, TimeUnit::kDay)), "2017");
  EXPECT_EQ(Text(Add(T(kDate, "2016"), 364, TimeUnit::kDay)), "2016");
  EXPECT_EQ(Text(Add(T(kDate, "2016-01"), 30, TimeUnit::kDay)), "2016-02");
  EXPECT_EQ(Text(Add(T(kDate, "2016-01-01"), 47, TimeUnit::kHour)), "2016-01-02");
  EXPECT_EQ(Text(Add(T(kTime, "23:30"), 45, TimeUnit::kMinute)), "00:15");
}

TEST(FhirPathTemporalTest, LeavingTheCalendarIsNothing) {
  EXPECT_EQ(Text(Add(T(kDate, "9999-12-31"), 1, TimeUnit::kDay)), "nothing");
  EXPECT_EQ(Text(Add(T(kDate, "0001"), -1, TimeUnit::kYear)), "nothing");
  EXPECT_EQ(Text(Add(T(kDate, "2000"), INT64_MAX, TimeUnit::kMillisecond)), "nothing");
  EXPECT_EQ(Text(Add(T(kDateTime, "2000-01-01T00:00:00Z"), 999'999'999'999, TimeUnit::kHour)),
            "nothing");
  EXPECT_EQ(Text(Add(T(kTime, "10:00"), 1, TimeUnit::kDay)), "nothing");
}

TEST(FhirPathTemporalTest, BoundariesAreTheFirstAndLastPossibleValues) {
  EXPECT_EQ(Text(BoundaryOf(T(kDate, "2024-02"), Boundary::kHigh, 8)), "2024-02-29");
  EXPECT_EQ(Text(BoundaryOf(T(kDate, "2014"), Boundary::kLow, 6)), "2014-01");
  EXPECT_EQ(Text(BoundaryOf(T(kDateTime, "2014-01-01T08"), Boundary::kHigh, 17)),
            "2014-01-01T08:59:59.999-12:00");
  EXPECT_EQ(Text(BoundaryOf(T(kDateTime, "2014-01-05T08:05:01Z"), Boundary::kLow, 8)),
            "2014-01-05");
  EXPECT_EQ(Text(BoundaryOf(T(kTime, "10:30:01.2"), Boundary::kHigh, 9)), "10:30:01.299");
  EXPECT_EQ(Text(BoundaryOf(T(kDate, "2014"), Boundary::kLow, 7)), "nothing");
  EXPECT_EQ(Text(BoundaryOf(T(kTime, "10:30"), Boundary::kLow, -1)), "nothing");
}

}  // namespace
}  // namespace fhir::path
