// encode(), decode(), escape() and unescape() (FHIRPath 2.1.0).
#include <algorithm>
#include <array>
#include <string>

#include "fhir/json/document.h"
#include "fhir/json/writer.h"
#include "fhir/path/evaluation.h"
#include "fhir/path/functions/function.h"
#include "fhir/path/unicode.h"

namespace fhir::path {

namespace {

constexpr std::string_view kBase64 =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::string_view kUrlBase64 =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
constexpr std::string_view kHex = "0123456789abcdef";

using Converted = std::optional<std::string>;

std::string EncodeBase64(std::string_view bytes, std::string_view alphabet) {
  std::string out;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      group = group << 8 | (k < count ? static_cast<unsigned char>(bytes[i + k]) : 0U);
    }
    for (std::size_t k = 0; k < 4; ++k) {
      out += k <= count ? alphabet[group >> (18 - 6 * k) & 63U] : '=';
    }
  }
  return out;
}

Converted DecodeBase64(std::string_view text, std::string_view alphabet) {
  for (int i = 0; i < 2 && text.ends_with('='); ++i) text.remove_suffix(1);
  std::string out;
  std::uint32_t group = 0;
  int bits = 0;
  for (const char c : text) {
    const std::size_t value = alphabet.find(c);
    if (value == std::string_view::npos) return std::nullopt;
    group = group << 6 | static_cast<std::uint32_t>(value);
    bits += 6;
    if (bits >= 8) {
      bits -= 8;
      out += static_cast<char>(group >> bits & 0xFFU);
    }
  }
  return out;
}

std::string EncodeHex(std::string_view bytes) {
  std::string out;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    out += kHex[byte >> 4];
    out += kHex[byte & 15U];
  }
  return out;
}

Converted DecodeHex(std::string_view text) {
  const std::string lower = ToLower(text);
  if (lower.size() % 2 != 0) return std::nullopt;
  std::string out;
  for (std::size_t i = 0; i < lower.size(); i += 2) {
    const std::size_t high = kHex.find(lower[i]);
    const std::size_t low = kHex.find(lower[i + 1]);
    if (high == std::string_view::npos || low == std::string_view::npos) return std::nullopt;
    out += static_cast<char>(high << 4 | low);
  }
  return out;
}

Converted Encode(std::string_view text, std::string_view format) {
  if (format == "base64") return EncodeBase64(text, kBase64);
  if (format == "urlbase64") return EncodeBase64(text, kUrlBase64);
  if (format == "hex") return EncodeHex(text);
  return std::nullopt;
}

Converted DecodeBytes(std::string_view text, std::string_view format) {
  if (format == "base64") return DecodeBase64(text, kBase64);
  if (format == "urlbase64") return DecodeBase64(text, kUrlBase64);
  if (format == "hex") return DecodeHex(text);
  return std::nullopt;
}

// A String is text: bytes that are no UTF-8 are none.
Converted Decode(std::string_view text, std::string_view format) {
  auto bytes = DecodeBytes(text, format);
  return bytes && IsUtf8(*bytes) ? bytes : std::nullopt;
}

constexpr std::array<std::pair<char, std::string_view>, 5> kEntities = {
    {{'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}, {'\'', "&#39;"}}};

std::string EscapeHtml(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const auto entity = std::ranges::find(kEntities, c, &std::pair<char, std::string_view>::first);
    if (entity != kEntities.end()) {
      out += entity->second;
    } else {
      out += c;
    }
  }
  return out;
}

std::string UnescapeHtml(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const auto entity = std::ranges::find_if(
        kEntities, [text](const auto& pair) { return text.starts_with(pair.second); });
    const bool found = entity != kEntities.end();
    out += found ? entity->first : text.front();
    text.remove_prefix(found ? entity->second.size() : 1);
  }
  return out;
}

Converted Escape(std::string_view text, std::string_view target) {
  if (target == "html") return EscapeHtml(text);
  if (target != "json") return std::nullopt;
  std::string quoted;
  json::AppendString(&quoted, text);
  return quoted.substr(1, quoted.size() - 2);
}

Converted Unescape(std::string_view text, std::string_view target) {
  if (target == "html") return UnescapeHtml(text);
  if (target != "json") return std::nullopt;
  std::string json = "[\"";
  for (std::size_t i = 0; i < text.size(); ++i) {
    // A quote or a control character that is not escaped stands for itself.
    if (text[i] == '\\' && i + 1 < text.size()) {
      json += text[i++];
      json += text[i];
    } else {
      std::string quoted;
      json::AppendString(&quoted, text.substr(i, 1));
      json.append(quoted, 1, quoted.size() - 2);
    }
  }
  const auto document = json::Document::Parse(json + "\"]");
  if (!document) return std::nullopt;
  std::string out;
  for (const json::Value value : document->Root().Children()) out += value.StringOrEmpty();
  return out;
}

template <Converted (*kConvert)(std::string_view text, std::string_view format)>
Result<Collection> Convert(const Call& call) {
  FHIR_TRY(text, call.TextInput());
  FHIR_TRY(format, call.TextArgument(0));
  if (!text || !format) return Collection();
  auto converted = kConvert(text->view, format->view);
  if (!converted) return Collection();
  FHIR_TRY(item, call.GetEvaluation().NewText(*std::move(converted)));
  return One(std::move(item));
}

constexpr FunctionSpec kFunctions[] = {
    {"encode", 1, 1, &Convert<&Encode>},
    {"decode", 1, 1, &Convert<&Decode>},
    {"escape", 1, 1, &Convert<&Escape>},
    {"unescape", 1, 1, &Convert<&Unescape>},
};

}  // namespace

std::span<const FunctionSpec> EncodingFunctions() {
  return kFunctions;
}

}  // namespace fhir::path
