#include "fhir/base/time.h"

#include <cstdlib>
#include <ctime>
#include <string>

#include <gtest/gtest.h>

namespace fhir {
namespace {

// The first instant of an interval and the first one after it, as text in UTC.
void ExpectRange(std::string_view text, const TimeZone& zone, std::string_view low,
                 std::string_view high) {
  std::optional<TimeRange> range = ParseDateTime(text, zone);
  ASSERT_TRUE(range) << text;
  EXPECT_EQ(FormatInstant(range->low_us / 1000), low) << text;
  EXPECT_EQ(FormatInstant(range->high_us / 1000), high) << text;
}

TEST(TimeTest, APartialDateIsTheWholeOfIt) {
  TimeZone utc = TimeZone::Utc();
  ExpectRange("2020", utc, "2020-01-01T00:00:00.000Z", "2021-01-01T00:00:00.000Z");
  ExpectRange("2020-12", utc, "2020-12-01T00:00:00.000Z", "2021-01-01T00:00:00.000Z");
  ExpectRange("2020-02-29", utc, "2020-02-29T00:00:00.000Z", "2020-03-01T00:00:00.000Z");
  ExpectRange("2020-01-01T10:59", utc, "2020-01-01T10:59:00.000Z", "2020-01-01T11:00:00.000Z");
  ExpectRange("2020-01-01T10:59Z", utc, "2020-01-01T10:59:00.000Z", "2020-01-01T11:00:00.000Z");
  ExpectRange("2020-01-01T23:59:59", utc, "2020-01-01T23:59:59.000Z", "2020-01-02T00:00:00.000Z");
  ExpectRange("2020-01-01T10:00:00.1Z", utc, "2020-01-01T10:00:00.100Z",
              "2020-01-01T10:00:00.200Z");
  ExpectRange("2020-01-01T10:00:00.120Z", utc, "2020-01-01T10:00:00.120Z",
              "2020-01-01T10:00:00.121Z");
  ExpectRange("0001", utc, "0001-01-01T00:00:00.000Z", "0002-01-01T00:00:00.000Z");
  ExpectRange("9998", utc, "9998-01-01T00:00:00.000Z", "9999-01-01T00:00:00.000Z");
  EXPECT_TRUE(ParseDateTime("9999-12-31T23:59:59-14:00", utc));
}

TEST(TimeTest, AFractionEndsAtMicroseconds) {
  std::optional<TimeRange> range =
      ParseDateTime("1970-01-01T00:00:00.1234567899Z", TimeZone::Utc());
  ASSERT_TRUE(range);
  EXPECT_EQ(range->low_us, 123456);
  EXPECT_EQ(range->high_us, 123457);
}

TEST(TimeTest, ALeapSecondIsTheSecondBeforeIt) {
  ExpectRange("2016-12-31T23:59:60Z", TimeZone::Utc(), "2016-12-31T23:59:59.000Z",
              "2017-01-01T00:00:00.000Z");
}

TEST(TimeTest, TimesBeforeTheEpochAreNegative) {
  std::optional<TimeRange> range = ParseDateTime("1969-12-31T23:59:59.999999Z", TimeZone::Utc());
  ASSERT_TRUE(range);
  EXPECT_EQ(range->low_us, -1);
  EXPECT_EQ(FormatInstant(-1), "1969-12-31T23:59:59.999Z");
}

TEST(TimeTest, AnOffsetInTheTextBeatsTheZone) {
  TimeZone berlin = *TimeZone::Find("Europe/Berlin");
  ExpectRange("2024-01-01T00:00:00+01:00", TimeZone::Utc(), "2023-12-31T23:00:00.000Z",
              "2023-12-31T23:00:01.000Z");
  ExpectRange("2019-03-08T10:00:00-08:00", berlin, "2019-03-08T18:00:00.000Z",
              "2019-03-08T18:00:01.000Z");
  ExpectRange("2024-01-01T00:00:00-14:00", berlin, "2024-01-01T14:00:00.000Z",
              "2024-01-01T14:00:01.000Z");
}

TEST(TimeTest, ATextWithoutOffsetIsReadInTheZone) {
  TimeZone berlin = *TimeZone::Find("Europe/Berlin");
  ExpectRange("2024", berlin, "2023-12-31T23:00:00.000Z", "2024-12-31T23:00:00.000Z");
  ExpectRange("2024-07-01T12:00", berlin, "2024-07-01T10:00:00.000Z", "2024-07-01T10:01:00.000Z");
  ExpectRange("2024-01-01", *TimeZone::Find("+05:30"), "2023-12-31T18:30:00.000Z",
              "2024-01-01T18:30:00.000Z");
}

TEST(TimeTest, DaysOnWhichClocksChangeAreShorterOrLonger) {
  TimeZone berlin = *TimeZone::Find("Europe/Berlin");
  ExpectRange("2024-03-31", berlin, "2024-03-30T23:00:00.000Z", "2024-03-31T22:00:00.000Z");
  ExpectRange("2024-10-27", berlin, "2024-10-26T22:00:00.000Z", "2024-10-27T23:00:00.000Z");
}

TEST(TimeTest, LocalTimesThatAreNotOrAreTwiceStillGiveARange) {
  TimeZone berlin = *TimeZone::Find("Europe/Berlin");
  for (const char* text :
       {"2024-03-31T01:59", "2024-03-31T02:00", "2024-03-31T02:30", "2024-03-31T02:59",
        "2024-10-27T01:59", "2024-10-27T02:00", "2024-10-27T02:59", "2024-10-27T02:59:59.9"}) {
    std::optional<TimeRange> range = ParseDateTime(text, berlin);
    ASSERT_TRUE(range) << text;
    EXPECT_LT(range->low_us, range->high_us) << text;
  }
}

TEST(TimeTest, AnswersDoNotDependOnTheProcessTimeZone) {
  const char* before = std::getenv("TZ");
  std::string saved = before == nullptr ? "" : before;
  setenv("TZ", "America/Los_Angeles", 1);
  tzset();
  ExpectRange("2019-03-08", TimeZone::Utc(), "2019-03-08T00:00:00.000Z",
              "2019-03-09T00:00:00.000Z");
  EXPECT_EQ(FormatHttpDate(0), "Thu, 01 Jan 1970 00:00:00 GMT");
  if (before == nullptr) {
    unsetenv("TZ");
  } else {
    setenv("TZ", saved.c_str(), 1);
  }
  tzset();
}

TEST(TimeTest, ZonesAreFoundByNameOrOffset) {
  EXPECT_TRUE(TimeZone::Find("UTC"));
  EXPECT_TRUE(TimeZone::Find("Z"));
  EXPECT_TRUE(TimeZone::Find("America/New_York"));
  EXPECT_EQ(TimeZone::Find("-03:30")->ToUtc(0), 12'600'000'000);
  for (const char* name : {"", "Mars/Olympus", "+15:00", "+1", "+01:00x", "-14:01"}) {
    EXPECT_FALSE(TimeZone::Find(name)) << name;
  }
}

TEST(TimeTest, WhatIsNoRealDateIsRefused) {
  for (const char* text : {"",
                           "0000",
                           "20",
                           "20200",
                           "2020-",
                           "2020-00",
                           "2020-13",
                           "2024-1",
                           "2026-02-29",
                           "1900-02-29",
                           "2020-04-31",
                           "2020-01-00",
                           "2020-01-01T",
                           "2020-01-01T10",
                           "2020-01-01T24:00",
                           "2020-01-01T10:60",
                           "2020-01-01T10:00:61",
                           "2020-01-01T10:00:00.",
                           "2020-01-01T10:00:00.Z",
                           "2020-01-01T10:00:00+1:00",
                           "2020-01-01T10:00:00+14:01",
                           "2020-01-01T10:00:00+15:00",
                           "2020-01-01T10:00:00ZZ",
                           "2020-01-01Z",
                           "2020-01-01 10:00:00",
                           "+2020",
                           "-2020",
                           "2020-01-01t10:00:00Z",
                           " 2020",
                           "2020 "}) {
    EXPECT_FALSE(ParseDateTime(text, TimeZone::Utc())) << text;
    EXPECT_FALSE(IsDateTime(text)) << text;
  }
  EXPECT_TRUE(ParseDateTime("2000-02-29", TimeZone::Utc()));
}

TEST(TimeTest, PrimitivesAreStricterThanSearches) {
  EXPECT_TRUE(IsDate("2020-01-01"));
  EXPECT_FALSE(IsDate("2020-01-01T10:00:00Z"));
  EXPECT_TRUE(IsDateTime("2020"));
  EXPECT_TRUE(IsDateTime("2020-01-01T10:00:00.5+01:00"));
  EXPECT_FALSE(IsDateTime("2020-01-01T10:00:00"));
  EXPECT_FALSE(IsDateTime("2020-01-01T10:00Z"));
  EXPECT_TRUE(IsInstant("2020-01-01T10:00:60Z"));
  EXPECT_FALSE(IsInstant("2020-01-01"));
  EXPECT_FALSE(IsInstant("2020-01-01T10:00:00"));
  EXPECT_TRUE(IsTime("23:59:59.123"));
  EXPECT_FALSE(IsTime("24:00:00"));
  EXPECT_FALSE(IsTime("10:00"));
  EXPECT_FALSE(IsTime("10:00:00Z"));
}

TEST(TimeTest, EveryDayIsWrittenAsItIsRead) {
  std::int64_t expected_us = ParseDateTime("0001-01-01", TimeZone::Utc())->low_us;
  for (std::int64_t day = 0; day < 800'000; ++day) {  // Past the year 2190.
    std::string text = FormatInstant(expected_us / 1000);
    std::optional<TimeRange> range = ParseDateTime(text.substr(0, 10), TimeZone::Utc());
    ASSERT_TRUE(range) << text;
    ASSERT_EQ(range->low_us, expected_us) << text;
    expected_us = range->high_us;
  }
}

TEST(TimeTest, HttpDatesAreAsRfc9110Says) {
  EXPECT_EQ(FormatHttpDate(784'111'777'000), "Sun, 06 Nov 1994 08:49:37 GMT");
  EXPECT_EQ(FormatHttpDate(1'577'872'800'000), "Wed, 01 Jan 2020 10:00:00 GMT");
  EXPECT_EQ(FormatHttpDate(-1), "Wed, 31 Dec 1969 23:59:59 GMT");
}

}  // namespace
}  // namespace fhir
