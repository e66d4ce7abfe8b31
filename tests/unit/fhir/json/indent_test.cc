#include "fhir/json/indent.h"

#include <algorithm>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

namespace fhir::json {
namespace {

// In pieces of `size` bytes.
std::string Indented(std::string_view text, std::size_t size) {
  std::string out;
  Indenter indenter(&out);
  for (; !text.empty(); text.remove_prefix(std::min(size, text.size()))) {
    indenter.Append(text.substr(0, size));
  }
  return out;
}

TEST(IndentTest, EveryValueHasItsLineWhateverThePieces) {
  constexpr std::string_view kText = R"({"a":[1.10,{}],"b":{"c\"{,":"x\\","d":[]},"e":null})";
  constexpr std::string_view kExpected = R"({
  "a": [
    1.10,
    {}
  ],
  "b": {
    "c\"{,": "x\\",
    "d": []
  },
  "e": null
})";
  for (std::size_t size = 1; size <= kText.size(); ++size) {
    EXPECT_EQ(Indented(kText, size), kExpected) << size;
  }
}

TEST(IndentTest, AScalarAndAnEmptyObjectStay) {
  EXPECT_EQ(Indented("{}", 2), "{}");
  EXPECT_EQ(Indented("[]", 1), "[]");
  EXPECT_EQ(Indented(R"("a")", 1), R"("a")");
}

}  // namespace
}  // namespace fhir::json
