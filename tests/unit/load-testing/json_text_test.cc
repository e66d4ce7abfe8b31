#include "load-testing/generator/json_text.h"

#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "load-testing/generator/moment.h"

namespace load_testing {
namespace {

std::string Decimal(double value, int decimals) {
  std::string text;
  AppendDecimal(text, value, decimals);
  return text;
}

std::string Base64(std::string_view bytes) {
  std::string text;
  AppendBase64(text, bytes);
  return text;
}

TEST(JsonTextTest, DecimalsAreRoundedAndHaveNoTrailingZeros) {
  EXPECT_EQ(Decimal(7.1, 2), "7.1");
  EXPECT_EQ(Decimal(12.3456, 3), "12.346");
  EXPECT_EQ(Decimal(99.999, 2), "100");
  EXPECT_EQ(Decimal(1.05, 2), "1.05");
  EXPECT_EQ(Decimal(0.004, 2), "0");
  EXPECT_EQ(Decimal(-0.004, 2), "0");
  EXPECT_EQ(Decimal(-3.1624, 4), "-3.1624");
  EXPECT_EQ(Decimal(-0.5, 1), "-0.5");
  EXPECT_EQ(Decimal(104, 0), "104");
}

TEST(JsonTextTest, Base64IsPadded) {
  EXPECT_EQ(Base64(""), "");
  EXPECT_EQ(Base64("f"), "Zg==");
  EXPECT_EQ(Base64("fo"), "Zm8=");
  EXPECT_EQ(Base64("foo"), "Zm9v");
  EXPECT_EQ(Base64("foobar\xFF"), "Zm9vYmFy/w==");
}

TEST(JsonTextTest, QuotesAndBackslashesAreEscaped) {
  EXPECT_EQ(Quoted(R"(a "b" \c)"), R"("a \"b\" \\c")");
}

TEST(MomentTest, SummerHasItsOwnZoneAndDaysBefore1970AreRight) {
  EXPECT_EQ(Moment(1284632466).Text(), "2010-09-16T12:21:06+02:00");
  EXPECT_EQ(Moment(-328714734).Text(), "1959-08-02T12:21:06+02:00");
  EXPECT_EQ(Moment(1577833200).Text(), "2020-01-01T00:00:00+01:00");
  EXPECT_EQ(Moment(-1).Text(), "1970-01-01T00:59:59+01:00");
  EXPECT_EQ(Moment(kDataEnd).Day(), "2021-07-10");
}

}  // namespace
}  // namespace load_testing
