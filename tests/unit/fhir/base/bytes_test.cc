#include "fhir/base/bytes.h"

#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace fhir {
namespace {

TEST(BytesTest, IntegersComeBackAsWritten) {
  std::string bytes;
  AppendU16(&bytes, 0xFEDC);
  AppendU32(&bytes, 0xFEDCBA98);
  AppendU64(&bytes, 0xFEDCBA9876543210);
  ASSERT_EQ(bytes.size(), 14U);
  EXPECT_EQ(ReadU16(bytes.data()), 0xFEDC);
  EXPECT_EQ(ReadU32(bytes.data() + 2), 0xFEDCBA98);
  EXPECT_EQ(ReadU64(bytes.data() + 6), 0xFEDCBA9876543210);
}

TEST(BytesTest, SignedIntegersSortAsNumbers) {
  const std::vector<std::int64_t> ascending = {
      std::numeric_limits<std::int64_t>::min(), -256, -1, 0, 1, 255,
      std::numeric_limits<std::int64_t>::max()};
  std::string previous;
  for (std::int64_t value : ascending) {
    std::string bytes;
    AppendI64(&bytes, value);
    EXPECT_LT(previous, bytes) << value;
    EXPECT_EQ(ReadI64(bytes.data()), value);
    previous = bytes;
  }
}

}  // namespace
}  // namespace fhir
