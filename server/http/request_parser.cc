#include "server/http/request_parser.h"

#include <algorithm>

#include <boost/beast/http/error.hpp>

#include "server/http/limits.h"

namespace server {
namespace {

namespace http = boost::beast::http;

// What a Content-Length alone may make us reserve: a claim costs the client nothing.
constexpr std::uint64_t kMaxReservedBytes = 1024 * 1024;

bool ToVerb(http::verb method, Verb* out) {
  switch (method) {  // NOLINT(clang-diagnostic-switch-enum): an enum of Beast's.
    case http::verb::get: *out = Verb::kGet; return true;
    case http::verb::head: *out = Verb::kHead; return true;
    case http::verb::post: *out = Verb::kPost; return true;
    case http::verb::put: *out = Verb::kPut; return true;
    case http::verb::patch: *out = Verb::kPatch; return true;
    case http::verb::delete_: *out = Verb::kDelete; return true;
    case http::verb::options: *out = Verb::kOptions; return true;
    default: return false;
  }
}

}  // namespace

void RequestHead::Clear() {
  if (target.capacity() > kMaxHeadBytes) target = std::string();
  target.clear();
  host.clear();
  host_count = 0;
  known_verb = http_1_1 = expects_continue = false;
}

void ClearRequest(Request* request) {
  RequestHeaders& headers = request->headers;
  for (std::string* field : {&headers.accept, &headers.accept_encoding, &headers.content_type,
                             &headers.content_encoding, &headers.if_match, &headers.if_none_match,
                             &headers.if_modified_since, &headers.if_none_exist, &headers.prefer,
                             &headers.request_id, &request->path, &request->query}) {
    field->clear();
  }
  for (std::string* text : {&request->path, &request->query}) {
    if (text->capacity() > kMaxHeadBytes) *text = std::string();
  }
  if (request->body.capacity() > kSmallBodyBytes) request->body = std::string();
  request->body.clear();
}

RequestParser::RequestParser(Request* request, RequestHead* head, std::uint64_t max_body_bytes)
    : request_(request), head_(head) {
  header_limit(kMaxTargetBytes + kMaxHeadBytes);
  body_limit(max_body_bytes);
}

void RequestParser::on_request_impl(Method method, Text /*name*/, Text target, int version,
                                    ErrorCode& /*ec*/) {
  head_->known_verb = ToVerb(method, &request_->verb);
  head_->http_1_1 = version >= 11;
  head_->target.assign(target.data(), target.size());
}

std::string* RequestParser::Destination(Field field, std::string_view name) {
  RequestHeaders& headers = request_->headers;
  switch (field) {  // NOLINT(clang-diagnostic-switch-enum): an enum of Beast's.
    case Field::accept: return &headers.accept;
    case Field::accept_encoding: return &headers.accept_encoding;
    case Field::content_type: return &headers.content_type;
    case Field::content_encoding: return &headers.content_encoding;
    case Field::if_match: return &headers.if_match;
    case Field::if_none_match: return &headers.if_none_match;
    case Field::if_modified_since: return &headers.if_modified_since;
    case Field::prefer: return &headers.prefer;
    case Field::host: ++head_->host_count; return &head_->host;
    case Field::unknown:
      if (boost::beast::iequals(name, "If-None-Exist")) return &headers.if_none_exist;
      if (boost::beast::iequals(name, "X-Request-Id")) return &headers.request_id;
      return nullptr;
    default: return nullptr;
  }
}

void RequestParser::on_field_impl(Field field, Text name, Text value, ErrorCode& ec) {
  if (head_done_) return;
  if (field == Field::transfer_encoding && !boost::beast::iequals(value, "chunked")) {
    // Beast would take the message to have no body, and what follows for the next request.
    ec = http::error::bad_transfer_encoding;
    return;
  }
  if (field == Field::expect) {
    head_->expects_continue = boost::beast::iequals(value, "100-continue");
    return;
  }
  std::string* destination = Destination(field, name);
  if (destination == nullptr) return;
  // RFC 9110 5.3: several fields of one name are a list.
  if (!destination->empty()) destination->append(", ");
  destination->append(value.data(), value.size());
}

void RequestParser::on_header_impl(ErrorCode& /*ec*/) {
  head_done_ = true;
}

void RequestParser::on_body_init_impl(const boost::optional<std::uint64_t>& length,
                                      ErrorCode& /*ec*/) {
  if (length && !discard_body_) request_->body.reserve(std::min(*length, kMaxReservedBytes));
}

std::size_t RequestParser::on_body_impl(Text body, ErrorCode& /*ec*/) {
  if (!discard_body_) request_->body.append(body.data(), body.size());
  return body.size();
}

std::size_t RequestParser::on_chunk_body_impl(std::uint64_t /*remain*/, Text body, ErrorCode& ec) {
  return on_body_impl(body, ec);
}

}  // namespace server
