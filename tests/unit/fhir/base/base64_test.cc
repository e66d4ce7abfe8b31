#include "fhir/base/base64.h"

#include <gtest/gtest.h>

namespace fhir {
namespace {

TEST(Base64Test, DecodesWithWhiteSpaceAnywhere) {
  EXPECT_EQ(DecodeBase64(""), "");
  EXPECT_EQ(DecodeBase64("Zg=="), "f");
  EXPECT_EQ(DecodeBase64("Zm8="), "fo");
  EXPECT_EQ(DecodeBase64("Zm9v\n YmFy"), "foobar");
  EXPECT_EQ(DecodeBase64("+/+/"), "\xfb\xff\xbf");
}

TEST(Base64Test, RefusesWhatIsNone) {
  for (const char* text : {"Zg", "Zg=", "Z===", "Zg==Zg==", "Zm9-", "===="}) {
    EXPECT_FALSE(DecodeBase64(text)) << text;
  }
}

}  // namespace
}  // namespace fhir
