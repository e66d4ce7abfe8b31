// load-testing/generator/http_client.h
//
// Posts to one URL over one connection that is kept alive. HTTP/1.1 without
// TLS, as much of it as a FHIR server's answers need.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <tl/expected.hpp>

namespace load_testing {

struct Url {
  std::string host;
  std::string port;
  std::string path;
};

// Nothing if it is no http:// URL.
std::optional<Url> ParseUrl(std::string_view text);

struct Answer {
  int status = 0;
  std::string body;
};

// Thread-safety: single-owner. Blocking: until the answer is there, at most kTimeoutSeconds for
// each part of it.
class HttpClient {
 public:
  static constexpr int kTimeoutSeconds = 600;

  explicit HttpClient(Url url) : url_(std::move(url)) {}
  ~HttpClient() { Disconnect(); }
  HttpClient(const HttpClient&) = delete;
  HttpClient& operator=(const HttpClient&) = delete;

  // Posts FHIR JSON and asks for a minimal answer. Connects if need be.
  // Errors: a text that says what failed; the next call connects anew.
  tl::expected<Answer, std::string> Post(std::string_view body);

 private:
  bool Connect();
  void Disconnect();
  bool Send(std::string_view bytes);
  // Appends what has come to `received_`; false at the end of the stream or after an error.
  bool Receive();
  std::optional<Answer> ReceiveAnswer();
  bool ReceiveChunks(std::size_t begin, std::string* body);

  Url url_;
  int socket_ = -1;
  std::string received_;
};

}  // namespace load_testing
