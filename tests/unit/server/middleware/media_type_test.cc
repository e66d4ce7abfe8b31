#include "server/middleware/media_type.h"

#include <gtest/gtest.h>

namespace server {
namespace {

TEST(MediaTypeTest, ReadsNameAndParameters) {
  const MediaType type =
      ParseMediaType(" Application/FHIR+JSON ; charset=\"UTF-8\";fhirVersion=4.0");
  EXPECT_EQ(type.name, "application/fhir+json");
  EXPECT_EQ(type.charset, "utf-8");
  EXPECT_EQ(type.fhir_version, "4.0");
  EXPECT_FALSE(type.refused);
}

TEST(MediaTypeTest, NonsenseIsATypeNobodyKnows) {
  for (const char* text : {"", ";", ";;=;", "=", "a/b;q", "\"", "q=0"}) {
    EXPECT_FALSE(IsJson(ParseMediaType(text))) << text;
  }
}

TEST(MediaTypeTest, JsonIsAcceptedWhereARangeHasIt) {
  for (const char* accept :
       {"", "*/*", "application/*", "application/json", "application/fhir+json; fhirVersion=4.0",
        "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
        "application/fhir+xml, application/fhir+json;q=0.1", "text/json", "APPLICATION/JSON"}) {
    EXPECT_TRUE(AcceptsJson(accept)) << accept;
  }
}

TEST(MediaTypeTest, JsonIsNotAcceptedElsewhere) {
  for (const char* accept :
       {"application/fhir+xml", "text/html", "application/json;q=0", "application/json; q=0.000",
        "*/*;q=0", "application/fhir+json;fhirVersion=3.0", "application/jsonx", ",", "image/*"}) {
    EXPECT_FALSE(AcceptsJson(accept)) << accept;
  }
}

}  // namespace
}  // namespace server
