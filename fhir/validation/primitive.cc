#include "fhir/validation/primitive.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <limits>

#include "fhir/base/decimal.h"
#include "fhir/base/time.h"
#include "fhir/validation/structure.h"

namespace fhir::validation {

using definitions::Primitive;

namespace {

constexpr std::size_t kMaxIdSize = 64;

bool IsDigit(char c) {
  return c >= '0' && c <= '9';
}
bool IsLetter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
bool IsHexDigit(char c) {
  return IsDigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}
bool IsWhiteSpace(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

// No early exit, so that it is vectorised: texts are short or good.
bool HasControlCharacters(std::string_view text) {
  bool found = false;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    found |= byte < 0x20 && byte != '\t' && byte != '\r' && byte != '\n';
  }
  return found;
}

bool IsText(std::string_view text) {
  return !text.empty() && !HasControlCharacters(text);
}

// A JSON number without fraction and exponent, in [low, 2^31).
bool IsIntegerFrom(std::int32_t low, std::string_view text) {
  std::int32_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() && value >= low && text != "-0";
}

// Words separated by one white space each.
bool IsCode(std::string_view text) {
  bool after_space = true;
  for (const char c : text) {
    const bool space = IsWhiteSpace(c);
    if (space && after_space) return false;
    after_space = space;
  }
  return !after_space && !HasControlCharacters(text);
}

bool IsUri(std::string_view text) {
  return !text.empty() &&
         std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) > ' '; });
}

bool IsOid(std::string_view text) {
  constexpr std::string_view kPrefix = "urn:oid:";
  if (!text.starts_with(kPrefix)) return false;
  text.remove_prefix(kPrefix.size());
  if (text.size() < 3 || text[0] < '0' || text[0] > '2' || text[1] != '.') return false;
  text.remove_prefix(1);
  while (!text.empty()) {
    if (text[0] != '.') return false;
    text.remove_prefix(1);
    const std::size_t digits = std::min(text.find('.'), text.size());
    const std::string_view arc = text.substr(0, digits);
    if (arc.empty() || !std::ranges::all_of(arc, IsDigit)) return false;
    if (arc.size() > 1 && arc[0] == '0') return false;
    text.remove_prefix(digits);
  }
  return true;
}

bool IsUuid(std::string_view text) {
  constexpr std::string_view kForm = "urn:uuid:hhhhhhhh-hhhh-hhhh-hhhh-hhhhhhhhhhhh";
  constexpr std::size_t kDigits = 9;
  if (text.size() != kForm.size() || !text.starts_with(kForm.substr(0, kDigits))) return false;
  for (std::size_t i = kDigits; i < kForm.size(); ++i) {
    if (kForm[i] == 'h' ? !IsHexDigit(text[i]) : text[i] != kForm[i]) return false;
  }
  return true;
}

// White space may stand anywhere.
bool IsBase64(std::string_view text) {
  std::size_t digits = 0;
  std::size_t padding = 0;
  for (const char c : text) {
    if (IsWhiteSpace(c)) continue;
    if (c == '=') {
      ++padding;
    } else if (padding > 0 || !(IsLetter(c) || IsDigit(c) || c == '+' || c == '/')) {
      return false;
    } else {
      ++digits;
    }
  }
  return digits > 0 && padding <= 2 && (digits + padding) % 4 == 0;
}

// Case-insensitive; `prefix` is in lower case.
bool StartsWithTag(std::string_view text, std::string_view prefix) {
  return text.size() >= prefix.size() &&
         std::ranges::equal(text.substr(0, prefix.size()), prefix, [](char a, char b) {
           return (a >= 'A' && a <= 'Z' ? static_cast<char>(a - 'A' + 'a') : a) == b;
         });
}

// A div, and nothing that runs. Attributes are not looked at.
bool IsXhtml(std::string_view text) {
  const auto start = std::ranges::find_if_not(text, IsWhiteSpace);
  text.remove_prefix(static_cast<std::size_t>(start - text.begin()));
  if (!text.starts_with("<div") || HasControlCharacters(text)) return false;
  for (std::size_t tag = 0; tag != text.npos; tag = text.find('<', tag + 1)) {
    if (StartsWithTag(text.substr(tag), "<script")) return false;
  }
  return true;
}

}  // namespace

bool IsId(std::string_view text) {
  return !text.empty() && text.size() <= kMaxIdSize && std::ranges::all_of(text, [](char c) {
    return IsLetter(c) || IsDigit(c) || c == '-' || c == '.';
  });
}

json::Kind JsonKindOf(Primitive primitive) {
  switch (primitive) {
    case Primitive::kBoolean: return json::Kind::kBoolean;
    case Primitive::kDecimal:
    case Primitive::kInteger:
    case Primitive::kPositiveInt:
    case Primitive::kUnsignedInt: return json::Kind::kNumber;
    case Primitive::kNone:
    case Primitive::kBase64Binary:
    case Primitive::kCanonical:
    case Primitive::kCode:
    case Primitive::kDate:
    case Primitive::kDateTime:
    case Primitive::kId:
    case Primitive::kInstant:
    case Primitive::kMarkdown:
    case Primitive::kOid:
    case Primitive::kString:
    case Primitive::kTime:
    case Primitive::kUri:
    case Primitive::kUrl:
    case Primitive::kUuid:
    case Primitive::kXhtml: return json::Kind::kString;
  }
  return json::Kind::kString;
}

bool IsLegalText(Primitive primitive, std::string_view text) {
  switch (primitive) {
    case Primitive::kNone: return false;
    case Primitive::kBoolean: return true;  // JSON has checked it.
    case Primitive::kBase64Binary: return IsBase64(text);
    case Primitive::kCode: return IsCode(text);
    case Primitive::kDate: return IsDate(text);
    case Primitive::kDateTime: return IsDateTime(text);
    case Primitive::kDecimal: return IsDecimal(text);
    case Primitive::kId: return IsId(text);
    case Primitive::kInstant: return IsInstant(text);
    case Primitive::kInteger: return IsIntegerFrom(std::numeric_limits<std::int32_t>::min(), text);
    case Primitive::kPositiveInt: return IsIntegerFrom(1, text);
    case Primitive::kUnsignedInt: return IsIntegerFrom(0, text);
    case Primitive::kOid: return IsOid(text);
    case Primitive::kMarkdown:
    case Primitive::kString: return IsText(text);
    case Primitive::kTime: return IsTime(text);
    case Primitive::kCanonical:
    case Primitive::kUri:
    case Primitive::kUrl: return IsUri(text);
    case Primitive::kUuid: return IsUuid(text);
    case Primitive::kXhtml: return IsXhtml(text);
  }
  return false;
}

bool IsUriType(Primitive primitive) {
  return primitive == Primitive::kUri || primitive == Primitive::kUrl ||
         primitive == Primitive::kCanonical || primitive == Primitive::kOid ||
         primitive == Primitive::kUuid;
}

}  // namespace fhir::validation
