#include "fhir/json/patch.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

#include "fhir/json/writer.h"

namespace fhir::json {
namespace {

Result<std::string> Apply(std::string_view target, std::string_view patch) {
  const Document document = Document::Parse(target).value();
  const Document operations = Document::Parse(patch).value();
  return ApplyPatch(document.Root(), operations.Root());
}

std::string Patched(std::string_view target, std::string_view patch) {
  const auto result = Apply(target, patch);
  return result ? *result : "error " + std::to_string(result.error().http_status);
}

// A patch of one operation.
std::string One(std::string_view target, std::string_view members) {
  return Patched(target, "[{" + std::string(members) + "}]");
}

std::string Text(const Value& value) {
  std::string out;
  AppendValue(&out, value);
  return out;
}

// Equal as JSON Patch means it.
bool AreSame(std::string_view a, const Value& b) {
  return Apply(a, R"([{"op":"test","path":"","value":)" + Text(b) + "}]").has_value();
}

TEST(PatchTest, TheSpecificationsCasesHold) {
  const char* shared = std::getenv("KILN_SHARED_DIR");
  const std::filesystem::path path =
      std::filesystem::path(shared != nullptr ? shared : KILN_SOURCE_DIR "/../shared") / "patch" /
      "json-patch-tests.json";
  std::ifstream file(path);
  if (!file) GTEST_SKIP() << "no " << path;
  std::stringstream text;
  text << file.rdbuf();
  const Document cases = Document::Parse(text.str()).value();
  for (const Value test : cases.Root().Children()) {
    const std::string name(test.Find("comment").StringOrEmpty());
    if (test.Find("disabled").StringOrEmpty() == "true") continue;
    const auto result = ApplyPatch(test.Find("doc"), test.Find("patch"));
    EXPECT_EQ(result.has_value(), test.Find("error").IsNone()) << name;
    const Value expected = test.Find("expected");
    if (!result || expected.IsNone()) continue;
    EXPECT_TRUE(AreSame(*result, expected)) << name << ": " << *result;
  }
}

TEST(PatchTest, AddPutsAValueWhereThePathSays) {
  EXPECT_EQ(One("{}", R"("op":"add","path":"/a","value":1.10)"), R"({"a":1.10})");
  EXPECT_EQ(One(R"({"a":1,"b":2})", R"("op":"add","path":"/a","value":[])"), R"({"a":[],"b":2})");
  EXPECT_EQ(One("[1,3]", R"("op":"add","path":"/1","value":2)"), "[1,2,3]");
  EXPECT_EQ(One("[1]", R"("op":"add","path":"/1","value":2)"), "[1,2]");
  EXPECT_EQ(One("[1]", R"("op":"add","path":"/-","value":2)"), "[1,2]");
  EXPECT_EQ(One("[1]", R"("op":"add","path":"","value":2)"), "2");
  EXPECT_EQ(One(R"({"":1})", R"("op":"add","path":"/","value":2)"), R"({"":2})");
  EXPECT_EQ(One("{}", R"("op":"add","path":"/~1~01","value":2)"), R"({"/~1":2})");
  for (const char* path :
       {"/2", "/01", "/+1", "/-1", "/x", "/1e0", "/99999999999999999999", "/0/0"}) {
    EXPECT_EQ(One("[1]", R"("op":"add","value":2,"path":")" + std::string(path) + "\""),
              "error 422")
        << path;
  }
}

TEST(PatchTest, RemoveAndReplaceNeedWhatIsThere) {
  EXPECT_EQ(One(R"({"a":1,"b":[1,2]})", R"("op":"remove","path":"/b/0")"), R"({"a":1,"b":[2]})");
  EXPECT_EQ(One(R"({"a":1,"b":2})", R"("op":"replace","path":"/a","value":"x")"),
            R"({"a":"x","b":2})");
  EXPECT_EQ(One(R"({"a":1})", R"("op":"replace","path":"","value":[])"), "[]");
  for (const char* members :
       {R"("op":"remove","path":"/b")", R"("op":"remove","path":"/a/0")",
        R"("op":"remove","path":"")", R"("op":"replace","path":"/b","value":1)"}) {
    EXPECT_EQ(One(R"({"a":1})", members), "error 422") << members;
  }
  EXPECT_EQ(One("[1]", R"("op":"remove","path":"/-")"), "error 422");
}

TEST(PatchTest, MoveAndCopyTakeFromAnotherPlace) {
  EXPECT_EQ(One(R"({"a":{"x":1},"b":{}})", R"("op":"move","from":"/a/x","path":"/b/y")"),
            R"({"a":{},"b":{"y":1}})");
  EXPECT_EQ(One("[1,2,3]", R"("op":"move","from":"/0","path":"/2")"), "[2,3,1]");
  EXPECT_EQ(One(R"({"a":1})", R"("op":"move","from":"/a","path":"/a")"), R"({"a":1})");
  EXPECT_EQ(One(R"({"a":[1]})", R"("op":"copy","from":"/a","path":"/a/0")"), R"({"a":[[1],1]})");
  EXPECT_EQ(One(R"({"a":{"b":1}})", R"("op":"move","from":"/a","path":"/a/b")"), "error 422");
  EXPECT_EQ(One(R"({"a":1})", R"("op":"move","from":"/x","path":"/x")"), "error 422");
  EXPECT_EQ(One(R"({"a":1})", R"("op":"copy","from":"/x","path":"/y")"), "error 422");
}

TEST(PatchTest, TestComparesValues) {
  const auto holds = [](std::string_view target, std::string_view value) {
    return Apply(target, R"([{"op":"test","path":"","value":)" + std::string(value) + "}]")
        .has_value();
  };
  EXPECT_TRUE(holds("1.0", "1"));
  EXPECT_TRUE(holds("1e2", "100"));
  EXPECT_TRUE(holds(R"({"a":1,"b":[2,null]})", R"({"b":[2,null],"a":1.0})"));
  EXPECT_TRUE(holds(R"("\u00e9")", "\"é\""));
  EXPECT_FALSE(holds("1", "\"1\""));
  EXPECT_FALSE(holds("[1,2]", "[2,1]"));
  EXPECT_FALSE(holds(R"({"a":1})", R"({"a":1,"b":2})"));
  EXPECT_FALSE(holds("true", "false"));
  EXPECT_FALSE(holds("null", "false"));
}

TEST(PatchTest, WhatIsNoPatchIs400) {
  EXPECT_EQ(Patched("{}", "{}"), "error 400");
  EXPECT_EQ(Patched("{}", "[1]"), "error 400");
  for (const char* members :
       {R"("op":"spam","path":"/a","value":1)", R"("path":"/a","value":1)",
        R"("op":"add","value":1)", R"("op":"add","path":"/a")",
        R"("op":"add","path":"a","value":1)", R"("op":"add","path":"/~2","value":1)",
        R"("op":"add","path":"/~","value":1)", R"("op":"add","path":1,"value":1)",
        R"("op":"copy","path":"/a")", R"("op":"add","path":"/a","value":1,"op":"remove")"}) {
    EXPECT_EQ(One("{}", members), "error 400") << members;
  }
  EXPECT_EQ(One("{}", R"("op":"add","path":"/a","value":1,"xyz":3)"), R"({"a":1})");
  EXPECT_EQ(Patched("{}", "[]"), "{}");
}

TEST(PatchTest, GrowthIsBounded) {
  std::string patch = "[";
  for (int i = 0; i < 40; ++i) {
    patch += R"({"op":"copy","from":"/a","path":"/a/-"},)";
  }
  patch.back() = ']';
  EXPECT_EQ(Patched(R"({"a":["0123456789"]})", patch), "error 413");
  std::string deep = "[";
  for (int i = 0; i < 8; ++i) {
    deep += R"({"op":"copy","from":"/a","path":"/b"},{"op":"move","from":"/b","path":"/a)";
    for (int k = 0; k < 1 << i; ++k) deep += "/0";
    deep += R"("},)";
  }
  deep.back() = ']';
  EXPECT_EQ(Patched(R"({"a":[1]})", deep), "error 422");
}

}  // namespace
}  // namespace fhir::json
