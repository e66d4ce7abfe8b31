#include "server/interactions/page_link.h"

#include <gtest/gtest.h>

namespace server {
namespace {

constexpr std::uint64_t kSecret = 0x1234'5678'9abc'def0;

TEST(PageLinkTest, ATokenComesBackAsItWas) {
  const std::string token = EncodePageToken({7, 50, -3}, "Patient?a=b", kSecret);
  const auto position = DecodePageToken(token, "Patient?a=b", kSecret);
  ASSERT_TRUE(position.has_value());
  EXPECT_EQ(position->t, 7U);
  EXPECT_EQ(position->offset, 50U);
  EXPECT_EQ(position->now_ms, -3);
  EXPECT_EQ(position->matches, 0U);
  const auto continued =
      DecodePageToken(EncodePageToken({7, 50, -3, 8, 9}, "Patient", kSecret), "Patient", kSecret);
  ASSERT_TRUE(continued.has_value());
  EXPECT_EQ(continued->matches, 8U);
  EXPECT_EQ(continued->included, 9U);
}

TEST(PageLinkTest, AnyChangedCharacterIsRefused) {
  const std::string token = EncodePageToken({7, 50, 3}, "Patient?a=b", kSecret);
  for (std::size_t i = 0; i < token.size(); ++i) {
    for (const char c : {'A', 'B', 'x', '-', '%', '='}) {
      if (token[i] == c) continue;
      std::string changed = token;
      changed[i] = c;
      const auto position = DecodePageToken(changed, "Patient?a=b", kSecret);
      ASSERT_FALSE(position.has_value()) << i << c;
      EXPECT_EQ(position.error().http_status, 400);
    }
  }
}

TEST(PageLinkTest, ATokenOfAnotherQueryServerOrLengthIsRefused) {
  const std::string token = EncodePageToken({7, 50, 3}, "Patient?a=b", kSecret);
  EXPECT_FALSE(DecodePageToken(token, "Patient?a=c", kSecret).has_value());
  EXPECT_FALSE(DecodePageToken(token, "Patient?a=b", kSecret + 1).has_value());
  EXPECT_FALSE(DecodePageToken("", "Patient?a=b", kSecret).has_value());
  EXPECT_FALSE(DecodePageToken(token + "A", "Patient?a=b", kSecret).has_value());
  EXPECT_FALSE(DecodePageToken(token.substr(1), "Patient?a=b", kSecret).has_value());
}

TEST(PageLinkTest, FormattingParametersDoNotBindAToken) {
  EXPECT_EQ(CanonicalQuery("Patient", {{"_format", "json"}, {"a", "b"}, {"_pretty", "true"}}),
            CanonicalQuery("Patient", {{"a", "b"}}));
}

TEST(PageLinkTest, TheTokenIsTakenOutOfTheParameters) {
  fhir::search::Parameters parameters = {{"a", "b"}, {"__page", "x"}};
  const auto token = TakePageToken(&parameters);
  ASSERT_TRUE(token.has_value());
  EXPECT_EQ(*token, "x");
  EXPECT_EQ(parameters.size(), 1U);
  parameters = {{"__page", "x"}, {"__page", "y"}};
  EXPECT_FALSE(TakePageToken(&parameters).has_value());
}

std::string UrlOf(const std::vector<PageLink>& links, std::string_view relation) {
  for (const PageLink& link : links) {
    if (link.relation == relation) return link.url;
  }
  return {};
}

TEST(PageLinkTest, ThePagesAreLinkedBothWays) {
  const PagedQuery query{"http://h/fhir", "Patient", {{"_count", "2"}}, kSecret};
  const auto first = *LinksOf(query, {7, 0, 3}, /*from_token=*/false, 2, /*next=*/2);
  EXPECT_EQ(UrlOf(first, "self"), "http://h/fhir/Patient?_count=2");
  EXPECT_EQ(UrlOf(first, "previous"), "");
  const auto second = *LinksOf(query, {7, 2, 3}, /*from_token=*/true, 2, /*next=*/std::nullopt);
  EXPECT_EQ(UrlOf(second, "self"), UrlOf(first, "next"));
  EXPECT_EQ(UrlOf(second, "first"), UrlOf(first, "first"));
  EXPECT_EQ(UrlOf(second, "previous"), UrlOf(first, "first"));
  EXPECT_EQ(UrlOf(second, "next"), "");
  EXPECT_EQ(LinkHeader({{"self", "http://a"}, {"next", "http://b"}}),
            "<http://a>; rel=\"self\", <http://b>; rel=\"next\"");
}

TEST(PageLinkTest, APageIsGoneOnWithBeforeTheNext) {
  const PagedQuery query{"http://h/fhir", "", {{"_count", "2"}}, kSecret, 10};
  const auto links = [&](const PagePosition& here, const NextPage& next) {
    return *LinksOf(query, here, /*from_token=*/true, 2, next);
  };
  const auto first = links({7, 2, 3}, {2, 2, 10});
  const auto second = links({7, 2, 3, 2, 10}, {2, 2, 20});
  const auto third = links({7, 2, 3, 2, 20}, 4);
  const auto after = *LinksOf(query, {7, 4, 3}, /*from_token=*/true, 2, std::nullopt);
  EXPECT_EQ(UrlOf(first, "next"), UrlOf(second, "self"));
  EXPECT_EQ(UrlOf(second, "next"), UrlOf(third, "self"));
  EXPECT_EQ(UrlOf(third, "next"), UrlOf(after, "self"));
  EXPECT_EQ(UrlOf(third, "previous"), UrlOf(second, "self"));
  EXPECT_EQ(UrlOf(second, "previous"), UrlOf(first, "self"));
  EXPECT_EQ(UrlOf(after, "previous"), UrlOf(first, "self"));
  EXPECT_TRUE(UrlOf(first, "self").starts_with("http://h/fhir?_count=2&"));
}

}  // namespace
}  // namespace server
