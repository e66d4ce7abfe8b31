// server/runtime/request.h
//
// One request as handlers see it, whether it came by HTTP or as an entry of a
// bundle. Knows nothing of sockets or Beast.
//
// Owner: the session coroutine (or the bundle that contains it).
// Thread-safety: single-owner; read-only while a handler runs.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

namespace server {

enum class Verb : std::uint8_t { kGet, kHead, kPost, kPut, kPatch, kDelete, kOptions };
std::string_view ToString(Verb verb);

// The header fields that handlers read; empty: not sent.
struct RequestHeaders {
  std::string accept;
  std::string accept_encoding;
  std::string content_type;
  std::string content_encoding;
  std::string if_match;
  std::string if_none_match;
  std::string if_modified_since;
  std::string if_none_exist;
  std::string prefer;
  std::string request_id;  // X-Request-Id
};

struct Request {
  Verb verb = Verb::kGet;
  std::string path;   // Percent-decoded, below the base: "Patient/x"; "" is the base itself.
  std::string query;  // As sent, without '?'.
  RequestHeaders headers;
  std::string body;
  // The base that the client used, for links: "http://localhost:8080/fhir". No trailing slash.
  std::string base_url;
  std::int64_t received_ms = 0;  // Unix time.
  std::chrono::steady_clock::time_point deadline = std::chrono::steady_clock::time_point::max();
  const std::atomic<bool>* cancelled = nullptr;  // Set when the client is gone. May be null.
};

}  // namespace server
