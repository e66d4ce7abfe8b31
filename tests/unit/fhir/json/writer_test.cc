#include "fhir/json/writer.h"

#include <limits>
#include <random>
#include <string>

#include <gtest/gtest.h>

namespace fhir::json {
namespace {

using namespace std::string_view_literals;

std::string Quoted(std::string_view text) {
  std::string out = "before";
  AppendString(&out, text);
  EXPECT_TRUE(out.starts_with("before"));
  return out.substr(6);
}

std::string Minified(std::string_view text) {
  Result<Document> document = Document::Parse(text);
  EXPECT_TRUE(document.has_value()) << text;
  std::string out;
  if (document) AppendValue(&out, document->Root());
  return out;
}

TEST(WriterTest, OnlyWhatJsonDemandsIsEscaped) {
  EXPECT_EQ(Quoted(""), R"("")");
  EXPECT_EQ(Quoted("plain / text"), R"("plain / text")");
  EXPECT_EQ(Quoted("\"\\\b\f\n\r\t"), R"("\"\\\b\f\n\r\t")");
  EXPECT_EQ(Quoted("\x01\x1F\0"sv), R"("\u0001\u001f\u0000")");
  EXPECT_EQ(Quoted("\x7F \u00E4 \U0001F600"), "\"\x7F \u00E4 \U0001F600\"");
}

TEST(WriterTest, AnEscapeIsFoundAtEveryPosition) {
  for (std::size_t size = 1; size < 40; ++size) {
    for (std::size_t at = 0; at < size; ++at) {
      std::string text(size, 'x');
      text[at] = '"';
      std::string expected = text;
      expected.insert(at, 1, '\\');
      ASSERT_EQ(Quoted(text), '"' + expected + '"');
    }
  }
}

TEST(WriterTest, EveryStringComesBack) {
  std::mt19937 random(1);
  for (int i = 0; i < 20'000; ++i) {
    std::string text(std::uniform_int_distribution<std::size_t>(0, 200)(random), 'x');
    int special = std::uniform_int_distribution<int>(1, 50)(random);
    for (char& c : text) {
      if (random() % static_cast<unsigned>(special) == 0) c = static_cast<char>(random() % 128);
    }
    Result<Document> document = Document::Parse(Quoted(text));
    ASSERT_TRUE(document.has_value());
    ASSERT_EQ(document->Root().Text(), text);
  }
}

TEST(WriterTest, AValueIsMinifiedAndKeepsOrderAndDigits) {
  EXPECT_EQ(Minified(" { \"b\" : [ 1.10 , true , null , \"x\\u00e4\\n\" ] , \"a\" : { } , \"c\" : "
                     "[ ] , \"d\\t\" : [ [ ] , "
                     "{ \"e\" : -0.0 } ] } "),
            "{\"b\":[1.10,true,null,\"x\u00E4\\n\"],\"a\":{},\"c\":[],\"d\\t\":[[],{\"e\":-0.0}]}");
  for (const char* text :
       {"[]", "{}", "1", "\"x\"", "false", "[[[]],[],{}]", "{\"\":{\"\":[]}}", "[{},{}]"}) {
    EXPECT_EQ(Minified(text), text);
  }
}

TEST(WriterTest, TheDeepestValueIsWritten) {
  std::string text = std::string(kMaxDepth, '[') + std::string(kMaxDepth, ']');
  EXPECT_EQ(Minified(text), text);
}

TEST(WriterTest, APartOfADocumentIsWrittenWithoutItsName) {
  Result<Document> document = Document::Parse(R"({"a":[1,{"b":"c"}],"d":"e"})");
  std::string out = "x";
  AppendValue(&out, document->Root().Find("a"));
  AppendValue(&out, document->Root().Find("d"));
  EXPECT_EQ(out, R"(x[1,{"b":"c"}]"e")");
}

TEST(WriterTest, ALargeValueIsWrittenWhole) {
  std::string text = "[";
  for (int i = 0; i < 50'000; ++i)
    text += "{\"name\":\"value \\\"" + std::to_string(i) + "\\\"\"},";
  text.back() = ']';
  EXPECT_EQ(Minified(text), text);
}

TEST(WriterTest, TheWriterPutsTheCommas) {
  std::string out;
  Writer writer(&out);
  writer.BeginObject().Member("a").String("x\n").Member("b").BeginArray().Number(-3).Bool(true).Raw(
      "{\"r\":1}");
  writer.BeginObject().EndObject().BeginArray().EndArray().EndArray();
  writer.Member("c")
      .Number(std::numeric_limits<std::int64_t>::min())
      .Member("d")
      .Bool(false)
      .EndObject();
  EXPECT_EQ(out, R"({"a":"x\n","b":[-3,true,{"r":1},{},[]],"c":-9223372036854775808,"d":false})");
}

}  // namespace
}  // namespace fhir::json
