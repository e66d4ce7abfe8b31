#include "fhir/json/document.h"

#include <string>

#include <gtest/gtest.h>

namespace fhir::json {
namespace {

using namespace std::string_view_literals;

Document MustParse(std::string_view text) {
  Result<Document> document = Document::Parse(text);
  EXPECT_TRUE(document.has_value()) << text;
  if (!document) return *Document::Parse("null");
  return *std::move(document);
}

std::string Refusal(std::string_view text) {
  Result<Document> document = Document::Parse(text);
  EXPECT_FALSE(document.has_value()) << text;
  if (document) return {};
  EXPECT_EQ(document.error().http_status, 400);
  return document.error().issues.at(0).diagnostics;
}

std::string Nested(std::size_t depth) {
  return std::string(depth, '[') + std::string(depth, ']');
}

TEST(DocumentTest, AValueKnowsItsKindNameAndText) {
  Document document = MustParse(R"({"a":null,"b":true,"c":false,"d":-1.10,"e":"x","f":{},"g":[]})");
  Value root = document.Root();
  ASSERT_TRUE(root.IsObject());
  EXPECT_EQ(root.Find("a").GetKind(), Kind::kNull);
  EXPECT_EQ(root.Find("b").Text(), "true");
  EXPECT_EQ(root.Find("c").Text(), "false");
  EXPECT_EQ(root.Find("c").GetKind(), Kind::kBoolean);
  EXPECT_EQ(root.Find("d").Text(), "-1.10");
  EXPECT_EQ(root.Find("d").GetKind(), Kind::kNumber);
  EXPECT_EQ(root.Find("d").StringOrEmpty(), "");
  EXPECT_EQ(root.Find("e").StringOrEmpty(), "x");
  EXPECT_EQ(root.Find("e").Name(), "e");
  EXPECT_TRUE(root.Find("f").IsObject());
  EXPECT_TRUE(root.Find("g").IsArray());
  EXPECT_TRUE(root.Find("h").IsNone());
  EXPECT_TRUE(root.Find("e").Find("x").IsNone());
  EXPECT_TRUE(Value().Find("x").IsNone());
}

TEST(DocumentTest, ChildrenAreWalkedWithoutTheirDescendants) {
  Document document = MustParse(R"([1,{"a":[2,3],"b":4},[],"x"])");
  std::string kinds;
  for (Value child : document.Root().Children())
    kinds += std::to_string(static_cast<int>(child.GetKind()));
  EXPECT_EQ(kinds, "2453");
  for (const Value& child : MustParse("{}").Root().Children()) FAIL() << child.Index();
  EXPECT_EQ(document.Nodes()[0].end, document.Nodes().size());
}

TEST(DocumentTest, NumbersKeepTheirDigits) {
  for (const char* number : {"0", "-0", "1.10", "0.700", "1.2E+2", "1e-300", "123456789012345678",
                             "18446744073709551616", "3.14159265358979323846264338327950288",
                             "-0.000000000000000000000000000001"}) {
    EXPECT_EQ(MustParse(number).Root().Text(), number);
    EXPECT_EQ(MustParse("[" + std::string(number) + " ,7]").Nodes()[1].text_size,
              std::string(number).size());
    Document member = MustParse("{\"escaped\\n\":" + std::string(number) + "}");
    EXPECT_EQ(member.Root().Find("escaped\n").Text(), number);
  }
}

TEST(DocumentTest, StringsAreUnescaped) {
  EXPECT_EQ(MustParse(R"("\"\\\/\b\f\n\r\t")").Root().Text(), "\"\\/\b\f\n\r\t");
  EXPECT_EQ(MustParse(R"("\u00e4\u20AC\ud83d\ude00")").Root().Text(), "\u00E4\u20AC\U0001F600");
  EXPECT_EQ(MustParse(R"("a\u0000b")").Root().Text(), "a\0b"sv);
  EXPECT_EQ(MustParse(R"({"a\u0000b":1})").Root().Find("a\0b"sv).Text(), "1");
  EXPECT_EQ(MustParse("\"\u00E4\U0001F600\"").Root().Text(), "\u00E4\U0001F600");
}

TEST(DocumentTest, WhatFollowsAnEscapeIsNotLost) {
  Document document = MustParse(R"(["\u0041\u0042","cd",1.50,{"\n":"ef"}])");
  EXPECT_EQ(document.Nodes()[1].text_size, 2U);
  EXPECT_EQ(Value(&document, 2).Text(), "cd");
  EXPECT_EQ(Value(&document, 3).Text(), "1.50");
  EXPECT_EQ(Value(&document, 5).Name(), "\n");
  EXPECT_EQ(Value(&document, 5).Text(), "ef");
}

TEST(DocumentTest, ARepeatedNameIsNoSyntaxError) {
  EXPECT_EQ(MustParse(R"({"a":1,"a":2})").Nodes().size(), 3U);
}

TEST(DocumentTest, AByteOrderMarkIsSkipped) {
  EXPECT_TRUE(MustParse("\xEF\xBB\xBF{}").Root().IsObject());
}

TEST(DocumentTest, WhatIsNotOneJsonValueIsRefused) {
  for (std::string_view text :
       {""sv,         " \n"sv,     "\xEF\xBB\xBF"sv, "{"sv,           "["sv,        "}"sv,
        "{]"sv,       "[1"sv,      "[1,]"sv,         "{\"a\":1,}"sv,  "{\"a\"}"sv,  "{\"a\":}"sv,
        "{a:1}"sv,    "{1:1}"sv,   "[1 2]"sv,        "{} {}"sv,       "{}x"sv,      "1 2"sv,
        "nul"sv,      "truex"sv,   "NaN"sv,          "Infinity"sv,    "-"sv,        "+1"sv,
        "01"sv,       ".5"sv,      "5."sv,           "1e"sv,          "0x1"sv,      "\"a"sv,
        "\"a\\"sv,    "\"\\x\""sv, "\"\\u12\""sv,    "\"\\u12g4\""sv, "'a'"sv,      "\"a\nb\""sv,
        "\"a\0b\""sv, "// c\n1"sv, "[1]//"sv,        "{}\0"sv,        "{}\0junk"sv, "\0{}"sv,
        "[1,\0 2]"sv, "1\0"sv}) {
    EXPECT_NE(Refusal(text), "");
  }
}

TEST(DocumentTest, WhatIsNotUtf8IsRefused) {
  for (std::string_view bytes :
       {"\xFF"sv, "\x80"sv, "\xC0\xAF"sv, "\xC3"sv, "\xE2\x82"sv, "\xED\xA0\x80"sv,
        "\xF0\x9F\x98"sv, "\xF4\x90\x80\x80"sv, "\xF8\x88\x80\x80\x80"sv, "\xE0\x80\xAF"sv}) {
    Refusal("\"" + std::string(bytes) + "\"");
    Refusal("{\"" + std::string(bytes) + "\":1}");
    Refusal("\"" + std::string(bytes));  // The text ends within the sequence.
    Refusal("\"\\n" + std::string(bytes) + "\"");
    Refusal(bytes);
  }
}

TEST(DocumentTest, ALoneSurrogateIsRefused) {
  for (const char* text : {R"("\ud800")", R"("\udc00")", R"("\ud800\ud800")", R"("\ud800x")",
                           R"("\udc00\ud800")", R"({"\udfff":1})", R"(["x","\uDBFF\n"])"}) {
    Refusal(text);
  }
}

TEST(DocumentTest, DepthIsBounded) {
  EXPECT_EQ(MustParse(Nested(kMaxDepth)).Nodes().size(), kMaxDepth);
  Refusal(Nested(kMaxDepth + 1));
  Refusal(std::string(1'000'000, '['));
  std::string objects;
  for (std::size_t i = 0; i < 200'000; ++i) objects += "{\"a\":";
  Refusal(objects);
}

TEST(DocumentTest, AnErrorSaysLineAndColumnOfTheOriginalText) {
  EXPECT_NE(Refusal("{\"a\": \"\\n\\u0041\",\n  \"b\": tru }").find("line 2, column"),
            std::string::npos);
  EXPECT_NE(Refusal("{}\n\n  x").find("line 3, column 3"), std::string::npos);
  EXPECT_NE(Refusal("").find("line 1, column 1"), std::string::npos);
}

TEST(DocumentTest, ALongTextWithAHugeStringIsParsed) {
  std::string text = "{\"data\":\"" + std::string(20'000'000, 'A') + "\",\"b\":1}";
  Document document = MustParse(text);
  EXPECT_EQ(document.Root().Find("data").Text().size(), 20'000'000U);
  EXPECT_EQ(document.Root().Find("b").Text(), "1");
}

TEST(DocumentTest, AMovedDocumentKeepsItsValues) {
  Document first = MustParse(R"(["x"])");
  Document second = std::move(first);
  EXPECT_EQ(Value(&second, 1).Text(), "x");
}

TEST(DocumentTest, ATextOfMoreValuesThanAllowedIsTooLarge) {
  EXPECT_TRUE(Document::Parse("[0,{}]", 3).has_value());
  const auto refused = Document::Parse("[0,{},1]", 3);
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().http_status, 413);
}

}  // namespace
}  // namespace fhir::json
