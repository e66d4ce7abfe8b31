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

// What is normalized at once. ICU sorts marks by insertion: a run of n of them costs n * n.
constexpr std::int32_t kPieceUnits = 4096;
constexpr int kMaxRun = 64;

// Length of the piece that begins at `start`. It ends before a character that does not interact
// with those before it, or within a run of marks that no language has.
std::int32_t PieceSize(const icu::Normalizer2& nfkd, const icu::UnicodeString& text,
                       std::int32_t start) {
  const std::int32_t left = text.length() - start;
  if (left <= kMaxRun) return left;
  int run = 0;
  for (std::int32_t i = start; i < text.length(); i = text.moveIndex32(i, 1)) {
    const bool is_boundary = nfkd.hasBoundaryBefore(text.char32At(i)) != 0;
    run = is_boundary ? 0 : run + 1;
    if (run > kMaxRun || (is_boundary && i - start >= kPieceUnits)) return i - start;
  }
  return left;
}

// `space_due`: white space stands between `folded` and what comes next.
void AppendFolded(const icu::UnicodeString& decomposed, bool* space_due, std::string* folded) {
  icu::UnicodeString bare(decomposed.length(), UChar32{0}, 0);
  for (std::int32_t i = 0; i < decomposed.length(); i = decomposed.moveIndex32(i, 1)) {
    const UChar32 c = decomposed.char32At(i);
    if (u_charType(c) == U_NON_SPACING_MARK) continue;
    if (c == 0 || u_isUWhiteSpace(c)) {
      *space_due = !bare.isEmpty() || !folded->empty();
      continue;
    }
    if (*space_due) bare.append(UChar32{' '});
    *space_due = false;
    bare.append(c);
  }
  bare.foldCase(U_FOLD_CASE_DEFAULT).toUTF8String(*folded);
}

std::string FoldUnicode(std::string_view utf8) {
  UErrorCode status = U_ZERO_ERROR;
  const icu::Normalizer2* nfkd = icu::Normalizer2::getNFKDInstance(status);
  FHIR_CHECK(U_SUCCESS(status), "ICU has its normalization data");
  const auto text =
      icu::UnicodeString::fromUTF8({utf8.data(), static_cast<std::int32_t>(utf8.size())});
  std::string folded;
  bool space_due = false;
  for (std::int32_t start = 0; start < text.length();) {
    const std::int32_t size = PieceSize(*nfkd, text, start);
    const icu::UnicodeString piece = nfkd->normalize(text.tempSubString(start, size), status);
    FHIR_CHECK(U_SUCCESS(status), "any short text can be normalized");
    AppendFolded(piece, &space_due, &folded);
    start += size;
  }
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
