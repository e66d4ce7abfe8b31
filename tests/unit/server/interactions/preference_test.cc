#include "server/interactions/preference.h"

#include <gtest/gtest.h>

namespace server {
namespace {

TEST(PreferenceTest, NothingIsSaidByDefault) {
  EXPECT_EQ(ParsePreference("").answer, Preference::Return::kUnsaid);
  EXPECT_FALSE(ParsePreference("").lenient);
}

TEST(PreferenceTest, ReturnAndHandlingStandTogether) {
  const Preference comma = ParsePreference("return=minimal, handling=lenient");
  EXPECT_EQ(comma.answer, Preference::Return::kMinimal);
  EXPECT_TRUE(comma.lenient);
  const Preference semicolon = ParsePreference("handling = lenient;return=\"representation\"");
  EXPECT_EQ(semicolon.answer, Preference::Return::kRepresentation);
  EXPECT_TRUE(semicolon.lenient);
}

TEST(PreferenceTest, WhatIsUnknownIsIgnored) {
  const Preference preference = ParsePreference("respond-async, return=all, handling=strict,,=;");
  EXPECT_EQ(preference.answer, Preference::Return::kUnsaid);
  EXPECT_FALSE(preference.lenient);
  EXPECT_EQ(ParsePreference("return=OperationOutcome").answer,
            Preference::Return::kOperationOutcome);
}

}  // namespace
}  // namespace server
