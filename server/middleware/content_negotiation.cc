#include <optional>

#include "server/middleware/media_type.h"
#include "server/middleware/steps.h"
#include "server/routing/handler.h"

namespace server {
namespace {

// "+" is a space in a query, so that "application/fhir+json" may arrive with either, or as %2B.
std::string DecodeFormat(std::string_view value) {
  std::string out;
  for (std::size_t i = 0; i < value.size(); ++i) {
    const std::string_view escape = value.substr(i, 3);
    if (escape == "%2B" || escape == "%2b") {
      out += '+';
      i += 2;
    } else if (escape == "%2F" || escape == "%2f") {
      out += '/';
      i += 2;
    } else {
      out += value[i] == ' ' ? '+' : value[i];
    }
  }
  return out;
}

// The value of _format, or nothing if it is not there or empty.
std::optional<std::string> FormatOf(std::string_view query) {
  while (!query.empty()) {
    const std::size_t end = std::min(query.find('&'), query.size());
    std::string_view pair = query.substr(0, end);
    query.remove_prefix(std::min(end + 1, query.size()));
    if (!pair.starts_with("_format=")) continue;
    pair.remove_prefix(pair.find('=') + 1);
    if (!pair.empty()) return DecodeFormat(pair);
  }
  return std::nullopt;
}

bool IsSearchByPost(const Request& request) {
  return request.verb == Verb::kPost &&
         (request.path == "_search" || request.path.ends_with("/_search"));
}

bool IsUtf8(const MediaType& type) {
  return type.charset.empty() || type.charset == "utf-8" || type.charset == "utf8" ||
         type.charset == "us-ascii";
}

std::optional<Reply> RequireForm(const Request& request) {
  if (request.headers.content_type.empty()) return std::nullopt;
  const MediaType type = ParseMediaType(request.headers.content_type);
  if (IsUtf8(type) && type.name == "application/x-www-form-urlencoded") return std::nullopt;
  return ReplyOf(fhir::UnsupportedMediaType(
      "Content-Type: _search takes application/x-www-form-urlencoded in UTF-8."));
}

std::optional<Reply> RequireJson(const Request& request) {
  if (request.headers.content_type == "application/fhir+json") return std::nullopt;
  const MediaType type = ParseMediaType(request.headers.content_type);
  if (IsUtf8(type) && IsJson(type)) return std::nullopt;
  return ReplyOf(fhir::UnsupportedMediaType(
      "Content-Type: only application/fhir+json in UTF-8 is supported."));
}

std::optional<Reply> RequireJsonPatch(const Request& request) {
  const MediaType type = ParseMediaType(request.headers.content_type);
  if (IsUtf8(type) && type.name == "application/json-patch+json") return std::nullopt;
  Reply reply = ReplyOf(fhir::UnsupportedMediaType(
      "Content-Type: PATCH takes application/json-patch+json in UTF-8."));
  reply.headers.emplace_back("Accept-Patch", "application/json-patch+json");
  return reply;
}

}  // namespace

std::optional<Reply> RequireJsonAnswer(const Incoming& incoming) {
  if (const auto format = FormatOf(incoming.request->query)) {
    // R4 3.1.0.1.11: _format overrides the header.
    if (*format == "json" || IsJson(ParseMediaType(*format))) return std::nullopt;
    return ReplyOf(fhir::NotAcceptable("_format: only json is supported."));
  }
  if (AcceptsJson(incoming.request->headers.accept)) return std::nullopt;
  return ReplyOf(fhir::NotAcceptable("Accept: only application/fhir+json is supported."));
}

std::optional<Reply> RequireKnownBody(const Incoming& incoming) {
  const Request& request = *incoming.request;
  if (!incoming.has_body) return std::nullopt;
  if (request.verb == Verb::kPatch) return RequireJsonPatch(request);
  return IsSearchByPost(request) ? RequireForm(request) : RequireJson(request);
}

std::optional<Reply> RequirePlainCoding(const Incoming& incoming) {
  const std::string& coding = incoming.request->headers.content_encoding;
  if (coding.empty() || coding == "identity") return std::nullopt;
  return ReplyOf(fhir::UnsupportedMediaType("Content-Encoding: only identity is supported."));
}

}  // namespace server
