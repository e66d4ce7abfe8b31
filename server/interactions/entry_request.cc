#include "server/interactions/entry_request.h"

#include <optional>
#include <utility>

namespace server {
namespace {

int HexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

std::optional<std::string> DecodePath(std::string_view text) {
  std::string path;
  path.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      path.push_back(text[i]);
      continue;
    }
    if (i + 2 >= text.size()) return std::nullopt;
    const int high = HexDigit(text[i + 1]);
    const int low = HexDigit(text[i + 2]);
    if (high < 0 || low < 0) return std::nullopt;
    const char c = static_cast<char>(high * 16 + low);
    if (c == '/') return std::nullopt;  // It would separate segments.
    path.push_back(c);
    i += 2;
  }
  return path;
}

fhir::Error BadUrl(std::string text) {
  return fhir::Invalid(std::move(text), "request.url");
}

}  // namespace

fhir::Result<EntryUrl> ParseEntryUrl(std::string_view url, std::string_view base_url) {
  if (url.starts_with(base_url)) {
    const std::string_view rest = url.substr(base_url.size());
    if (rest.starts_with('/') || rest.starts_with('?')) url = rest;
  }
  if (url.starts_with('/')) url.remove_prefix(1);
  const std::size_t question = url.find('?');
  const std::string_view path = url.substr(0, question);
  if (path.find(':') != std::string_view::npos) {
    return fhir::Fail(BadUrl("the url is not below this server's base"));
  }
  std::optional<std::string> decoded = DecodePath(path);
  if (!decoded) return fhir::Fail(BadUrl("the url has a broken escape, or an escaped slash"));
  EntryUrl result{*std::move(decoded), {}};
  if (question != std::string_view::npos) result.query = url.substr(question + 1);
  return result;
}

Verb VerbOf(fhir::model::Method method) {
  switch (method) {
    case fhir::model::Method::kGet: return Verb::kGet;
    case fhir::model::Method::kHead: return Verb::kHead;
    case fhir::model::Method::kPost: return Verb::kPost;
    case fhir::model::Method::kPut: return Verb::kPut;
    case fhir::model::Method::kPatch: return Verb::kPatch;
    case fhir::model::Method::kDelete: break;
  }
  return Verb::kDelete;
}

fhir::Result<Request> RequestOf(const fhir::model::BundleEntry& entry, const Request& bundle) {
  FHIR_TRY(url, ParseEntryUrl(entry.url, bundle.base_url));
  Request request;
  request.verb = VerbOf(entry.method);
  request.path = std::move(url.path);
  request.query = std::move(url.query);
  request.headers.content_type = "application/fhir+json";
  request.headers.if_match = entry.if_match;
  request.headers.if_none_match = entry.if_none_match;
  request.headers.if_modified_since = entry.if_modified_since;
  request.headers.if_none_exist = entry.if_none_exist;
  request.headers.prefer = bundle.headers.prefer;
  request.headers.request_id = bundle.headers.request_id;
  request.base_url = bundle.base_url;
  request.received_ms = bundle.received_ms;
  request.deadline = bundle.deadline;
  request.cancelled = bundle.cancelled;
  return request;
}

}  // namespace server
