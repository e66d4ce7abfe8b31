// Query strings: application/x-www-form-urlencoded, as URLs and POST _search have it.
#include "fhir/search/query.h"

namespace fhir::search {
namespace {

int HexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

// Length of the UTF-8 character at the start of `text`; 0 if there is none.
std::size_t CharacterSize(std::string_view text) {
  const auto byte = [&](std::size_t i) {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U;
  };
  const auto is_tail = [&](std::size_t i) { return (byte(i) & 0xC0U) == 0x80U; };
  const unsigned first = byte(0);
  if (first < 0x80) return 1;
  if (first >= 0xC2 && first <= 0xDF) return is_tail(1) ? 2 : 0;
  if ((first & 0xF0U) == 0xE0U) {
    const bool overlong = first == 0xE0 && byte(1) < 0xA0;
    const bool surrogate = first == 0xED && byte(1) > 0x9F;
    return is_tail(1) && is_tail(2) && !overlong && !surrogate ? 3 : 0;
  }
  if (first >= 0xF0 && first <= 0xF4) {
    const bool overlong = first == 0xF0 && byte(1) < 0x90;
    const bool too_great = first == 0xF4 && byte(1) > 0x8F;
    return is_tail(1) && is_tail(2) && is_tail(3) && !overlong && !too_great ? 4 : 0;
  }
  return 0;
}

bool IsUtf8(std::string_view text) {
  while (!text.empty()) {
    const std::size_t size = CharacterSize(text);
    if (size == 0) return false;
    text.remove_prefix(size);
  }
  return true;
}

Result<std::string> Decode(std::string_view text) {
  std::string plain;
  plain.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '+') {
      plain.push_back(' ');
    } else if (text[i] == '%') {
      const int high = i + 2 < text.size() ? HexDigit(text[i + 1]) : -1;
      const int low = i + 2 < text.size() ? HexDigit(text[i + 2]) : -1;
      if (high < 0 || low < 0) return Fail(Invalid("the query string has a broken % escape"));
      plain.push_back(static_cast<char>(high * 16 + low));
      i += 2;
    } else {
      plain.push_back(text[i]);
    }
  }
  if (!IsUtf8(plain)) return Fail(Invalid("the query string is not UTF-8"));
  return plain;
}

void AppendEncoded(std::string* out, std::string_view text) {
  // Unreserved, and what is common in searches and safe in any query.
  constexpr std::string_view kPlain = "-._~:/,$@!*()'";
  for (const char c : text) {
    const bool is_alphanumeric =
        (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
    if (is_alphanumeric || kPlain.find(c) != std::string_view::npos) {
      out->push_back(c);
    } else {
      const auto byte = static_cast<unsigned char>(c);
      out->push_back('%');
      out->push_back("0123456789ABCDEF"[byte >> 4]);
      out->push_back("0123456789ABCDEF"[byte & 15]);
    }
  }
}

}  // namespace

Result<Parameters> DecodeParameters(std::string_view query) {
  if (query.size() > kMaxQueryBytes) return Fail(TooLarge("the query is longer than 1 MiB"));
  Parameters parameters;
  while (!query.empty()) {
    const std::size_t end = query.find('&');
    const std::string_view pair = query.substr(0, end);
    query.remove_prefix(end == std::string_view::npos ? query.size() : end + 1);
    if (pair.empty()) continue;
    const std::size_t equals = pair.find('=');
    FHIR_TRY(name, Decode(pair.substr(0, equals)));
    FHIR_TRY(value, Decode(equals == std::string_view::npos ? std::string_view{}
                                                            : pair.substr(equals + 1)));
    parameters.emplace_back(std::move(name), std::move(value));
  }
  return parameters;
}

std::string EncodeParameters(const Parameters& parameters) {
  std::string query;
  for (const auto& [name, value] : parameters) {
    if (!query.empty()) query.push_back('&');
    AppendEncoded(&query, name);
    query.push_back('=');
    AppendEncoded(&query, value);
  }
  return query;
}

}  // namespace fhir::search
