#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fhir/search/query.h"

namespace fhir::search {
namespace {

using testing::ElementsAre;
using testing::Pair;

TEST(QueryStringTest, NamesAndValuesAreDecoded) {
  const auto parameters = DecodeParameters("a=1%7C2&b:c=x+y&&d&e=&f=g=h|i");
  ASSERT_TRUE(parameters.has_value());
  EXPECT_THAT(*parameters, ElementsAre(Pair("a", "1|2"), Pair("b:c", "x y"), Pair("d", ""),
                                       Pair("e", ""), Pair("f", "g=h|i")));
}

TEST(QueryStringTest, BrokenEscapesAndBytesThatAreNotUtf8AreRefused) {
  for (const std::string_view text : {"a=%", "a=%4", "a=%zz", "a=%FF", "a=%C3", "a=%C0%80",
                                      "a=%ED%A0%80", "a=%F4%90%80%80", "%E2%82=1"}) {
    EXPECT_FALSE(DecodeParameters(text).has_value()) << text;
  }
  EXPECT_TRUE(DecodeParameters("a=%C3%BC%E2%82%AC%F0%9F%98%80").has_value());
}

TEST(QueryStringTest, EncodingIsTheInverse) {
  const Parameters parameters = {{"code:not", "s|a b+c&d=e%"}, {"x", "\xC3\xBC\\,"}};
  const auto decoded = DecodeParameters(EncodeParameters(parameters));
  ASSERT_TRUE(decoded.has_value());
  EXPECT_EQ(*decoded, parameters);
}

}  // namespace
}  // namespace fhir::search
