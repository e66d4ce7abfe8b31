#include "server/interactions/page_link.h"

#include <algorithm>

#include "fhir/base/bytes.h"
#include "fhir/base/text.h"

namespace server {
namespace {

constexpr std::string_view kPageParameter = "__page";
constexpr std::size_t kMaxLinkHeaderBytes = std::size_t{16} * 1024;
constexpr std::size_t kSignedSize = 40;
constexpr std::size_t kTokenBytes = kSignedSize + 8;
constexpr std::string_view kAlphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

std::string EncodeBase64Url(std::string_view bytes) {
  std::string text;
  text.reserve((bytes.size() * 4 + 2) / 3);
  std::uint32_t bits = 0;
  int bit_count = 0;
  for (const char c : bytes) {
    bits = bits << 8 | static_cast<unsigned char>(c);
    for (bit_count += 8; bit_count >= 6; bit_count -= 6) {
      text.push_back(kAlphabet[bits >> (bit_count - 6) & 63]);
    }
  }
  if (bit_count > 0) text.push_back(kAlphabet[bits << (6 - bit_count) & 63]);
  return text;
}

// Nothing for a foreign character.
std::optional<std::string> DecodeBase64Url(std::string_view text) {
  std::string bytes;
  std::uint32_t bits = 0;
  int bit_count = 0;
  for (const char c : text) {
    const std::size_t digit = kAlphabet.find(c);
    if (digit == std::string_view::npos) return std::nullopt;
    bits = bits << 6 | static_cast<std::uint32_t>(digit);
    bit_count += 6;
    if (bit_count >= 8) {
      bit_count -= 8;
      bytes.push_back(static_cast<char>(bits >> bit_count));
    }
  }
  return bytes;
}

std::uint64_t Sign(std::string_view fields, std::string_view query, std::uint64_t secret) {
  std::string text;
  text.reserve(2 * sizeof secret + fields.size() + query.size());
  fhir::AppendU64(&text, secret);
  text.append(fields).append(query);
  fhir::AppendU64(&text, secret);
  return fhir::HashText(text);
}

fhir::Error BadToken() {
  return fhir::Invalid("this page link was not made by this server for this query; search again");
}

std::string UrlOf(const PagedQuery& query, const std::string& token) {
  std::string url = query.base_url;
  if (!query.path.empty()) url.append("/").append(query.path);
  std::string parameters = fhir::search::EncodeParameters(query.applied);
  if (!token.empty()) {
    if (!parameters.empty()) parameters += '&';
    parameters.append(kPageParameter).append("=").append(token);
  }
  if (!parameters.empty()) url.append("?").append(parameters);
  return url;
}

}  // namespace

std::string CanonicalQuery(std::string_view path, const fhir::search::Parameters& parameters) {
  fhir::search::Parameters bound = parameters;
  std::erase_if(bound, [](const auto& parameter) {
    return parameter.first == "_format" || parameter.first == "_pretty";
  });
  return std::string(path) + "?" + fhir::search::EncodeParameters(bound);
}

std::string EncodePageToken(const PagePosition& position, std::string_view query,
                            std::uint64_t secret) {
  std::string bytes;
  fhir::AppendU64(&bytes, position.t);
  fhir::AppendU64(&bytes, position.offset);
  fhir::AppendI64(&bytes, position.now_ms);
  fhir::AppendU64(&bytes, position.matches);
  fhir::AppendU64(&bytes, position.included);
  fhir::AppendU64(&bytes, Sign(bytes, query, secret));
  return EncodeBase64Url(bytes);
}

fhir::Result<PagePosition> DecodePageToken(std::string_view token, std::string_view query,
                                           std::uint64_t secret) {
  const std::optional<std::string> bytes = DecodeBase64Url(token);
  if (!bytes || bytes->size() != kTokenBytes) return fhir::Fail(BadToken());
  const std::string_view fields = std::string_view(*bytes).substr(0, kSignedSize);
  if (Sign(fields, query, secret) != fhir::ReadU64(bytes->data() + kSignedSize)) {
    return fhir::Fail(BadToken());
  }
  // Bits behind the last byte are not signed: only one spelling is accepted.
  if (EncodeBase64Url(*bytes) != token) return fhir::Fail(BadToken());
  return PagePosition{fhir::ReadU64(bytes->data()), fhir::ReadU64(bytes->data() + 8),
                      fhir::ReadI64(bytes->data() + 16), fhir::ReadU64(bytes->data() + 24),
                      fhir::ReadU64(bytes->data() + 32)};
}

fhir::Result<std::optional<std::string>> TakePageToken(fhir::search::Parameters* parameters) {
  std::optional<std::string> token;
  for (auto& [name, value] : *parameters) {
    if (name != kPageParameter) continue;
    if (token) return fhir::Fail(BadToken());
    token = std::move(value);
  }
  std::erase_if(*parameters,
                [](const auto& parameter) { return parameter.first == kPageParameter; });
  return token;
}

fhir::Result<std::vector<PageLink>> LinksOf(const PagedQuery& query, const PagePosition& here,
                                            bool from_token, std::uint32_t count,
                                            const std::optional<NextPage>& next) {
  const std::string canonical = CanonicalQuery(query.path, query.applied);
  const auto at = [&](const NextPage& page) {
    const PagePosition position{here.t, page.offset, here.now_ms, page.matches, page.included};
    return UrlOf(query, EncodePageToken(position, canonical, query.secret));
  };
  std::vector<PageLink> links;
  links.push_back(
      {"self", from_token ? at({here.offset, here.matches, here.included}) : UrlOf(query, {})});
  // The page that holds the beginning of this very snapshot. An empty store has none to hold.
  links.push_back({"first", here.t == 0 ? UrlOf(query, {}) : at(0)});
  if (here.included > query.max_included) {
    links.push_back(
        {"previous", at({here.offset, here.matches, here.included - query.max_included})});
  } else if (here.matches > 0) {
    links.push_back({"previous", at(here.offset)});
  } else if (here.offset > 0) {
    links.push_back({"previous", at(here.offset - std::min<std::uint64_t>(here.offset, count))});
  }
  if (next) links.push_back({"next", at(*next)});
  if (next && links.back().url.size() > fhir::search::kMaxQueryBytes) {
    return fhir::Fail(
        fhir::TooCostly("the parameters are too long for a link to the next page: ask for less, or "
                        "for all at once with _count"));
  }
  return links;
}

void WriteLinks(const std::vector<PageLink>& links, fhir::json::Writer* writer) {
  writer->Member("link").BeginArray();
  for (const PageLink& link : links) {
    writer->BeginObject();
    writer->Member("relation").String(link.relation);
    writer->Member("url").String(link.url);
    writer->EndObject();
  }
  writer->EndArray();
}

std::string LinkHeader(const std::vector<PageLink>& links) {
  std::string header;
  for (const PageLink& link : links) {
    if (!header.empty()) header += ", ";
    header.append("<").append(link.url).append(">; rel=\"").append(link.relation).append("\"");
  }
  if (header.size() > kMaxLinkHeaderBytes) header.clear();
  return header;
}

}  // namespace server
