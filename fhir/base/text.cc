// fhir/base/text.cc
#include "fhir/base/text.h"

#include <unicode/normalizer2.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>
#include <xxhash.h>

#include "fhir/base/check.h"

namespace fhir {
namespace {

bool IsAscii(std::string_view text) {
  unsigned char seen = 0;
  for (char c : text) seen |= static_cast<unsigned char>(c);
  return seen < 0x80;
}

// NUL counts as space, so that it cannot appear in a key.
bool IsAsciiSpace(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r') || c == '\0';
}

std::string FoldAscii(std::string_view text) {
  std::string folded;
  folded.reserve(text.size());
  bool space_due = false;
  for (char c : text) {
    if (IsAsciiSpace(c)) {
      space_due = !folded.empty();
      continue;
    }
    if (space_due) folded.push_back(' ');
    space_due = false;
    folded.push_back(c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c);
  }
  return folded;
}

std::string FoldUnicode(std::string_view utf8) {
  UErrorCode status = U_ZERO_ERROR;
  const icu::Normalizer2* nfkd = icu::Normalizer2::getNFKDInstance(status);
  FHIR_CHECK(U_SUCCESS(status), "ICU has its normalization data");
  icu::UnicodeString decomposed = nfkd->normalize(
      icu::UnicodeString::fromUTF8({utf8.data(), static_cast<int32_t>(utf8.size())}), status);
  FHIR_CHECK(U_SUCCESS(status), "any text can be normalized");
  icu::UnicodeString bare(decomposed.length(), UChar32{0}, 0);
  bool space_due = false;
  for (int32_t i = 0; i < decomposed.length(); i = decomposed.moveIndex32(i, 1)) {
    UChar32 c = decomposed.char32At(i);
    if (u_charType(c) == U_NON_SPACING_MARK) continue;
    if (c == 0 || u_isUWhiteSpace(c)) {
      space_due = !bare.isEmpty();
      continue;
    }
    if (space_due) bare.append(UChar32{' '});
    space_due = false;
    bare.append(c);
  }
  std::string folded;
  bare.foldCase(U_FOLD_CASE_DEFAULT).toUTF8String(folded);
  return folded;
}

}  // namespace

std::string FoldText(std::string_view utf8) {
  // ICU counts in 32 bits; a longer text (no resource may be so large) is cut, not overrun.
  constexpr std::size_t kMaxBytes = 0x1FFFFFFF;
  utf8 = utf8.substr(0, kMaxBytes);
  return IsAscii(utf8) ? FoldAscii(utf8) : FoldUnicode(utf8);
}

std::uint64_t HashText(std::string_view text) {
  return XXH3_64bits(text.data(), text.size());
}

}  // namespace fhir
