#include "fhir/validation/primitive.h"

#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "fhir/validation/structure.h"

namespace fhir::validation {
namespace {

using definitions::Primitive;

struct Case {
  Primitive primitive;
  std::vector<std::string_view> good;
  std::vector<std::string_view> bad;
};

constexpr std::string_view kUuid = "urn:uuid:c757873d-ec9a-4326-a141-556f43239520";

TEST(PrimitiveTest, TextsAreLegalAsTheSpecificationSays) {
  const Case cases[] = {
      {Primitive::kInteger,
       {"0", "-1", "2147483647", "-2147483648"},
       {"2147483648", "-2147483649", "1.0", "1e2", "-0", "99999999999999999999"}},
      {Primitive::kPositiveInt, {"1", "2147483647"}, {"0", "-1", "2147483648"}},
      {Primitive::kUnsignedInt, {"0", "1"}, {"-1", "2147483648", "0.0"}},
      {Primitive::kDecimal, {"1.10", "-0.5", "1e3", "0"}, {"1e99999"}},
      {Primitive::kDate, {"2020", "2020-02", "2020-02-29"}, {"", "2021-02-29", "2020-1-1", "20"}},
      {Primitive::kDateTime,
       {"2020", "2020-01-01T10:00:00Z", "2020-01-01T10:00:00.123+01:00"},
       {"2020-01-01T10:00:00", "2020-01-01T25:00:00Z", "2020-01-01 10:00:00Z"}},
      {Primitive::kInstant, {"2020-01-01T10:00:00.000Z"}, {"2020-01-01", "2020-01-01T10:00Z"}},
      {Primitive::kTime, {"10:00:00", "10:00:00.5"}, {"10:00", "24:00:00", "10:00:00Z"}},
      {Primitive::kId, {"a", "A-1.b"}, {"", "a_b", "a/b", "\xC3\xBC"}},
      {Primitive::kOid,
       {"urn:oid:1.2.3", "urn:oid:2.16.840.1.113883.0"},
       {"", "1.2.3", "urn:oid:", "urn:oid:1", "urn:oid:1.", "urn:oid:3.1", "urn:oid:1.02",
        "urn:oid:1..2", "urn:oid:1.a"}},
      {Primitive::kUuid,
       {kUuid, "urn:uuid:C757873D-ec9a-4326-a141-556f43239520"},
       {"", "c757873d-ec9a-4326-a141-556f43239520", kUuid.substr(0, 44),
        "urn:uuid:c757873d-ec9a-4326-a141-556f4323952g",
        "urn:uuid:c757873dxec9a-4326-a141-556f43239520"}},
      {Primitive::kCode, {"a", "a b"}, {"", " a", "a ", "a  b", " ", "a\x01"}},
      {Primitive::kBase64Binary,
       {"AAAA", "AAA=", "AA==", "AAAA\r\nAAAA", " AAAA "},
       {"", " ", "A", "AAAAA", "A===", "AA=A", "====", "AA-_"}},
      {Primitive::kUri, {"a", "urn:x", "http://h/p?q=\xC3\xBC#f"}, {"", " ", "a b", "a\n", "\ta"}},
      {Primitive::kUrl, {"http://h"}, {"http://h/a b"}},
      {Primitive::kCanonical, {"http://h/p|1.0"}, {""}},
      {Primitive::kString, {"a", " ", "a\tb\r\nc", "\xF0\x9F\x98\x80"}, {"", "a\x01", "\x1B[0m"}},
      {Primitive::kMarkdown, {"# a\n"}, {"", "a\x08"}},
      {Primitive::kXhtml,
       {"<div xmlns=\"http://www.w3.org/1999/xhtml\">a <b>b</b></div>", "\n<div/>"},
       {"", "a", "<p>a</p>", "<div><script>x</script></div>", "<div><SCRIPT src='a'/></div>",
        "<div>\x01</div>"}},
  };
  for (const Case& c : cases) {
    for (const std::string_view text : c.good) {
      EXPECT_TRUE(IsLegalText(c.primitive, text)) << static_cast<int>(c.primitive) << " " << text;
    }
    for (const std::string_view text : c.bad) {
      EXPECT_FALSE(IsLegalText(c.primitive, text)) << static_cast<int>(c.primitive) << " " << text;
    }
  }
}

TEST(PrimitiveTest, NulIsNeverLegal) {
  const std::string_view text("a\0b", 3);
  for (const Primitive primitive : {Primitive::kString, Primitive::kCode, Primitive::kUri,
                                    Primitive::kMarkdown, Primitive::kId, Primitive::kXhtml}) {
    EXPECT_FALSE(IsLegalText(primitive, text));
  }
  EXPECT_FALSE(IsLegalText(Primitive::kXhtml, std::string_view("<div>\0</div>", 12)));
}

TEST(PrimitiveTest, AnIdHasAtMost64Characters) {
  EXPECT_TRUE(IsId(std::string(64, 'a')));
  EXPECT_FALSE(IsId(std::string(65, 'a')));
}

}  // namespace
}  // namespace fhir::validation
