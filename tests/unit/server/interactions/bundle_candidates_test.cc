#include "server/interactions/bundle_candidates.h"

#include <gtest/gtest.h>

namespace server {
namespace {

using fhir::search::Expression;
using fhir::search::IndexEntries;
using fhir::search::ValueRange;

ValueRange Exact(fhir::search::IndexId index, std::string value) {
  ValueRange range;
  range.index = index;
  range.exact = true;
  range.from = std::move(value);
  return range;
}

ValueRange From(fhir::search::IndexId index, std::string value) {
  ValueRange range = Exact(index, std::move(value));
  range.exact = false;
  return range;
}

class BundleCandidatesTest : public testing::Test {
 protected:
  BundleCandidatesTest() {
    first_.Add(1, "a");
    first_.Add(2, "x");
    first_.Finish();
    second_.Add(1, "b");
    second_.Add(2, "x");
    second_.Finish();
    candidates_.Add(4, "first", 0, &first_);
    candidates_.Add(9, "second", 0, &second_);
  }

  IndexEntries first_;
  IndexEntries second_;
  BundleCandidates candidates_;
};

using Positions = std::vector<std::uint32_t>;

TEST_F(BundleCandidatesTest, ExactValuesFindTheirResources) {
  EXPECT_EQ(candidates_.Find(Expression::Values({Exact(1, "a")})), Positions{4});
  EXPECT_EQ(candidates_.Find(Expression::Values({Exact(2, "x")})), (Positions{4, 9}));
  EXPECT_EQ(candidates_.Find(Expression::Values({Exact(1, "a"), Exact(1, "b")})),
            (Positions{4, 9}));
  EXPECT_EQ(candidates_.Find(Expression::Values({Exact(1, "x")})), Positions{});
}

TEST_F(BundleCandidatesTest, AllOfAConjunctionMustMatch) {
  EXPECT_EQ(candidates_.Find(Expression::And(
                {Expression::Values({Exact(2, "x")}), Expression::Values({Exact(1, "b")})})),
            Positions{9});
  EXPECT_EQ(
      candidates_.Find(Expression::And({Expression::Values({Exact(2, "x")}),
                                        Expression::Not(Expression::Values({Exact(1, "b")}))})),
      Positions{4});
}

TEST_F(BundleCandidatesTest, RangesAndIdsLookAtAll) {
  EXPECT_EQ(candidates_.Find(Expression::Values({From(1, "b")})), Positions{9});
  EXPECT_EQ(candidates_.Find(Expression::Ids({"second"})), Positions{9});
  EXPECT_EQ(candidates_.Find(Expression::All()), (Positions{4, 9}));
}

}  // namespace
}  // namespace server
