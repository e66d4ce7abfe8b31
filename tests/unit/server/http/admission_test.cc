#include "server/http/admission.h"

#include <gtest/gtest.h>

namespace server {
namespace {

TEST(AdmissionTest, ConnectionsAreBounded) {
  Admission admission(2, 0);
  EXPECT_TRUE(admission.TryAddConnection());
  EXPECT_TRUE(admission.TryAddConnection());
  EXPECT_FALSE(admission.TryAddConnection());
  admission.RemoveConnection();
  EXPECT_TRUE(admission.TryAddConnection());
}

TEST(AdmissionTest, WaitingEndsWithTheLastConnectionOrWithPatience) {
  Admission admission(1, 0);
  EXPECT_TRUE(admission.WaitForNoConnection(std::chrono::milliseconds(0)));
  EXPECT_TRUE(admission.TryAddConnection());
  EXPECT_FALSE(admission.WaitForNoConnection(std::chrono::milliseconds(0)));
}

TEST(AdmissionTest, BodiesAreBoundedTogether) {
  Admission admission(1, 100);
  EXPECT_TRUE(admission.TryAddBody(60));
  EXPECT_FALSE(admission.TryAddBody(60));
  EXPECT_TRUE(admission.TryAddBody(40));
  admission.RemoveBody(100);
  EXPECT_TRUE(admission.TryAddBody(100));
}

TEST(AdmissionTest, AnswersAreBoundedTogether) {
  Admission admission(1, 0);
  EXPECT_TRUE(admission.TryAddReply(60, 100));
  EXPECT_FALSE(admission.TryAddReply(60, 100));
  EXPECT_TRUE(admission.TryAddReply(60, 200));
  admission.RemoveReply(120);
  EXPECT_TRUE(admission.TryAddReply(100, 100));
}

}  // namespace
}  // namespace server
