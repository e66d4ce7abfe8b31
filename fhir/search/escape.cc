#include "fhir/search/escape.h"

namespace fhir::search {
namespace {

bool NeedsEscape(char c) {
  return c == ',' || c == '|' || c == '$' || c == '\\';
}

// True if an escape of two characters begins at `at`.
bool IsEscape(std::string_view text, std::size_t at) {
  if (text[at] != '\\' || at + 1 >= text.size()) return false;
  return NeedsEscape(text[at + 1]);
}

}  // namespace

std::vector<std::string_view> SplitUnescaped(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  std::size_t start = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (IsEscape(text, i)) {
      ++i;
    } else if (text[i] == separator) {
      parts.push_back(text.substr(start, i - start));
      start = i + 1;
    }
  }
  parts.push_back(text.substr(start));
  return parts;
}

std::string Unescape(std::string_view text) {
  std::string plain;
  plain.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (IsEscape(text, i)) ++i;
    plain.push_back(text[i]);
  }
  return plain;
}

std::string Escape(std::string_view text) {
  std::string escaped;
  escaped.reserve(text.size());
  for (const char c : text) {
    if (NeedsEscape(c)) escaped.push_back('\\');
    escaped.push_back(c);
  }
  return escaped;
}

}  // namespace fhir::search
