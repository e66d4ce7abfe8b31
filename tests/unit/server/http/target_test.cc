#include "server/http/target.h"

#include <gtest/gtest.h>

namespace server {
namespace {

std::string Decode(std::string_view path) {
  std::string out;
  return DecodePath(path, &out) ? out : "(refused)";
}

TEST(TargetTest, SplitsAtTheFirstQuestionMark) {
  const TargetParts parts = SplitTarget("/fhir/Patient?a=b?c");
  EXPECT_EQ(parts.path, "/fhir/Patient");
  EXPECT_EQ(parts.query, "a=b?c");
  EXPECT_EQ(parts.authority, "");
}

TEST(TargetTest, TheAbsoluteFormNamesItsAuthority) {
  const TargetParts parts = SplitTarget("http://host:80/fhir?x=1");
  EXPECT_EQ(parts.authority, "host:80");
  EXPECT_EQ(parts.path, "/fhir");
  EXPECT_EQ(parts.query, "x=1");
  EXPECT_EQ(SplitTarget("http://host").path, "");
  EXPECT_EQ(SplitTarget("http://host?x").query, "x");
}

TEST(TargetTest, AUrlInTheQueryIsNoAuthority) {
  EXPECT_EQ(SplitTarget("/a?url=http://x/y").path, "/a");
  EXPECT_EQ(SplitTarget("a?url=http://x/y").path, "a");
}

TEST(TargetTest, TheContextPathEndsAtASlash) {
  EXPECT_EQ(BelowContext("/fhir/Patient/x", "/fhir"), "Patient/x");
  EXPECT_EQ(BelowContext("/fhir", "/fhir"), "");
  EXPECT_EQ(BelowContext("/fhir/", "/fhir"), "");
  EXPECT_EQ(BelowContext("/fhir/Patient/", "/fhir"), "Patient");
  EXPECT_EQ(BelowContext("/fhirx", "/fhir"), std::nullopt);
  EXPECT_EQ(BelowContext("/", "/fhir"), std::nullopt);
  EXPECT_EQ(BelowContext("", "/fhir"), std::nullopt);
  EXPECT_EQ(BelowContext("/Patient", ""), "Patient");
  EXPECT_EQ(BelowContext("/", ""), "");
}

TEST(TargetTest, EscapesAreDecodedOnceAndBrokenOnesRefused) {
  EXPECT_EQ(Decode("Patient/%41b%7c"), "Patient/Ab|");
  EXPECT_EQ(Decode("%2541"), "%41");
  EXPECT_EQ(Decode("a+b"), "a+b");
  for (const char* bad : {"%", "%4", "%4g", "a%", "%00", "%0A", "%7F", "a\tb", "a%2Fb", "a%2f"}) {
    EXPECT_EQ(Decode(bad), "(refused)") << bad;
  }
}

TEST(TargetTest, HostsAreNamesAndAddresses) {
  for (const char* good : {"localhost", "localhost:8080", "fhir.example.org", "[::1]:80"}) {
    EXPECT_TRUE(IsHost(good)) << good;
  }
  for (const char* bad : {"", "a b", "a/b", "a\"b", "<x>", "user@host", "a\r\nb"}) {
    EXPECT_FALSE(IsHost(bad)) << bad;
  }
  EXPECT_FALSE(IsHost(std::string(1'000, 'a')));
}

}  // namespace
}  // namespace server
