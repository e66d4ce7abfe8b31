#include "storage/key_layout.h"

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

namespace storage {
namespace {

TEST(KeyLayoutTest, KeysGiveBackWhatTheyAreMadeOf) {
  EXPECT_EQ(ParseResourceKey(ResourceKey({0x0102030405060708, 9})),
            (Position{0x0102030405060708, 9}));
  const std::uint64_t document = 0xABCDEF012345;
  EXPECT_EQ(DocumentOfKey(DocumentKey(7, document)), document);
  EXPECT_EQ(TypeOfKey(DocumentKey(7, document)), 7);
  EXPECT_EQ(DocumentOfEndedKey(EndedKey(7, 3, document)), document);
  const std::string version = VersionKey(0x0102, "some-id.1", 77);
  EXPECT_EQ(IdOfVersionKey(version), "some-id.1");
  EXPECT_EQ(VersionOfKey(version), 77u);
  EXPECT_TRUE(version.starts_with(VersionPrefix(0x0102, "some-id.1")));
  EXPECT_EQ(ChunkOfKey(LiveKey(7, 0x01020304)), 0x01020304u);
}

TEST(KeyLayoutTest, ADocumentIsItsChunkAndItsLowBits) {
  const std::uint64_t document = 0x123456789ABC;
  EXPECT_EQ(ChunkOf(document), 0x12345678u);
  EXPECT_EQ(LowOf(document), 0x9ABC);
  EXPECT_EQ(DocumentOf(0x12345678, 0x9ABC), document);
}

TEST(KeyLayoutTest, KeysAreInTheOrderMeant) {
  const std::vector<std::string> versions = {VersionKey(1, "a", 300), VersionKey(1, "a", 255),
                                             VersionKey(1, "a", 1),   VersionKey(1, "a-", 9),
                                             VersionKey(1, "aa", 1),  VersionKey(1, "b", 2),
                                             VersionKey(2, "a", 1)};
  EXPECT_TRUE(std::is_sorted(versions.begin(), versions.end()));
  const std::vector<std::string> positions = {ResourceKey({1, 0}), ResourceKey({1, 255}),
                                              ResourceKey({1, 256}), ResourceKey({2, 0}),
                                              ResourceKey({256, 0})};
  EXPECT_TRUE(std::is_sorted(positions.begin(), positions.end()));
  const std::vector<std::string> ended = {EndedKey(1, 1, 900), EndedKey(1, 2, 3),
                                          EndedKey(1, 2, 1'000'000), EndedKey(1, 300, 0)};
  EXPECT_TRUE(std::is_sorted(ended.begin(), ended.end()));
}

TEST(KeyLayoutTest, APostingKeyHoldsItsValueAndChunk) {
  const std::string key = PostingPrefix(3, 4) + "value" + std::string("\0\0\1\2", 4);
  EXPECT_EQ(ValueOfPostingKey(key), "value");
  EXPECT_EQ(ChunkOfKey(key), 0x0102u);
}

}  // namespace
}  // namespace storage
