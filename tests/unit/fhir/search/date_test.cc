#include <optional>
#include <random>

#include <gtest/gtest.h>

#include "tests/unit/fhir/search/search_fixture.h"

namespace fhir::search {
namespace {

constexpr std::int64_t kMin = INT64_MIN;
constexpr std::int64_t kMax = INT64_MAX;

// R4 3.1.1.4.5 and .7 on ranges [low, high), word by word.
bool Naive(std::string_view prefix, const TimeRange& r, const TimeRange& s, std::int64_t now) {
  const bool within = s.low_us <= r.low_us && r.high_us <= s.high_us;
  if (prefix == "ne") return !within;
  if (prefix == "gt") return r.high_us > s.high_us;
  if (prefix == "lt") return r.low_us < s.low_us;
  if (prefix == "ge") return r.high_us > s.high_us || within;
  if (prefix == "le") return r.low_us < s.low_us || within;
  if (prefix == "sa") return r.low_us >= s.high_us;
  if (prefix == "eb") return r.high_us <= s.low_us;
  if (prefix == "ap") {
    const std::int64_t gap = std::abs(now - s.low_us) / 10;
    return r.low_us < s.high_us + gap && r.high_us > s.low_us - gap;
  }
  return within;
}

// Few different dates of every precision, so that ends often meet: each other and those of months.
std::string RandomDate(std::mt19937* random) {
  const auto pick = [&](int n) { return static_cast<int>((*random)() % static_cast<unsigned>(n)); };
  const std::string years[] = {"2019", "2020", "2021"};
  const std::string days[] = {"01-01", "01-02", "01-03", "01-31", "03-01", "06-15", "12-31"};
  const std::string times[] = {"T00:00:00Z", "T12:00:00.5Z", "T23:59:59Z", "T23:59:59.999+00:00",
                               "T03:00:00+05:00"};
  const std::string year = years[pick(3)];
  switch (pick(4)) {
    case 0: return year;
    case 1: return year + (pick(2) == 0 ? "-01" : "-12");
    case 2: return year + "-" + days[pick(7)];
    default: return year + "-" + days[pick(7)] + times[pick(5)];
  }
}

struct Dated {
  std::string json;  // A member of Observation.
  TimeRange range;
};

Dated RandomElement(std::mt19937* random, const TimeZone& zone) {
  if ((*random)() % 2 == 0) {
    const std::string text = RandomDate(random);
    return {R"("effectiveDateTime":")" + text + "\"", *ParseDateTime(text, zone)};
  }
  const std::string start = RandomDate(random);
  const std::string end = RandomDate(random);
  const auto open = (*random)() % 4;
  Dated dated{R"("effectivePeriod":{)", {kMin, kMax}};
  if (open != 0) {
    dated.json += R"("start":")" + start + "\"";
    dated.range.low_us = ParseDateTime(start, zone)->low_us;
  }
  if (open == 2 || open == 3) dated.json += ",";
  if (open == 0 || open == 2 || open == 3) {
    dated.json += R"("end":")" + end + "\"";
    dated.range.high_us = ParseDateTime(end, zone)->high_us;
  }
  dated.json += "}";
  return dated;
}

void ExpectAgreement(const TimeZone& zone) {
  constexpr std::string_view kPrefixes[] = {"",   "eq", "ne", "gt", "lt",
                                            "ge", "le", "sa", "eb", "ap"};
  std::mt19937 random(7);
  QueryOptions options;
  options.zone = zone;
  options.now_us = ParseDateTime("2020-06-01", TimeZone::Utc())->low_us;
  int compared = 0;
  for (int round = 0; round < 600; ++round) {
    const Dated element = RandomElement(&random, zone);
    if (element.range.low_us >= element.range.high_us) continue;
    const IndexEntries entries =
        Extract(R"({"resourceType":"Observation",)" + element.json + "}", {}, zone);
    for (int i = 0; i < 4; ++i) {
      const std::string searched = RandomDate(&random);
      const TimeRange range = *ParseDateTime(searched, zone);
      for (const std::string_view prefix : kPrefixes) {
        const std::string query = EncodeParameters({{"date", std::string(prefix) + searched}});
        EXPECT_EQ(Matches("Observation", entries, query, options),
                  Naive(prefix, element.range, range, options.now_us))
            << element.json << " " << query;
        ++compared;
      }
    }
  }
  EXPECT_GT(compared, 10'000);
}

TEST(DateTest, EveryPrefixAgreesWithTheNaiveRuleOnRandomRanges) {
  ExpectAgreement(TimeZone::Utc());
}

TEST(DateTest, EveryPrefixAgreesWithTheNaiveRuleWhereDaysReachOverTheEndsOfMonths) {
  ExpectAgreement(*TimeZone::Find("+05:00"));
}

// The tags of what is read for a search, in order.
std::string TagsRead(std::string_view query) {
  const auto asked = Ask("Patient", query);
  EXPECT_TRUE(asked.has_value()) << query;
  std::string tags;
  for (const ValueRange& range : asked->where.values) tags.push_back(range.from.front());
  return tags;
}

TEST(DateTest, WholeMonthsAreReadByBands) {
  // Of the long ranges (0x02) only a search for more than a day asks.
  EXPECT_EQ(TagsRead("birthdate=2020"), "\x04\x05\x02");
  EXPECT_EQ(TagsRead("birthdate=2020-05"), "\x04\x05\x02");
  EXPECT_EQ(TagsRead("birthdate=2020-05-01"), "\x01");
  EXPECT_EQ(TagsRead("birthdate=sa2019-11-10"), "\x01\x04\x05\x02");
}

TEST(DateTest, APeriodThatEndsBeforeItBeginsMatchesNoDateButIsThere) {
  const IndexEntries entries =
      Extract(R"({"resourceType":"Observation","effectivePeriod":{"start":"2021","end":"2020"}})");
  EXPECT_FALSE(Matches("Observation", entries, "date=ge1900"));
  EXPECT_TRUE(Matches("Observation", entries, "date:missing=false"));
}

TEST(DateTest, ATimingIsItsEventsOrItsBounds) {
  const IndexEntries events = Extract(
      R"({"resourceType":"Observation","effectiveTiming":{"event":["2020-01-01","2021-01-01"]}})");
  EXPECT_TRUE(Matches("Observation", events, "date=2020"));
  EXPECT_TRUE(Matches("Observation", events, "date=2021-01-01"));
  EXPECT_FALSE(Matches("Observation", events, "date=2022"));
  const IndexEntries bounds = Extract(
      R"({"resourceType":"Observation","effectiveTiming":{"repeat":{"boundsPeriod":{"start":"2020"}}}})");
  EXPECT_TRUE(Matches("Observation", bounds, "date=gt2025"));
  const IndexEntries neither =
      Extract(R"({"resourceType":"Observation","effectiveTiming":{"repeat":{"frequency":1}}})");
  EXPECT_FALSE(Matches("Observation", neither, "date=ge0001"));
  EXPECT_TRUE(Matches("Observation", neither, "date:missing=false"));
}

TEST(DateTest, TextWithoutAZoneIsReadInTheConfiguredZone) {
  const auto berlin = TimeZone::Find("Europe/Berlin");
  ASSERT_TRUE(berlin.has_value());
  const std::string_view json =
      R"({"resourceType":"Observation","effectiveDateTime":"2024-01-01T00:00:00+01:00"})";
  QueryOptions options;
  EXPECT_FALSE(Matches("Observation", Extract(json), "date=2024", options));
  options.zone = *berlin;
  EXPECT_TRUE(Matches("Observation", Extract(json, {}, *berlin), "date=2024", options));
}

TEST(DateTest, LastUpdatedIsAPoint) {
  const IndexEntries none = Extract(R"({"resourceType":"Patient"})");
  const std::int64_t us = ParseDateTime("2020-05-05T10:00:00.123Z", TimeZone::Utc())->low_us;
  const auto matches = [&](std::string_view value) {
    const auto query = Ask("Patient", "_lastUpdated=" + std::string(value));
    EXPECT_TRUE(query.has_value());
    return query && Matches(query->where, {"x", us, &none});
  };
  EXPECT_TRUE(matches("2020-05-05"));
  EXPECT_TRUE(matches("2020-05-05T10:00:00.123Z"));
  EXPECT_FALSE(matches("ne2020-05-05T10:00:00Z"));
  EXPECT_FALSE(matches("gt2020-05-05"));
  EXPECT_TRUE(matches("ge2020-05-05"));
  EXPECT_TRUE(matches("le2020-05-05"));
  EXPECT_FALSE(matches("lt2020-05-05"));
  EXPECT_TRUE(matches("sa2020-05-04"));
  EXPECT_TRUE(matches("eb2020-05-06"));
  EXPECT_TRUE(matches("2019,2020"));
}

TEST(DateTest, WhatIsNotADateIsRefused) {
  for (const std::string_view text : {"2026-02-29", "2024-13", "xx2020", "gt", "20", "2020-1-1"}) {
    EXPECT_FALSE(Ask("Patient", "birthdate=" + std::string(text)).has_value()) << text;
  }
}

}  // namespace
}  // namespace fhir::search
