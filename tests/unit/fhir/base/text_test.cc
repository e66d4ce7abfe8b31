#include "fhir/base/text.h"

#include <string>

#include <gtest/gtest.h>

namespace fhir {
namespace {

TEST(TextTest, CaseGoes) {
  EXPECT_EQ(FoldText("SMITH-O'Neil 2"), "smith-o'neil 2");
  EXPECT_EQ(FoldText("STRASSE"), FoldText("Stra\u00DFe"));
  EXPECT_EQ(FoldText("\u0391\u03A3"), FoldText("\u03B1\u03C2"));  // Final sigma.
}

TEST(TextTest, AccentsGo) {
  EXPECT_EQ(FoldText("M\u00FCller"), "muller");
  EXPECT_EQ(FoldText("MU\u0308LLER"), "muller");
  EXPECT_EQ(FoldText("\u00C9lodie Garc\u00EDa"), "elodie garcia");
  EXPECT_EQ(FoldText("\u0130zmir"), "izmir");
}

TEST(TextTest, CompatibilityFormsAreTheirPlainLetters) {
  EXPECT_EQ(FoldText("\uFB01n \uFF21"), "fin a");
}

TEST(TextTest, WhiteSpaceIsOneSpaceAndNoneAtTheEnds) {
  EXPECT_EQ(FoldText("  a \t\n b  "), "a b");
  EXPECT_EQ(FoldText("\u00A0\u00FC\u2003\u3000b\u00A0"), "u b");
  EXPECT_EQ(FoldText(" \t "), "");
  EXPECT_EQ(FoldText(""), "");
}

TEST(TextTest, NulNeverAppears) {
  EXPECT_EQ(FoldText(std::string("a\0b", 3)), "a b");
  EXPECT_EQ(FoldText(std::string("\u00FC\0b", 4)), "u b");
}

TEST(TextTest, BytesThatAreNotUtf8DoNoHarm) {
  EXPECT_EQ(FoldText("a\xFF"), "a\uFFFD");
  EXPECT_EQ(FoldText("\xE2\x82"), "\uFFFD");
}

TEST(TextTest, FoldingTwiceChangesNothing) {
  for (unsigned first = 0x80; first < 0x3000; ++first) {
    std::string text = {static_cast<char>(0xE0 | first >> 12),
                        static_cast<char>(0x80 | (first >> 6 & 0x3F)),
                        static_cast<char>(0x80 | (first & 0x3F))};
    if (first < 0x800)
      text = {static_cast<char>(0xC0 | first >> 6), static_cast<char>(0x80 | (first & 0x3F))};
    std::string folded = FoldText("A" + text + "Z");
    ASSERT_EQ(FoldText(folded), folded) << std::hex << first;
  }
}

TEST(TextTest, HashIsTheOneOnDisk) {
  EXPECT_EQ(HashText(""), 0x2D06800538D394C2U);
  EXPECT_EQ(HashText("a"), 0xE6C632B61E964E1FU);
}

// ICU alone needs the square of its length for a run of marks.
TEST(TextTest, ALongTextIsFoldedInPieces) {
  std::string text;
  std::string folded;
  std::string marks;
  for (int i = 0; i < 20'000; ++i) {
    text += "M\u00FC \u0301\u0316\u65E5\u00A0";
    folded += i == 0 ? "mu \u65E5" : " mu \u65E5";
    marks += "\u0301\u0316";
  }
  EXPECT_EQ(FoldText(text), folded);
  EXPECT_EQ(FoldText("a" + marks + "b" + marks), "ab");
}

}  // namespace
}  // namespace fhir
