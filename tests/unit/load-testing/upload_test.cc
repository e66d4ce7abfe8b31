#include "load-testing/generator/upload.h"

#include <gtest/gtest.h>

namespace load_testing {
namespace {

TEST(UploadTest, EntriesAreCountedByTheFirstDigitOfTheirStatus) {
  const EntryCounts counts = CountEntries(
      R"({"entry":[{"response":{"status":"201 Created"}},{"response":{"status": "200"}},)"
      R"({"response":{"status":"404"}},{"response":{"status":")");
  EXPECT_EQ(counts.good, 2U);
  EXPECT_EQ(counts.bad, 1U);
}

TEST(UploadTest, PaceIsThatBetweenTwoSamples) {
  const Pace pace = PaceOf({10, 1000, 5}, {20, 101'000, 8});
  EXPECT_DOUBLE_EQ(pace.resources_per_second, 10'000);
  EXPECT_DOUBLE_EQ(pace.server_cpu_us, 30);
  EXPECT_DOUBLE_EQ(PaceOf({1, 5, 0}, {1, 5, 0}).resources_per_second, 0);
}

TEST(UploadTest, AnExtentIsReachedByWhicheverBoundComesFirst) {
  EXPECT_FALSE((Extent{.patients = 3}.Reached(2, 1'000'000)));
  EXPECT_TRUE((Extent{.patients = 3}.Reached(3, 0)));
  EXPECT_TRUE((Extent{.patients = 3, .resources = 10}.Reached(1, 10)));
  EXPECT_FALSE((Extent{.resources = 10}.Reached(1'000'000, 9)));
}

}  // namespace
}  // namespace load_testing
