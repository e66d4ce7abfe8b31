#include "fhir/terminology/code_system.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fhir::terminology {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

class CodeSystemTest : public testing::Test {
 protected:
  Result<CodeSystem> Read(std::string_view rest) {
    auto document = json::Document::Parse(R"({"resourceType":"CodeSystem","url":"s",)" +
                                          std::string(rest) + "}");
    EXPECT_TRUE(document.has_value()) << rest;
    documents_.push_back(std::make_unique<json::Document>(*std::move(document)));
    return CodeSystem::Read(documents_.back()->Root());
  }

 private:
  std::vector<std::unique_ptr<json::Document>> documents_;
};

constexpr std::string_view kNested =
    R"("content":"complete","concept":[{"code":"a","concept":[{"code":"b","concept":[{"code":"c"}]},
       {"code":"d"}]},{"code":"e"}])";

TEST_F(CodeSystemTest, NestedConceptsAreBelowEachOther) {
  const auto system = Read(kNested);
  ASSERT_TRUE(system.has_value());
  EXPECT_THAT(system->Codes(), ElementsAre("a", "b", "c", "d", "e"));
  EXPECT_THAT(*system->Below("a"), UnorderedElementsAre("a", "b", "c", "d"));
  EXPECT_THAT(*system->Below("e"), ElementsAre("e"));
  EXPECT_THAT(*system->Above("c"), UnorderedElementsAre("c", "b", "a"));
  EXPECT_EQ(system->Below("x").error().http_status, 400);
}

TEST_F(CodeSystemTest, PropertiesPutConceptsUnderSeveralOthers) {
  const auto system = Read(
      R"("content":"complete","property":[{"code":"up","uri":"http://hl7.org/fhir/concept-properties#parent"}],
         "concept":[{"code":"a"},{"code":"b"},
                    {"code":"c","property":[{"code":"up","valueCode":"a"},{"code":"up","valueCode":"b"}]},
                    {"code":"d","property":[{"code":"subsumedBy","valueCode":"c"}]},
                    {"code":"e","property":[{"code":"child","valueCode":"a"}]}])");
  ASSERT_TRUE(system.has_value());
  EXPECT_THAT(*system->Above("d"), UnorderedElementsAre("d", "c", "a", "b", "e"));
  EXPECT_THAT(*system->Below("b"), UnorderedElementsAre("b", "c", "d"));
}

TEST_F(CodeSystemTest, CirclesEnd) {
  const auto system = Read(
      R"("content":"complete","concept":[{"code":"a","property":[{"code":"parent","valueCode":"b"}]},
         {"code":"b","property":[{"code":"parent","valueCode":"a"}]}])");
  EXPECT_THAT(*system->Below("a"), UnorderedElementsAre("a", "b"));
}

TEST_F(CodeSystemTest, PropertiesAreComparedAsText) {
  const auto system = Read(
      R"("content":"complete","property":[{"code":"kind"},{"code":"n"},{"code":"link"}],
         "concept":[{"code":"a","property":[{"code":"kind","valueString":"x"},{"code":"n","valueInteger":5}]},
                    {"code":"b","property":[{"code":"kind","valueCode":"y"},
                                            {"code":"link","valueCoding":{"code":"x"}}],
                     "concept":[{"code":"c"}]}])");
  EXPECT_THAT(*system->WithProperty("kind", "x"), ElementsAre("a"));
  EXPECT_THAT(*system->WithProperty("n", "5"), ElementsAre("a"));
  EXPECT_THAT(*system->WithProperty("kind", "z"), IsEmpty());
  EXPECT_THAT(*system->WithProperty("code", "c"), ElementsAre("c"));
  EXPECT_THAT(*system->WithProperty("parent", "b"), ElementsAre("c"));
  EXPECT_THAT(*system->WithProperty("child", "c"), ElementsAre("b"));
  EXPECT_EQ(system->WithProperty("unknown", "x").error().http_status, 400);
  EXPECT_EQ(system->WithProperty("link", "x").error().http_status, 400);
}

TEST_F(CodeSystemTest, OnlyWholeSystemsWithAnIsAHierarchyAnswer) {
  for (const std::string_view content : {"fragment", "example", "not-present", "supplement"}) {
    EXPECT_FALSE(Read("\"content\":\"" + std::string(content) + "\"").has_value()) << content;
  }
  EXPECT_FALSE(Read(R"("version":"1")").has_value());
  const auto parts = Read(R"("hierarchyMeaning":"part-of",)" + std::string(kNested));
  EXPECT_FALSE(parts->Below("a").has_value());
  EXPECT_TRUE(Read(R"("hierarchyMeaning":"is-a",)" + std::string(kNested))->Below("a").has_value());
}

}  // namespace
}  // namespace fhir::terminology
