#include "fhir/search/expression.h"

#include <gtest/gtest.h>

#include "fhir/base/decimal.h"

namespace fhir::search {
namespace {

using Kind = Expression::Kind;

ValueRange Range(std::string from, std::string to) {
  ValueRange range;
  range.index = 1;
  range.from = std::move(from);
  range.to = std::move(to);
  return range;
}

TEST(ExpressionTest, AndOfOneIsThatOneAndNestedAndsAreFlat) {
  EXPECT_EQ(Expression::And({Expression::None()}).kind, Kind::kNone);
  std::vector<Expression> inner;
  inner.push_back(Expression::Ids({"a"}));
  inner.push_back(Expression::Ids({"b"}));
  std::vector<Expression> outer;
  outer.push_back(Expression::And(std::move(inner)));
  outer.push_back(Expression::Ids({"c"}));
  const Expression flat = Expression::And(std::move(outer));
  EXPECT_EQ(flat.kind, Kind::kAnd);
  EXPECT_EQ(flat.children.size(), 3U);
}

TEST(ExpressionTest, AndOfNoneIsAllAndOrOfNoneIsNone) {
  EXPECT_EQ(Expression::And({}).kind, Kind::kAll);
  EXPECT_EQ(Expression::Or({}).kind, Kind::kNone);
  EXPECT_EQ(Expression::Values({}).kind, Kind::kNone);
}

TEST(ExpressionTest, PrefixEndIsAboveEverythingThatBeginsWithThePrefix) {
  EXPECT_EQ(PrefixEnd("ab"), "ac");
  EXPECT_EQ(PrefixEnd("a\xFF"), "b");
  EXPECT_EQ(PrefixEnd("a\x7F"), "a\x80");
  EXPECT_EQ(PrefixEnd("\xFF\xFF"), "");
  EXPECT_EQ(PrefixEnd(""), "");
}

TEST(ExpressionTest, ARangeIsHalfOpenAndComparesUnsignedBytes) {
  EXPECT_TRUE(Accepts(Range("b", "c"), "b"));
  EXPECT_TRUE(Accepts(Range("b", "c"), "b\xFF"));
  EXPECT_FALSE(Accepts(Range("b", "c"), "c"));
  EXPECT_TRUE(Accepts(Range("b", ""), "\xFF"));
}

TEST(ExpressionTest, AConditionBehindTheEndOfAValueIsNotFulfilled) {
  ValueRange range = Range("", "");
  range.conditions.push_back({.offset = 3, .from = "x", .to = ""});
  EXPECT_FALSE(Accepts(range, "abc"));
  EXPECT_TRUE(Accepts(range, "abcx"));
  range.conditions[0] = {.offset = -2, .from = "cx", .to = "cy"};
  EXPECT_TRUE(Accepts(range, "abcx"));
  EXPECT_FALSE(Accepts(range, "x"));
}

// The executor asks about beginnings of values, too, at the edge of a scan.
TEST(ExpressionTest, AConditionBehindADecimalThatIsCutShortIsNotFulfilled) {
  const std::string whole = "\x01" + *EncodeDecimal("88.86") + "tail";
  ValueRange range = Range("\x01", "");
  range.conditions.push_back({.offset = 1, .decimals = 1, .from = "tail", .to = ""});
  EXPECT_TRUE(Accepts(range, whole));
  for (std::size_t size = 0; size + 4 < whole.size(); ++size) {
    EXPECT_FALSE(Accepts(range, std::string_view(whole).substr(0, size))) << size;
  }
}

TEST(ExpressionTest, MatchesLooksOnlyAtTheRangesOwnIndex) {
  IndexEntries entries;
  entries.Add(2, "b");
  entries.Add(1, "a");
  entries.Finish();
  const Candidate candidate{"x", 5, &entries};
  EXPECT_FALSE(Matches(Expression::Values({Range("b", "c")}), candidate));
  EXPECT_TRUE(Matches(Expression::Values({Range("a", "b")}), candidate));
  EXPECT_TRUE(Matches(Expression::Not(Expression::Ids({"y"})), candidate));
  Expression updated;
  updated.kind = Kind::kLastUpdated;
  updated.from_us = 5;
  updated.to_us = 6;
  EXPECT_TRUE(Matches(updated, candidate));
  updated.from_us = 0;
  updated.to_us = 5;
  EXPECT_FALSE(Matches(updated, candidate));
}

TEST(ExpressionTest, FinishSortsAndDropsDuplicates) {
  IndexEntries entries;
  entries.Add(2, "b");
  entries.Add(1, "c");
  entries.Add(2, "a");
  entries.Add(2, "b");
  entries.Finish();
  ASSERT_EQ(entries.List().size(), 3U);
  EXPECT_EQ(entries.ValueOf(entries.List()[0]), "c");
  EXPECT_EQ(entries.ValueOf(entries.List()[1]), "a");
  EXPECT_EQ(entries.ValueOf(entries.List()[2]), "b");
}

}  // namespace
}  // namespace fhir::search
