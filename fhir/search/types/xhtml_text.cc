#include "fhir/search/types/xhtml_text.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <utility>

namespace fhir::search {
namespace {

// Elements that do not end a word: H<sub>2</sub>O.
constexpr std::string_view kInline[] = {"a",      "abbr", "b",   "big", "cite", "code", "em",
                                        "font",   "i",    "q",   "s",   "samp", "span", "small",
                                        "strong", "sub",  "sup", "tt",  "u"};

bool IsLetter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

void AppendUtf8(std::string* out, std::uint32_t c) {
  const auto tail = [&](int shift) {
    out->push_back(static_cast<char>(0x80U | (c >> shift & 0x3FU)));
  };
  if (c == 0 || c > 0x10FFFF || (c >= 0xD800 && c <= 0xDFFF)) {
    out->push_back(' ');
  } else if (c < 0x80) {
    out->push_back(static_cast<char>(c));
  } else if (c < 0x800) {
    out->push_back(static_cast<char>(0xC0U | c >> 6));
    tail(0);
  } else if (c < 0x10000) {
    out->push_back(static_cast<char>(0xE0U | c >> 12));
    tail(6);
    tail(0);
  } else {
    out->push_back(static_cast<char>(0xF0U | c >> 18));
    tail(12);
    tail(6);
    tail(0);
  }
}

// "#65", "#x41"
void AppendNumbered(std::string* out, std::string_view name) {
  name.remove_prefix(1);
  const bool is_hex = name.starts_with('x') || name.starts_with('X');
  if (is_hex) name.remove_prefix(1);
  std::uint32_t c = 0;
  const auto [end, error] =
      std::from_chars(name.data(), name.data() + name.size(), c, is_hex ? 16 : 10);
  AppendUtf8(out, error == std::errc() && end == name.data() + name.size() ? c : 0);
}

// HTML 4's names. Signs that stand in no word become a space.
void AppendNamed(std::string* out, std::string_view name) {
  static constexpr std::string_view kAccents[] = {"acute", "grave", "circ",  "tilde",
                                                  "uml",   "ring",  "cedil", "caron"};
  static constexpr std::pair<std::string_view, std::string_view> kOthers[] = {
      {"szlig", "ß"},  {"aelig", "æ"},   {"AElig", "Æ"},   {"oelig", "œ"}, {"OElig", "Œ"},
      {"oslash", "ø"}, {"Oslash", "Ø"},  {"eth", "ð"},     {"ETH", "Ð"},   {"thorn", "þ"},
      {"THORN", "Þ"},  {"micro", "µ"},   {"ordf", "ª"},    {"ordm", "º"},  {"sup1", "¹"},
      {"sup2", "²"},   {"sup3", "³"},    {"alpha", "α"},   {"beta", "β"},  {"gamma", "γ"},
      {"delta", "δ"},  {"epsilon", "ε"}, {"zeta", "ζ"},    {"eta", "η"},   {"theta", "θ"},
      {"iota", "ι"},   {"kappa", "κ"},   {"lambda", "λ"},  {"mu", "μ"},    {"nu", "ν"},
      {"xi", "ξ"},     {"omicron", "ο"}, {"pi", "π"},      {"rho", "ρ"},   {"sigmaf", "ς"},
      {"sigma", "σ"},  {"tau", "τ"},     {"upsilon", "υ"}, {"phi", "φ"},   {"chi", "χ"},
      {"psi", "ψ"},    {"omega", "ω"},   {"shy", ""},      {"zwj", ""},    {"zwnj", ""}};
  if (!name.empty() && IsLetter(name.front()) &&
      std::find(std::begin(kAccents), std::end(kAccents), name.substr(1)) != std::end(kAccents)) {
    out->push_back(name.front());
    return;
  }
  std::string lower(name);
  // Words are folded: capital Greek letters are as good as small ones.
  if (!lower.empty() && lower.front() >= 'A' && lower.front() <= 'Z') {
    lower.front() = static_cast<char>(lower.front() + ('a' - 'A'));
  }
  for (const auto& [known, text] : kOthers) {
    if (known != name && known != lower) continue;
    out->append(text);
    return;
  }
  out->push_back(' ');
}

// Takes "&name;" off the front. A '&' alone is a sign like others.
void TakeReference(std::string_view* rest, std::string* out) {
  constexpr std::size_t kMaxNameBytes = 10;
  const std::size_t end = rest->substr(0, kMaxNameBytes + 2).find(';');
  const std::string_view name =
      end == std::string_view::npos ? std::string_view() : rest->substr(1, end - 1);
  const bool is_name = !name.empty() && (name.front() == '#' || IsLetter(name.front()));
  if (!is_name) {
    out->push_back(' ');
    rest->remove_prefix(1);
    return;
  }
  if (name.front() == '#') {
    AppendNumbered(out, name);
  } else {
    AppendNamed(out, name);
  }
  rest->remove_prefix(end + 1);
}

// Where the tag that begins `text` ends: behind its '>', those in quotes not counted.
std::size_t EndOfTag(std::string_view text) {
  char quote = '\0';
  for (std::size_t i = 1; i < text.size(); ++i) {
    const char c = text[i];
    if (quote != '\0') {
      if (c == quote) quote = '\0';
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '>') {
      return i + 1;
    }
  }
  return text.size();
}

// Takes a tag or a comment off the front.
void TakeTag(std::string_view* rest, std::string* out) {
  if (rest->starts_with("<!--")) {
    const std::size_t end = rest->find("-->", 4);
    rest->remove_prefix(end == std::string_view::npos ? rest->size() : end + 3);
    return;
  }
  std::string_view name = rest->substr(rest->starts_with("</") ? 2 : 1);
  name = name.substr(0, name.find_first_of(" \t\r\n/>"));
  if (std::find(std::begin(kInline), std::end(kInline), name) == std::end(kInline)) {
    out->push_back(' ');
  }
  rest->remove_prefix(EndOfTag(*rest));
}

}  // namespace

std::string TextOfXhtml(std::string_view xhtml) {
  std::string text;
  text.reserve(xhtml.size());
  while (!xhtml.empty()) {
    const std::size_t special = std::min(xhtml.find_first_of("<&"), xhtml.size());
    text.append(xhtml.substr(0, special));
    xhtml.remove_prefix(special);
    if (xhtml.starts_with('<')) TakeTag(&xhtml, &text);
    if (xhtml.starts_with('&')) TakeReference(&xhtml, &text);
  }
  return text;
}

}  // namespace fhir::search
