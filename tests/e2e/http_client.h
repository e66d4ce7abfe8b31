// tests/e2e/http_client.h
//
// A small blocking HTTP/1.1 client over one connection to this machine, for
// tests: it sends exactly what it is told, wrong things too.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace e2e {

using Headers = std::vector<std::pair<std::string, std::string>>;

struct HttpResponse {
  int status = 0;
  Headers headers;  // Names in lower case.
  std::string body;

  // The value of a field, or empty.
  std::string Header(std::string_view lower_case_name) const;
};

// Thread-safety: one thread. Blocking: 60 s at most for each answer.
class HttpClient {
 public:
  explicit HttpClient(int port) : port_(port) {}
  ~HttpClient() { Close(); }
  HttpClient(const HttpClient&) = delete;
  HttpClient& operator=(const HttpClient&) = delete;

  // Sends a request with Host and Content-Length, on the open connection if there is one, and
  // returns the answer. Fails the test, and returns status 0, if there is none.
  HttpResponse Send(std::string_view method, std::string_view target, std::string_view body = {},
                    const Headers& headers = {});
  // The same, but nothing if there is no answer.
  std::optional<HttpResponse> TrySend(std::string_view method, std::string_view target,
                                      std::string_view body = {}, const Headers& headers = {});

  // For what Send would not do. Connects if need be; false if that or the sending fails.
  bool SendRaw(std::string_view bytes);
  // The next answer; `to_head`: it has no body, whatever its Content-Length says.
  std::optional<HttpResponse> Receive(bool to_head = false);
  // Whether bytes of an answer have come that nobody has taken. Does not wait.
  bool HasInput() const;
  // Waits for the server to close: false if it sends something instead, or nothing for 60 s.
  bool IsClosedByServer();
  // Tells the server that nothing more will come, but goes on reading.
  void FinishSending();
  void Close();
  bool IsOpen() const { return socket_ >= 0; }

 private:
  bool Connect();
  bool Fill();  // Reads into input_. False at the end.

  int port_;
  int socket_ = -1;
  std::string input_;
};

}  // namespace e2e
