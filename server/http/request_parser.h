// server/http/request_parser.h
//
// Beast's HTTP/1 parser, filling a Request directly: half the cost of going
// through Beast's own containers. Takes bytes, and knows nothing of sockets.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <boost/beast/http/basic_parser.hpp>

#include "server/runtime/request.h"

namespace server {

// What the head says beyond a Request. Kept by the connection, so that its strings are reused.
struct RequestHead {
  std::string target;
  std::string host;
  std::size_t host_count = 0;
  bool known_verb = false;
  bool http_1_1 = false;
  bool expects_continue = false;

  void Clear();
};

// Empties `request` for the next message, keeping the capacity of its strings.
void ClearRequest(Request* request);

// One message. Not reusable: make a new one for the next.
//
// Owner: the connection. Thread-safety: single-owner. Does not block.
class RequestParser : public boost::beast::http::basic_parser<true> {
 public:
  // Both are empty and outlive the parser. A body over `max_body_bytes` ends in error::body_limit.
  RequestParser(Request* request, RequestHead* head, std::uint64_t max_body_bytes);

  // From now on the body is read but not kept.
  void DiscardBody() { discard_body_ = true; }

 private:
  using Field = boost::beast::http::field;
  using Method = boost::beast::http::verb;
  using Text = boost::beast::string_view;
  using ErrorCode = boost::beast::error_code;

  void on_request_impl(Method method, Text name, Text target, int version, ErrorCode& ec) override;
  void on_response_impl(int, Text, int, ErrorCode&) override {}
  void on_field_impl(Field field, Text name, Text value, ErrorCode& ec) override;
  void on_header_impl(ErrorCode& ec) override;
  void on_body_init_impl(const boost::optional<std::uint64_t>& length, ErrorCode& ec) override;
  std::size_t on_body_impl(Text body, ErrorCode& ec) override;
  void on_chunk_header_impl(std::uint64_t, Text, ErrorCode&) override {}
  std::size_t on_chunk_body_impl(std::uint64_t remain, Text body, ErrorCode& ec) override;
  void on_finish_impl(ErrorCode&) override {}

  // The string that keeps this field's value, or null if nobody asks for it.
  std::string* Destination(Field field, std::string_view name);

  Request* request_;
  RequestHead* head_;
  bool head_done_ = false;  // Fields after it are trailers, which must not change the request.
  bool discard_body_ = false;
};

}  // namespace server
