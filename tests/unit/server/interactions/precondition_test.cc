#include "server/interactions/precondition.h"

#include <gtest/gtest.h>

namespace server {
namespace {

TEST(PreconditionTest, AnETagIsAVersionInQuotes) {
  EXPECT_EQ(ParseETag("W/\"3\""), 3U);
  EXPECT_EQ(ParseETag("\"12\""), 12U);
  for (const char* bad : {"", "3", "W/3", "W/\"\"", "W/\"x\"", "W/\"3", "\"-1\"", "\"3 \"",
                          "W/\"99999999999999999999\"", "\""}) {
    EXPECT_FALSE(ParseETag(bad).has_value()) << bad;
  }
}

TEST(PreconditionTest, AnHttpDateIsReadToTheSecond) {
  EXPECT_EQ(ParseHttpDate("Wed, 01 Jan 2020 10:00:00 GMT"), 1'577'872'800'000);
  EXPECT_EQ(ParseHttpDate("Tue, 01 Dec 2026 00:00:01 GMT"), 1'796'083'201'000);
  for (const char* bad : {"", "2020-01-01", "Wed, 01 Foo 2020 10:00:00 GMT",
                          "Wed, 41 Jan 2020 10:00:00 GMT", "Wed, 01 Jan 2020 10:00:00 CET"}) {
    EXPECT_FALSE(ParseHttpDate(bad).has_value()) << bad;
  }
}

TEST(PreconditionTest, ACachedVersionIsNotModified) {
  RequestHeaders headers;
  EXPECT_FALSE(IsNotModified(headers, 1, 0));
  headers.if_none_match = "W/\"2\", W/\"3\"";
  EXPECT_TRUE(IsNotModified(headers, 3, 0));
  EXPECT_FALSE(IsNotModified(headers, 4, 0));
  headers.if_none_match = "*";
  EXPECT_TRUE(IsNotModified(headers, 4, 0));
}

TEST(PreconditionTest, IfModifiedSinceComparesSecondsAndYieldsToIfNoneMatch) {
  RequestHeaders headers;
  headers.if_modified_since = "Wed, 01 Jan 2020 10:00:00 GMT";
  EXPECT_TRUE(IsNotModified(headers, 1, 1'577'872'800'999));
  EXPECT_FALSE(IsNotModified(headers, 1, 1'577'872'801'000));
  // What the client has may be a version that this one replaced in that second.
  EXPECT_FALSE(IsNotModified(headers, 2, 1'577'872'800'999));
  EXPECT_TRUE(IsNotModified(headers, 2, 1'577'872'799'999));
  headers.if_none_match = "W/\"2\"";
  EXPECT_FALSE(IsNotModified(headers, 1, 0));
}

TEST(PreconditionTest, AWriteTakesOneVersionOrNone) {
  storage::Write write;
  ASSERT_TRUE(SetPreconditions("W/\"3\"", "*", &write).has_value());
  EXPECT_EQ(write.if_match, 3U);
  EXPECT_TRUE(write.if_none_match_any);
  EXPECT_EQ(SetPreconditions("3", "", &write).error().http_status, 400);
  EXPECT_EQ(SetPreconditions("", "W/\"3\"", &write).error().http_status, 400);
}

}  // namespace
}  // namespace server
