// Searches, sorts and pages against a model that looks at every resource, now and at earlier
// transactions.
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/integration/storage/reference_model.h"
#include "tests/integration/storage/store_fixture.h"

namespace storage {
namespace {

using fhir::search::Expression;
using fhir::search::SortKey;
using testing::ElementsAre;
using testing::IsEmpty;

SortKey By(fhir::search::IndexId index, bool descending, std::string prefix = {}) {
  return {SortKey::Kind::kIndex, descending, {{index, std::move(prefix)}}};
}

class SearchTest : public StoreTest {
 protected:
  int Random(int below) { return static_cast<int>(random_() % static_cast<unsigned>(below)); }
  bool Chance(int percent) { return Random(100) < percent; }

  std::string RandomName() {
    std::string name;
    for (int i = Random(4); i >= 0; --i) name.push_back(static_cast<char>('a' + Random(3)));
    return name;
  }
  Write RandomPatient(int serial) {
    std::vector<Entry> entries;
    for (int i = Random(3); i > 0; --i) entries.push_back({kCode, "c" + std::to_string(Random(6))});
    for (int i = Random(3); i > 0; --i) entries.push_back({kName, Text(RandomName())});
    if (Chance(70)) entries.push_back({kBirth, Number(static_cast<std::uint64_t>(Random(50)))});
    return Put("Patient", "p" + std::to_string(Random(40)), std::to_string(serial), entries);
  }
  Write RandomObservation(int serial) {
    std::vector<Entry> entries = {{kObserved, "o" + std::to_string(Random(4))}};
    if (Chance(60)) entries.push_back({kQuantity, Number(static_cast<std::uint64_t>(Random(9)))});
    const std::string target = "Patient/p" + std::to_string(Random(40));
    if (Chance(80)) entries.push_back({kSubject, '\x01' + Text(target)});
    return Put("Observation", "o" + std::to_string(Random(80)), std::to_string(serial), entries);
  }
  void WriteRandomly(int transactions);

  Expression RandomExpression(const std::string& type, int depth);
  Expression RandomValues(const std::string& type);

  void ExpectSame(const Snapshot& snapshot, const ReferenceModel& model, const std::string& type,
                  const Expression& where);
  void ExpectSameOrder(const Snapshot& snapshot, const ReferenceModel& model,
                       const std::vector<SortKey>& sort, const Expression& where);

  std::mt19937 random_{20'26};
  std::vector<ReferenceModel> models_;  // By t.
};

void SearchTest::WriteRandomly(int transactions) {
  Open({.in_memory = true, .referential_integrity = false});
  models_.resize(1);
  for (int i = 0; i < transactions; ++i) {
    std::map<std::string, Write> writes;  // One a resource.
    for (int j = Random(12); j >= 0; --j) {
      Write write = Chance(40) ? RandomPatient(i) : RandomObservation(i);
      if (models_.back().Of(write.type).contains(write.id) && Chance(25)) {
        write = Delete(write.type, write.id);
      }
      writes.insert_or_assign(write.type + write.id, std::move(write));
    }
    std::vector<Write> list;
    for (auto& [name, write] : writes) list.push_back(std::move(write));
    const std::int64_t instant_ms = 1'000 + i / 3 * 10;
    models_.push_back(models_.back());
    models_.back().Apply(list, instant_ms);
    Must(std::move(list), instant_ms);
  }
}

Expression SearchTest::RandomValues(const std::string& type) {
  std::vector<fhir::search::ValueRange> values;
  const bool is_patient = type == "Patient";
  for (int i = Random(Chance(10) ? 30 : 3); i >= 0; --i) {
    const auto low = static_cast<std::uint64_t>(Random(50));
    switch (Random(4)) {
      case 0:
        values.push_back(is_patient ? Exactly(kCode, "c" + std::to_string(Random(7)))
                                    : Exactly(kObserved, "o" + std::to_string(Random(5))));
        break;
      case 1:
        values.push_back(Between(is_patient ? kBirth : kQuantity, Number(low), Number(low + 5)));
        break;
      case 2: values.push_back(Between(is_patient ? kBirth : kQuantity, Number(low), {})); break;
      default: {
        if (!is_patient) break;
        const std::string prefix = RandomName();
        values.push_back(Between(kName, prefix, fhir::search::PrefixEnd(prefix)));
        if (Chance(30)) {
          values.back().from = {};
          values.back().to = {};
          values.back().contains = prefix;
        }
        break;
      }
    }
  }
  return Expression::Values(std::move(values));
}

Expression SearchTest::RandomExpression(const std::string& type, int depth) {
  const int kind = depth == 0 ? Random(5) : Random(11);
  if (kind == 0) {
    return Expression::Ids(
        {(type == "Patient" ? "p" : "o") + std::to_string(Random(90)), "p1", "x"});
  }
  if (kind == 1) {
    Expression updated;
    updated.kind = Expression::Kind::kLastUpdated;
    updated.from_us = 1'000'000 + Random(20) * 5'000 - 1;
    updated.to_us = updated.from_us + Random(10) * 10'000;
    return updated;
  }
  if (kind <= 4) return RandomValues(type);
  if (kind <= 6) {
    return Expression::And({RandomExpression(type, depth - 1), RandomExpression(type, depth - 1)});
  }
  if (kind == 7) {
    return Expression::Or({RandomExpression(type, depth - 1), RandomExpression(type, depth - 1)});
  }
  if (kind <= 9) return Expression::Not(RandomExpression(type, depth - 1));
  Expression link;
  const bool is_patient = type == "Patient";
  link.kind = is_patient ? Expression::Kind::kHas : Expression::Kind::kChain;
  link.type = is_patient ? "Observation" : "Patient";
  link.references = {kSubject};
  link.children.push_back(RandomExpression(link.type, depth - 1));
  return link;
}

void SearchTest::ExpectSame(const Snapshot& snapshot, const ReferenceModel& model,
                            const std::string& type, const Expression& where) {
  const std::vector<std::string> expected = model.Find(type, where);
  EXPECT_EQ(Search(snapshot, type, where), expected);
  EXPECT_EQ(store_->Count(snapshot, type, where, {}).value(), expected.size());
  // Page by page.
  std::vector<std::string> paged;
  for (std::uint64_t offset = 0;; offset += 3) {
    const PageRequest request{.offset = offset, .limit = 3, .want_total = Chance(50)};
    const auto page = store_->Search(snapshot, type, where, {}, request, {});
    ASSERT_TRUE(page);
    if (request.want_total) {
      EXPECT_EQ(page->total, expected.size());
    }
    for (std::string& id : IdsOf(snapshot, type, page->documents)) paged.push_back(std::move(id));
    if (!page->has_next) break;
  }
  EXPECT_EQ(paged, expected);
}

void SearchTest::ExpectSameOrder(const Snapshot& snapshot, const ReferenceModel& model,
                                 const std::vector<SortKey>& sort, const Expression& where) {
  const std::vector<std::string> expected = model.FindSorted("Patient", where, sort);
  EXPECT_EQ(Search(snapshot, "Patient", where, sort), expected);
  std::vector<std::string> paged;
  for (std::uint64_t offset = 0; offset < expected.size(); offset += 4) {
    const auto ids = Search(snapshot, "Patient", where, sort, {.offset = offset, .limit = 4});
    paged.insert(paged.end(), ids.begin(), ids.end());
  }
  EXPECT_EQ(paged, expected);
}

TEST_F(SearchTest, AgreesWithTheModelNowAndAtEveryEarlierTransaction) {
  WriteRandomly(60);
  for (int i = 0; i < 600; ++i) {
    const std::size_t t = Chance(50) ? models_.size() - 1 : static_cast<std::size_t>(Random(61));
    const auto snapshot = store_->At(t);
    ASSERT_TRUE(snapshot);
    const std::string type = Chance(50) ? "Patient" : "Observation";
    SCOPED_TRACE(type + " at " + std::to_string(t) + ", round " + std::to_string(i));
    EXPECT_EQ(CountOf(**snapshot, type), models_[t].Of(type).size());
    ExpectSame(**snapshot, models_[t], type,
               Chance(5) ? Expression::All() : RandomExpression(type, 3));
    if (HasFailure()) return;
  }
}

TEST_F(SearchTest, SortsAsTheModelDoes) {
  WriteRandomly(60);
  const SortKey by_id{SortKey::Kind::kId, false, {}};
  const SortKey by_id_backward{SortKey::Kind::kId, true, {}};
  const SortKey by_update{SortKey::Kind::kLastUpdated, false, {}};
  const SortKey by_update_backward{SortKey::Kind::kLastUpdated, true, {}};
  const SortKey merged{SortKey::Kind::kIndex, false, {{kName, {}}, {kCode, {}}}};
  const std::vector<std::vector<SortKey>> sorts = {
      {By(kBirth, false)},
      {By(kBirth, true)},
      {By(kName, false)},
      {By(kName, true)},
      {By(kName, true, "a")},
      {merged},
      {by_id},
      {by_id_backward},
      {By(kCode, false), By(kBirth, true)},
      {By(kCode, true), by_update_backward},
      {by_update_backward, By(kName, false)},
      {by_update, by_id_backward},
      {By(kBirth, false), By(kName, true), by_id},
  };
  for (const std::size_t t : {std::size_t{60}, std::size_t{30}, std::size_t{1}}) {
    const auto snapshot = store_->At(t);
    for (std::size_t i = 0; i < sorts.size(); ++i) {
      SCOPED_TRACE("sort " + std::to_string(i) + " at " + std::to_string(t));
      ExpectSameOrder(**snapshot, models_[t], sorts[i], Expression::All());
      ExpectSameOrder(**snapshot, models_[t], sorts[i], RandomExpression("Patient", 1));
    }
  }
}

TEST_F(SearchTest, EqualSortKeysNeitherRepeatNorDrop) {
  std::vector<Write> patients;
  for (int i = 0; i < 7; ++i) {
    patients.push_back(Put("Patient", "p" + std::to_string(i), "", {{kBirth, Number(1)}}));
  }
  Must(std::move(patients));
  const SnapshotPtr snapshot = store_->Latest();
  std::vector<std::string> seen;
  for (std::uint64_t offset = 0; offset < 8; offset += 2) {
    for (auto& id : Search(*snapshot, "Patient", Expression::All(), {By(kBirth, false)},
                           {.offset = offset, .limit = 2})) {
      seen.push_back(id);
    }
  }
  EXPECT_THAT(seen, ElementsAre("p0", "p1", "p2", "p3", "p4", "p5", "p6"));
}

TEST_F(SearchTest, LastUpdatedDescendingIsTheNewestFirst) {
  Must({Put("Patient", "a", "1"), Put("Patient", "b", "1")});
  Must({Put("Patient", "a", "2")});
  EXPECT_THAT(Search("Patient", Expression::All(), {{SortKey::Kind::kLastUpdated, true, {}}}),
              ElementsAre("a", "b"));
}

TEST_F(SearchTest, PagesOfASnapshotDoNotMoveUnderLaterWrites) {
  std::vector<Write> patients;
  for (int i = 0; i < 6; ++i) {
    patients.push_back(Put("Patient", "p" + std::to_string(i), "", {{kCode, "v"}}));
  }
  Must(std::move(patients));
  const std::uint64_t t = TransactionOf(*store_->Latest());
  Must({Delete("Patient", "p0"), Put("Patient", "p4", "changed", {{kCode, "v"}}),
        Put("Patient", "p5", "no match any more")});
  Must({Put("Patient", "p9", "", {{kCode, "v"}})});
  const auto then = store_->At(t);
  const auto page =
      store_->Search(**then, "Patient", HasValue(kCode, "v"), {}, {.offset = 3, .limit = 5}, {});
  EXPECT_THAT(IdsOf(**then, "Patient", page->documents), ElementsAre("p3", "p4", "p5"));
  EXPECT_EQ(page->total, 6u);
  EXPECT_FALSE(page->has_next);
  EXPECT_THAT(Search("Patient", HasValue(kCode, "v")), ElementsAre("p1", "p2", "p3", "p4", "p9"));
}

TEST_F(SearchTest, AValueThatBeginsLikeAnotherOnesKeyIsNotTakenForIt) {
  // "a" | chunk 0 is the beginning of the other's key.
  const std::string longer("a\0\0\0\0", 5);
  Must(
      {Put("Patient", "short", "", {{kCode, "a"}}), Put("Patient", "long", "", {{kCode, longer}})});
  EXPECT_THAT(Search("Patient", HasValue(kCode, "a")), ElementsAre("short"));
  EXPECT_THAT(Search("Patient", HasValue(kCode, longer)), ElementsAre("long"));
  // "a" is below "a" | NUL, its key is not.
  const std::string end("a\0", 2);
  EXPECT_THAT(Search("Patient", Expression::Values({Between(kCode, "Z", end)})),
              ElementsAre("short"));
}

TEST_F(SearchTest, AnUnknownTypeOrStateIsNoCrash) {
  Must({Put("Patient", "a", "")});
  EXPECT_THAT(Search("Nothing", Expression::All()), IsEmpty());
  EXPECT_EQ(CountOf(*store_->Latest(), "Nothing"), 0u);
  EXPECT_EQ(store_->At(2).error().http_status, 400);
  const auto nothing = store_->At(0);
  ASSERT_TRUE(nothing);
  EXPECT_THAT(Search(**nothing, "Patient", Expression::All()), IsEmpty());
  EXPECT_THAT(Search(*store_->Latest(), "Patient", Expression::All(), {},
                     {.offset = ~std::uint64_t{0}, .limit = 9}),
              IsEmpty());
}

TEST_F(SearchTest, ADeadlineOrACancelledClientStopsTheWork) {
  Must({Put("Patient", "a", "", {{kBirth, Number(1)}})});
  const Expression all_births = Expression::Values({Between(kBirth, {}, {})});
  const Budget late{.deadline = std::chrono::steady_clock::now()};
  const auto timed_out = store_->Count(*store_->Latest(), "Patient", all_births, late);
  ASSERT_FALSE(timed_out);
  EXPECT_EQ(timed_out.error().http_status, 503);
  EXPECT_EQ(timed_out.error().issues.front().code, fhir::IssueCode::kTimeout);
  const std::atomic<bool> gone = true;
  const Budget cancelled{.cancelled = &gone};
  EXPECT_FALSE(store_->Search(*store_->Latest(), "Patient", all_births, {}, {}, cancelled));
}

TEST_F(SearchTest, AValueMergedInManySmallGroupsLosesNothing) {
  constexpr int kCount = 1'200;  // Often enough for its posting to be written whole several times.
  std::vector<std::string> expected;
  for (int i = 0; i < kCount; ++i) {
    expected.push_back("p" + std::to_string(i));
    Must({Create("Patient", expected.back(), "", {{kCode, "v"}, {kName, Text(expected.back())}})});
  }
  EXPECT_EQ(Search("Patient", HasValue(kCode, "v")), expected);
  EXPECT_EQ(store_->Count(**store_->At(700), "Patient", HasValue(kCode, "v"), {}).value(), 700u);
}

// More than one chunk of 65,536 documents.
TEST_F(SearchTest, ManyChunksAgreeWithArithmetic) {
  constexpr std::uint64_t kCount = 300'000;  // Five chunks: more than are read by Get.
  constexpr std::uint64_t kPerTransaction = 10'000;
  for (std::uint64_t i = 0; i < kCount;) {
    std::vector<Write> writes;
    for (const std::uint64_t end = i + kPerTransaction; i < end; ++i) {
      writes.push_back(Create("Patient", std::to_string(i), "",
                              {{kCode, i % 2 == 0 ? "even" : "odd"},
                               {kCode, "mod" + std::to_string(i % 10'007)},
                               {kBirth, Number(i / 1'000)}}));
    }
    Must(std::move(writes));
  }
  const SnapshotPtr snapshot = store_->Latest();
  const auto count = [&](const Expression& where) {
    return store_->Count(*snapshot, "Patient", where, {}).value();
  };
  EXPECT_EQ(count(Expression::All()), kCount);
  EXPECT_EQ(count(HasValue(kCode, "even")), kCount / 2);
  EXPECT_EQ(count(HasValue(kCode, "mod7")), 30u);
  EXPECT_EQ(count(Expression::And({HasValue(kCode, "even"), HasValue(kCode, "mod7")})), 15u);
  EXPECT_EQ(count(Expression::Not(HasValue(kCode, "mod7"))), kCount - 30);
  EXPECT_EQ(count(Expression::Or({HasValue(kCode, "mod7"), HasValue(kCode, "mod8")})), 60u);
  EXPECT_EQ(count(Expression::Values({Between(kBirth, Number(60), Number(70))})), 10'000u);
  const PageRequest middle{.offset = 149'999, .limit = 2};
  EXPECT_THAT(Search(*snapshot, "Patient", Expression::All(), {}, middle),
              ElementsAre("149999", "150000"));
  EXPECT_THAT(Search(*snapshot, "Patient", HasValue(kCode, "even"),
                     {By(kBirth, true), By(kCode, false)}, {.offset = 0, .limit = 2}),
              ElementsAre("299000", "299002"));
}

}  // namespace
}  // namespace storage
