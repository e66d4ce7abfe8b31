// Postings, live changes and chunk sets, and RocksDB's merge of them.
#include <deque>
#include <random>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "storage/posting/chunk_set.h"
#include "storage/posting/live_delta.h"
#include "storage/posting/posting_value.h"
#include "storage/posting/posting_view.h"
#include "storage/rocks/merge_operators.h"

namespace storage {
namespace {

using testing::ElementsAre;

std::string Posting(const std::set<std::uint16_t>& lows) {
  std::string value;
  AppendPosting(&value, std::vector<std::uint16_t>(lows.begin(), lows.end()));
  return value;
}

std::set<std::uint16_t> Lows(std::string_view value) {
  Bitmap bitmap;
  EXPECT_TRUE(AddPosting(value, &bitmap));
  std::set<std::uint16_t> lows;
  for (const std::uint32_t low : bitmap) lows.insert(static_cast<std::uint16_t>(low));
  return lows;
}

Bitmap Of(const std::set<std::uint16_t>& lows) {
  Bitmap bitmap;
  for (const std::uint16_t low : lows) bitmap.add(low);
  return bitmap;
}

std::set<std::uint16_t> RandomLows(std::mt19937* random) {
  std::set<std::uint16_t> lows;
  const unsigned sizes[] = {0, 1, 3, 8, 9, 100, 5'000};
  for (unsigned i = sizes[(*random)() % 7]; i > 0; --i) {
    lows.insert(static_cast<std::uint16_t>((*random)() % 7 == 0 ? 65'535 - i : (*random)()));
  }
  return lows;
}

TEST(PostingTest, RoundTripsInBothForms) {
  std::mt19937 random(1);
  for (int i = 0; i < 200; ++i) {
    const std::set<std::uint16_t> lows = RandomLows(&random);
    EXPECT_EQ(Lows(Posting(lows)), lows);
    std::string from_bitmap;
    AppendPosting(&from_bitmap, Of(lows));
    EXPECT_EQ(Lows(from_bitmap), lows);
  }
}

TEST(PostingTest, AFewDocumentsAreAFewBytes) {
  EXPECT_EQ(Posting({5}).size(), 3u);
  EXPECT_EQ(Posting({1, 2, 3, 4, 5, 6, 7, 8}).size(), 17u);
}

TEST(PostingTest, ARunOfDocumentsIsSmall) {
  std::string value;
  Bitmap all;
  all.addRange(0, 65'536);
  AppendPosting(&value, all);
  EXPECT_LT(value.size(), 64u);
}

TEST(PostingTest, DamageIsFound) {
  Bitmap bitmap;
  EXPECT_FALSE(AddPosting({}, &bitmap));
  EXPECT_FALSE(AddPosting("\x02", &bitmap));
  std::string value;
  AppendPosting(&value, Of({1, 2, 3, 4, 5, 6, 7, 8, 9, 10}));
  EXPECT_FALSE(AddPosting(std::string_view(value).substr(0, value.size() - 1), &bitmap));
}

// Sets that every form of a posting is made for: lists, arrays, bits, runs.
Bitmap AnyForm(std::mt19937* random) {
  Bitmap lows = Of(RandomLows(random));
  for (unsigned runs = (*random)() % 4; runs > 0; --runs) {
    const std::uint64_t first = (*random)() % 65'536;
    lows.addRange(first, std::min<std::uint64_t>(65'536, first + 1 + (*random)() % 3'000));
  }
  if (lows.isEmpty()) lows.add(7);
  return lows;
}

TEST(PostingViewTest, SaysWhatTheBitmapHoldsInAnyForm) {
  std::mt19937 random(5);
  std::set<PostingView::Form> forms;
  for (int i = 0; i < 400; ++i) {
    const Bitmap lows = AnyForm(&random);
    const Bitmap more = AnyForm(&random);
    std::string value;
    AppendPosting(&value, lows);
    const auto view = ViewPosting(value);
    ASSERT_TRUE(view.has_value());
    forms.insert(view->form);
    EXPECT_EQ(view->count, lows.cardinality());
    ChunkBits bits{};
    AddBits(*view, &bits);
    EXPECT_EQ(BitmapOf(bits), lows);
    AddBits(more, &bits);
    EXPECT_EQ(BitmapOf(bits), lows | more);
  }
  EXPECT_EQ(forms.size(), 4U);
  EXPECT_TRUE(BitmapOf(ChunkBits{}).isEmpty());
}

TEST(PostingViewTest, OneThatIsCutOffIsDamaged) {
  std::mt19937 random(6);
  for (int i = 0; i < 50; ++i) {
    std::string value;
    AppendPosting(&value, AnyForm(&random));
    const auto view = ViewPosting(value);
    ASSERT_TRUE(view.has_value());
    // A list does not say how long it is.
    if (view->form == PostingView::Form::kList) continue;
    for (std::size_t size = 0; size < value.size(); size += 1 + random() % 20) {
      EXPECT_FALSE(ViewPosting(std::string_view(value).substr(0, size)).has_value());
    }
  }
  EXPECT_FALSE(ViewPosting("").has_value());
  EXPECT_FALSE(ViewPosting("\x02").has_value());
}

TEST(ChunkSetBuilderTest, FewAndManyDocumentsInAnyOrderAreAllThere) {
  std::mt19937 random(7);
  for (int round = 0; round < 50; ++round) {
    ChunkSetBuilder builder;
    Bitmap expected[3];
    for (unsigned i = random() % 60; i > 0; --i) {
      const auto chunk = static_cast<std::uint32_t>(random() % 3);
      if (random() % 2 == 0) {
        const auto low = static_cast<std::uint16_t>(random());
        builder.Add(DocumentOf(chunk, low));
        expected[chunk].add(low);
        continue;
      }
      const Bitmap lows = AnyForm(&random);
      std::string value;
      AppendPosting(&value, lows);
      ASSERT_TRUE(builder.AddPosting(chunk, value));
      expected[chunk] |= lows;
    }
    const ChunkSet set = builder.Finish();
    for (std::uint32_t chunk = 0; chunk < 3; ++chunk) {
      const Bitmap* found = set.Find(chunk);
      EXPECT_EQ(found == nullptr ? Bitmap() : *found, expected[chunk]);
    }
  }
}

TEST(PostingTest, MergeIsTheUnionHoweverItIsGrouped) {
  const auto merge = rocks::PostingMergeOperator();
  std::mt19937 random(2);
  for (int round = 0; round < 200; ++round) {
    std::set<std::uint16_t> expected;
    std::vector<std::string> values;
    for (unsigned i = 2 + random() % 6; i > 0; --i) {
      const auto lows = RandomLows(&random);
      expected.insert(lows.begin(), lows.end());
      values.push_back(Posting(lows));
    }
    // Some operands partially first, then all onto the existing value.
    std::string partial;
    ASSERT_TRUE(merge->PartialMerge("", values[0], values[1], &partial, nullptr));
    const std::deque<rocksdb::Slice> operands(values.begin(), values.end());
    std::string multi;
    ASSERT_TRUE(merge->PartialMergeMulti("", operands, &multi, nullptr));
    EXPECT_EQ(Lows(multi), expected);
    const rocksdb::Slice existing(partial);
    const std::vector<rocksdb::Slice> rest(values.begin(), values.end());
    std::string result;
    rocksdb::Slice result_operand;
    rocksdb::MergeOperator::MergeOperationOutput output(result, result_operand);
    const rocksdb::Slice key;
    const rocksdb::MergeOperator::MergeOperationInput input(key, &existing, rest, nullptr);
    ASSERT_TRUE(merge->FullMergeV2(input, &output));
    EXPECT_EQ(Lows(result), expected);
  }
}

TEST(LiveDeltaTest, MergeAppliesChangesInOrderHoweverTheyAreGrouped) {
  std::mt19937 random(3);
  for (int round = 0; round < 200; ++round) {
    std::set<std::uint16_t> expected;
    std::vector<std::string> values;
    for (unsigned i = 1 + random() % 6; i > 0; --i) {
      const auto removed = RandomLows(&random);
      const auto added = RandomLows(&random);
      for (const std::uint16_t low : removed) expected.erase(low);
      expected.insert(added.begin(), added.end());
      values.emplace_back();
      AppendLiveDelta(&values.back(), {Of(removed), Of(added)});
    }
    // A random neighbour pair is composed first.
    if (values.size() > 1) {
      const std::size_t at = random() % (values.size() - 1);
      const std::string_view pair[] = {values[at], values[at + 1]};
      std::string composed;
      ASSERT_TRUE(ComposeLiveDeltas(pair, /*is_set=*/false, &composed));
      values[at] = composed;
      values.erase(values.begin() + static_cast<std::ptrdiff_t>(at) + 1);
    }
    const std::vector<std::string_view> views(values.begin(), values.end());
    std::string set;
    ASSERT_TRUE(ComposeLiveDeltas(views, /*is_set=*/true, &set));
    LiveDelta result;
    ASSERT_TRUE(ParseLiveDelta(set, &result));
    EXPECT_TRUE(result.removed.isEmpty());
    EXPECT_EQ(result.added, Of(expected));
  }
}

TEST(LiveDeltaTest, DamageIsFound) {
  LiveDelta delta;
  EXPECT_FALSE(ParseLiveDelta({}, &delta));
  EXPECT_FALSE(ParseLiveDelta("\x7F", &delta));
}

TEST(ChunkSetTest, CollectsDocumentsInAnyOrder) {
  ChunkSetBuilder builder;
  builder.Add(DocumentOf(7, 3));
  builder.Add(DocumentOf(2, 9));
  ASSERT_TRUE(builder.AddPosting(7, Posting({1, 3})));
  ASSERT_TRUE(builder.AddPosting(9, Posting({})));
  const ChunkSet set = builder.Finish();
  EXPECT_EQ(set.Cardinality(), 3u);
  EXPECT_THAT(set.Documents(), ElementsAre(DocumentOf(2, 9), DocumentOf(7, 1), DocumentOf(7, 3)));
  EXPECT_EQ(set.Chunks().size(), 2u);
  EXPECT_TRUE(set.Contains(DocumentOf(7, 1)));
  EXPECT_FALSE(set.Contains(DocumentOf(7, 2)));
  EXPECT_FALSE(set.Contains(DocumentOf(9, 2)));
}

}  // namespace
}  // namespace storage
