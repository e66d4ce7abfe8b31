// What searches are expected to cost, against what they read; and their plans.
#include <atomic>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/integration/storage/store_fixture.h"

namespace storage {
namespace {

using fhir::search::Expression;
using fhir::search::SortKey;
using testing::ElementsAre;

constexpr std::uint64_t kPatients = 6'000;  // Enough for sizes to be asked.

std::string IdOf(std::uint64_t i) {
  return "p" + std::to_string(i);
}

Expression Born(std::uint64_t from, std::uint64_t to) {
  return Expression::Values({Between(kBirth, Number(from), Number(to))});
}

Expression Chain(Expression target) {
  Expression chain;
  chain.kind = Expression::Kind::kChain;
  chain.type = "Patient";
  chain.references = {kSubject};
  chain.children.push_back(std::move(target));
  return chain;
}

Expression Has(Expression referrer) {
  Expression has;
  has.kind = Expression::Kind::kHas;
  has.type = "Observation";
  has.references = {kSubject};
  has.children.push_back(std::move(referrer));
  return has;
}

class EstimateTest : public StoreTest {
 protected:
  void SetUp() override {
    Open({.index_dir = dir_.Path()});
    std::vector<Write> writes;
    for (std::uint64_t i = 0; i < kPatients; ++i) {
      writes.push_back(Put("Patient", IdOf(i), "x",
                           {{kBirth, Number(i)}, {kCode, i % 2 == 0 ? "even" : "odd"}}));
      writes.push_back(Observe("o" + std::to_string(i), IdOf(i), {{kObserved, "seen"}}));
    }
    Must(std::move(writes));
    // Opened again, what was written is in tables: of a memtable RocksDB's guesses are by chance.
    Close();
    Open({.index_dir = dir_.Path()});
  }

  SearchEstimate Estimate(std::string_view type, const Expression& where,
                          std::vector<SortKey> sort = {}, PageRequest page = {}) {
    auto estimate = store_->Estimate(*store_->Latest(), type, where, sort, page, Budget{});
    EXPECT_TRUE(estimate.has_value());
    return *estimate;
  }
  // Keys that the search reads.
  std::uint64_t Cost(std::string_view type, const Expression& where,
                     std::vector<SortKey> sort = {}) {
    std::int64_t left = std::numeric_limits<std::int64_t>::max();
    const Budget budget{.keys_left = &left};
    EXPECT_TRUE(store_->Search(*store_->Latest(), type, where, sort, {}, budget).has_value());
    return static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max() - left);
  }
  // The guess is within ten times what is read: RocksDB knows how long the tables are, compressed.
  void ExpectClose(std::string_view type, const Expression& where, std::vector<SortKey> sort = {}) {
    const std::uint64_t guess = Estimate(type, where, sort).keys;
    const std::uint64_t cost = Cost(type, where, sort);
    EXPECT_GE(guess * 10, cost);
    EXPECT_LE(guess, cost * 10);
  }

 private:
  const TempDir dir_;
};

TEST_F(EstimateTest, AFewValuesAreCheapWhateverTheyFind) {
  EXPECT_LE(Estimate("Patient", HasValue(kCode, "even")).keys, 2U);
  EXPECT_EQ(Estimate("Patient", Expression::All()).keys, 0U);
  EXPECT_EQ(Estimate("Patient", Expression::None()).keys, 0U);
  EXPECT_EQ(Estimate("Patient", Expression::Ids({"p1", "p2"})).keys, 2U);
}

TEST_F(EstimateTest, RangesCostTheirValues) {
  ExpectClose("Patient", Born(0, kPatients));
  EXPECT_LT(Estimate("Patient", Born(0, 10)).keys, Estimate("Patient", Born(0, kPatients)).keys);
}

TEST_F(EstimateTest, ChainsCostTheirTargets) {
  ExpectClose("Observation", Chain(HasValue(kCode, "even")));
  ExpectClose("Observation", Chain(Born(0, kPatients)));
  EXPECT_LE(Estimate("Observation", Chain(HasValue(kCode, "none"))).keys, 10U);
  const Expression narrow = Chain(Expression::Ids({"p1"}));
  EXPECT_LE(Estimate("Observation", narrow).keys, 10U);
}

TEST_F(EstimateTest, HasCostsAllReferencesToTheType) {
  ExpectClose("Patient", Has(HasValue(kObserved, "seen")));
}

TEST_F(EstimateTest, ASortCostsTheWalkToTheEndOfThePage) {
  const SortKey by_birth{SortKey::Kind::kIndex, false, {{kBirth, {}}}};
  EXPECT_LE(Estimate("Patient", Expression::All(), {by_birth}).keys, 1'000U);
  EXPECT_LE(Cost("Patient", Expression::All(), {by_birth}), 1'000U);
  // The walk goes on until it has met all matches.
  ExpectClose("Patient", Expression::Ids({"p1", "p5999"}), {by_birth});
}

TEST_F(EstimateTest, ThePlanCountsEachNodeAndAsksTheCheapestFirst) {
  std::vector<Expression> both;
  both.push_back(Born(0, kPatients / 2));
  both.push_back(HasValue(kCode, "even"));
  const Expression where = Expression::And(std::move(both));
  const auto plan = store_->Explain(*store_->Latest(), "Patient", where, Budget{});
  ASSERT_TRUE(plan.has_value());
  EXPECT_TRUE(plan->is_whole);
  ASSERT_EQ(plan->nodes.size(), 3U);
  EXPECT_THAT(plan->nodes[0].number, ElementsAre(1));
  EXPECT_EQ(plan->nodes[0].documents, kPatients / 4);
  EXPECT_THAT(plan->nodes[1].number, ElementsAre(1, 1));
  EXPECT_EQ(plan->nodes[1].expression, &where.children[1]);
  EXPECT_EQ(plan->nodes[1].documents, kPatients / 2);
  EXPECT_EQ(plan->nodes[1].estimate.documents, kPatients / 2);
  EXPECT_THAT(plan->nodes[2].number, ElementsAre(1, 2));
  EXPECT_EQ(plan->nodes[2].documents, kPatients / 2);
  EXPECT_GE(plan->nodes[2].keys, static_cast<std::int64_t>(kPatients / 2));
}

TEST_F(EstimateTest, AHugeTreeIsCutAndSaysSo) {
  std::vector<Expression> many;
  for (int i = 0; i < 1'000; ++i) many.push_back(HasValue(kCode, "even"));
  const Expression where = Expression::Or(std::move(many));
  const auto plan = store_->Explain(*store_->Latest(), "Patient", where, Budget{});
  ASSERT_TRUE(plan.has_value());
  EXPECT_FALSE(plan->is_whole);
  EXPECT_EQ(plan->nodes.size(), 500U);
}

TEST_F(EstimateTest, ExplainingKeepsToItsBudget) {
  std::int64_t left = 1'000;
  const Budget budget{.keys_left = &left, .keys_setting = "THE_SETTING"};
  const auto plan = store_->Explain(*store_->Latest(), "Patient", Born(0, kPatients), budget);
  ASSERT_FALSE(plan.has_value());
  EXPECT_EQ(plan.error().issues.front().code, fhir::IssueCode::kTooCostly);
  EXPECT_THAT(plan.error().issues.front().diagnostics, testing::HasSubstr("THE_SETTING"));
  EXPECT_LT(left, 0);
}

}  // namespace
}  // namespace storage
