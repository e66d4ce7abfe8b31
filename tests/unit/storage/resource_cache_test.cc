#include "storage/cache/resource_cache.h"

#include <string>

#include <gtest/gtest.h>

namespace storage {
namespace {

std::shared_ptr<const CachedResource> Make(std::string_view id, std::uint64_t version,
                                           std::size_t size = 10) {
  fhir::model::StoredForm form;
  form.json = std::string(size, 'x');
  std::string value;
  AppendResourceHeader(&value, "Patient", id, version, 0, Operation::kCreate, &form);
  value += form.json;
  return MakeCached(value);
}

TEST(ResourceCacheTest, FindsWhatWasOffered) {
  ResourceCache cache(1 << 20);
  EXPECT_EQ(cache.Find("Patient", "a"), nullptr);
  cache.Offer(Make("a", 1), 5);
  ASSERT_NE(cache.Find("Patient", "a"), nullptr);
  EXPECT_EQ(cache.Find("Group", "a"), nullptr);
  EXPECT_EQ(cache.Find("Patient", "a")->view.version, 1u);
}

TEST(ResourceCacheTest, AReaderThatSawAnOlderStateDoesNotPutItBack) {
  ResourceCache cache(1 << 20);
  cache.Replace(Make("a", 2), 7);
  cache.Offer(Make("a", 1), 6);
  EXPECT_EQ(cache.Find("Patient", "a")->view.version, 2u);
  cache.Erase("Patient", "a", 8);
  cache.Offer(Make("a", 2), 7);
  EXPECT_EQ(cache.Find("Patient", "a"), nullptr);
  cache.Offer(Make("a", 4), 9);
  EXPECT_EQ(cache.Find("Patient", "a")->view.version, 4u);
}

TEST(ResourceCacheTest, AResourceIsReplacedWhole) {
  ResourceCache cache(1 << 20);
  cache.Replace(Make("a", 1), 1);
  const auto held = cache.Find("Patient", "a");
  cache.Replace(Make("a", 2), 2);
  EXPECT_EQ(held->view.version, 1u);
  EXPECT_EQ(held->view.id, "a");
  EXPECT_EQ(cache.Find("Patient", "a")->view.version, 2u);
}

TEST(ResourceCacheTest, KeepsWithinItsBytesAndForgetsTheLongestUnused) {
  constexpr std::size_t kCapacity = 1 << 20;
  ResourceCache cache(kCapacity);
  for (int i = 0; i < 5'000; ++i) {
    cache.Offer(Make("id" + std::to_string(i), 1, 1'000), 1);
    cache.Find("Patient", "id0");
  }
  std::size_t kept = 0;
  for (int i = 0; i < 5'000; ++i) kept += cache.Find("Patient", "id" + std::to_string(i)) ? 1 : 0;
  EXPECT_LE(kept * 1'000, kCapacity);
  EXPECT_GT(kept, 100u);
  EXPECT_NE(cache.Find("Patient", "id0"), nullptr);
}

TEST(ResourceCacheTest, AHugeResourceIsNotKept) {
  ResourceCache cache(1 << 20);
  cache.Offer(Make("a", 1, 1 << 19), 1);
  EXPECT_EQ(cache.Find("Patient", "a"), nullptr);
}

}  // namespace
}  // namespace storage
