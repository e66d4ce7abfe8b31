// fhir/base/text.cc
#include "fhir/base/text.h"

#include <unicode/normalizer2.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>
#include <unicode/utf8.h>
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

// Moves `position` behind the character there. True if words are made of such.
bool PassWordCharacter(std::string_view text, std::size_t* position) {
  const char c = text[*position];
  if (static_cast<unsigned char>(c) < 0x80) {
    ++*position;
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z');
  }
  UChar32 character = 0;
  // What is not UTF-8 yields -1, and belongs to no word.
  U8_NEXT(text.data(), *position, text.size(), character);
  return character >= 0 &&
         (U_GET_GC_MASK(character) & (U_GC_L_MASK | U_GC_N_MASK | U_GC_M_MASK)) != 0;
}

}  // namespace

std::string FoldText(std::string_view utf8) {
  // ICU counts in 32 bits; a longer text (no resource may be so large) is cut, not overrun.
  constexpr std::size_t kMaxBytes = 0x1FFFFFFF;
  utf8 = utf8.substr(0, kMaxBytes);
  return IsAscii(utf8) ? FoldAscii(utf8) : FoldUnicode(utf8);
}

std::string_view TakeWord(std::string_view* folded) {
  std::size_t begin = 0;
  std::size_t next = 0;
  bool is_inside = false;
  while (next < folded->size()) {
    const std::size_t start = next;
    const bool is_word = PassWordCharacter(*folded, &next);
    if (is_word == is_inside) continue;
    if (is_inside) {
      const std::string_view word = folded->substr(begin, start - begin);
      folded->remove_prefix(next);
      return word;
    }
    begin = start;
    is_inside = true;
  }
  const std::string_view word = is_inside ? folded->substr(begin) : std::string_view();
  *folded = {};
  return word;
}

std::uint64_t HashText(std::string_view text) {
  return XXH3_64bits(text.data(), text.size());
}

}  // namespace fhir
