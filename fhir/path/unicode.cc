#include "fhir/path/unicode.h"

#include <algorithm>
#include <cstdint>

#include <unicode/locid.h>
#include <unicode/unistr.h>
#include <unicode/utf8.h>

namespace fhir::path {

namespace {

bool IsContinuation(char c) {
  return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;
}

bool IsAscii(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

bool IsSpace(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}

icu::UnicodeString FromUtf8(std::string_view utf8) {
  return icu::UnicodeString::fromUTF8({utf8.data(), static_cast<int32_t>(utf8.size())});
}

std::string ToUtf8(const icu::UnicodeString& text) {
  std::string utf8;
  return text.toUTF8String(utf8);
}

char AsciiLower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
}

char AsciiUpper(char c) {
  return c >= 'a' && c <= 'z' ? static_cast<char>(c - ('a' - 'A')) : c;
}

std::string MapAscii(std::string_view text, char (*map)(char)) {
  std::string mapped(text);
  std::ranges::transform(mapped, mapped.begin(), map);
  return mapped;
}

}  // namespace

std::size_t CountCodePoints(std::string_view utf8) {
  return static_cast<std::size_t>(
      std::ranges::count_if(utf8, [](char c) { return !IsContinuation(c); }));
}

std::size_t BytesOfCodePoints(std::string_view utf8, std::size_t count) {
  std::size_t bytes = 0;
  for (std::size_t i = 0; i < count && bytes < utf8.size(); ++i) {
    ++bytes;
    while (bytes < utf8.size() && IsContinuation(utf8[bytes])) ++bytes;
  }
  return bytes;
}

void AppendCodePoint(std::string* out, char32_t code_point) {
  const auto byte = [out](char32_t bits) { out->push_back(static_cast<char>(bits)); };
  if (code_point < 0x80) {
    byte(code_point);
  } else if (code_point < 0x800) {
    byte(0xC0 | code_point >> 6);
    byte(0x80 | (code_point & 0x3F));
  } else if (code_point < 0x10000) {
    byte(0xE0 | code_point >> 12);
    byte(0x80 | (code_point >> 6 & 0x3F));
    byte(0x80 | (code_point & 0x3F));
  } else {
    byte(0xF0 | code_point >> 18);
    byte(0x80 | (code_point >> 12 & 0x3F));
    byte(0x80 | (code_point >> 6 & 0x3F));
    byte(0x80 | (code_point & 0x3F));
  }
}

bool IsUtf8(std::string_view bytes) {
  const auto* data = reinterpret_cast<const std::uint8_t*>(bytes.data());
  const auto size = static_cast<std::int64_t>(bytes.size());
  for (std::int64_t at = 0; at < size;) {
    UChar32 code_point = 0;
    U8_NEXT(data, at, size, code_point);  // NOLINT(bugprone-inc-dec-in-conditions)
    if (code_point < 0) return false;
  }
  return true;
}

std::string ToLower(std::string_view utf8) {
  if (IsAscii(utf8)) return MapAscii(utf8, &AsciiLower);
  return ToUtf8(FromUtf8(utf8).toLower(icu::Locale::getRoot()));
}

std::string ToUpper(std::string_view utf8) {
  if (IsAscii(utf8)) return MapAscii(utf8, &AsciiUpper);
  return ToUtf8(FromUtf8(utf8).toUpper(icu::Locale::getRoot()));
}

std::string_view Trim(std::string_view utf8) {
  while (!utf8.empty() && IsSpace(utf8.front())) utf8.remove_prefix(1);
  while (!utf8.empty() && IsSpace(utf8.back())) utf8.remove_suffix(1);
  return utf8;
}

std::string EquivalentForm(std::string_view utf8) {
  const std::string folded =
      IsAscii(utf8) ? MapAscii(utf8, &AsciiLower) : ToUtf8(FromUtf8(utf8).foldCase());
  std::string form;
  form.reserve(folded.size());
  for (const char c : Trim(folded)) {
    if (!IsSpace(c)) {
      form.push_back(c);
    } else if (form.back() != ' ') {
      form.push_back(' ');
    }
  }
  return form;
}

}  // namespace fhir::path
