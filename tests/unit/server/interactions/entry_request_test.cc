#include "server/interactions/entry_request.h"

#include <gtest/gtest.h>

namespace server {
namespace {

TEST(EntryRequestTest, AUrlIsRelativeOrBelowTheBase) {
  for (const char* url : {"Patient/x?a=b%20c", "/Patient/x?a=b%20c",
                          "http://h/fhir/Patient/x?a=b%20c", "Pati%65nt/x?a=b%20c"}) {
    const auto parsed = ParseEntryUrl(url, "http://h/fhir");
    ASSERT_TRUE(parsed.has_value()) << url;
    EXPECT_EQ(parsed->path, "Patient/x");
    EXPECT_EQ(parsed->query, "a=b%20c");
  }
}

TEST(EntryRequestTest, AUrlMayBeTheBaseWithAQuery) {
  for (const char* url : {"?_type=Patient", "/?_type=Patient", "http://h/fhir?_type=Patient"}) {
    const auto parsed = ParseEntryUrl(url, "http://h/fhir");
    ASSERT_TRUE(parsed.has_value()) << url;
    EXPECT_EQ(parsed->path, "");
    EXPECT_EQ(parsed->query, "_type=Patient");
  }
}

TEST(EntryRequestTest, AForeignOrBrokenUrlIsRefused) {
  for (const char* url :
       {"http://other/fhir/Patient/x", "http://h/fhirPatient/x", "Patient/%4", "Patient/%zz"}) {
    const auto parsed = ParseEntryUrl(url, "http://h/fhir");
    ASSERT_FALSE(parsed.has_value()) << url;
    EXPECT_EQ(parsed.error().issues[0].expression, "request.url");
  }
}

TEST(EntryRequestTest, WithoutABaseAbsoluteUrlsAreForeign) {
  EXPECT_TRUE(ParseEntryUrl("/Patient", "").has_value());
  EXPECT_FALSE(ParseEntryUrl("http://h/Patient", "").has_value());
}

TEST(EntryRequestTest, TheHeadersAreThoseOfTheEntry) {
  fhir::model::BundleEntry entry;
  entry.method = fhir::model::Method::kPut;
  entry.url = "Patient/x";
  entry.if_match = "W/\"3\"";
  Request bundle;
  bundle.base_url = "http://h/fhir";
  bundle.received_ms = 5;
  bundle.headers.prefer = "handling=lenient";
  bundle.headers.if_none_exist = "identifier=1";
  const auto request = RequestOf(entry, bundle);
  ASSERT_TRUE(request.has_value());
  EXPECT_EQ(request->verb, Verb::kPut);
  EXPECT_EQ(request->headers.if_match, "W/\"3\"");
  EXPECT_EQ(request->headers.if_none_exist, "");
  EXPECT_EQ(request->headers.prefer, "handling=lenient");
  EXPECT_EQ(request->base_url, "http://h/fhir");
  EXPECT_EQ(request->received_ms, 5);
}

}  // namespace
}  // namespace server
