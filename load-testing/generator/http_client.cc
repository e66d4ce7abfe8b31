#include "load-testing/generator/http_client.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>
#include <utility>

#include <netdb.h>

namespace load_testing {
namespace {

constexpr std::string_view kScheme = "http://";
constexpr std::string_view kHeadEnd = "\r\n\r\n";

// The value of a header, or nothing. `head` is in lower case.
std::string_view HeaderOf(std::string_view head, std::string_view name) {
  const std::size_t at = head.find("\r\n" + std::string(name) + ":");
  if (at == std::string_view::npos) return {};
  std::string_view value = head.substr(at + name.size() + 3);
  value = value.substr(0, value.find("\r\n"));
  value.remove_prefix(std::min(value.find_first_not_of(' '), value.size()));
  return value;
}

std::optional<std::size_t> NumberOf(std::string_view text, int base) {
  std::size_t number = 0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), number, base);
  if (result.ec != std::errc()) return std::nullopt;
  return number;
}

std::string LowerCase(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return lower;
}

}  // namespace

std::optional<Url> ParseUrl(std::string_view text) {
  if (!text.starts_with(kScheme)) return std::nullopt;
  text.remove_prefix(kScheme.size());
  const std::size_t slash = std::min(text.find('/'), text.size());
  const std::string_view authority = text.substr(0, slash);
  Url url{.host = std::string(authority), .port = "80", .path = std::string(text.substr(slash))};
  const std::size_t colon = authority.rfind(':');
  if (colon != std::string_view::npos && !authority.ends_with(']')) {
    url.host = authority.substr(0, colon);
    url.port = authority.substr(colon + 1);
  }
  if (url.host.starts_with('[') && url.host.ends_with(']')) {
    url.host = url.host.substr(1, url.host.size() - 2);
  }
  if (url.path.empty()) url.path = "/";
  if (url.host.empty() || url.port.empty()) return std::nullopt;
  return url;
}

bool HttpClient::Connect() {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* addresses = nullptr;
  if (getaddrinfo(url_.host.c_str(), url_.port.c_str(), &hints, &addresses) != 0) return false;
  for (const addrinfo* at = addresses; at != nullptr && socket_ < 0; at = at->ai_next) {
    socket_ = socket(at->ai_family, at->ai_socktype | SOCK_CLOEXEC, at->ai_protocol);
    if (socket_ >= 0 && connect(socket_, at->ai_addr, at->ai_addrlen) != 0) Disconnect();
  }
  freeaddrinfo(addresses);
  if (socket_ < 0) return false;
  const int on = 1;
  setsockopt(socket_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  const timeval timeout{.tv_sec = kTimeoutSeconds, .tv_usec = 0};
  setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof timeout);
  setsockopt(socket_, SOL_SOCKET, SO_SNDTIMEO, &timeout, sizeof timeout);
  return true;
}

void HttpClient::Disconnect() {
  if (socket_ >= 0) close(std::exchange(socket_, -1));
  received_.clear();
}

bool HttpClient::Send(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
  return true;
}

bool HttpClient::Receive() {
  char buffer[65536];
  ssize_t count = 0;
  do {
    count = recv(socket_, buffer, sizeof buffer, 0);
  } while (count < 0 && errno == EINTR);
  if (count <= 0) return false;
  received_.append(buffer, static_cast<std::size_t>(count));
  return true;
}

bool HttpClient::ReceiveChunks(std::size_t begin, std::string* body) {
  while (true) {
    std::size_t line_end = 0;
    while ((line_end = received_.find("\r\n", begin)) == std::string::npos) {
      if (!Receive()) return false;
    }
    const auto size = NumberOf(std::string_view(received_).substr(begin, line_end - begin), 16);
    if (!size) return false;
    begin = line_end + 2;
    while (received_.size() < begin + *size + 2) {
      if (!Receive()) return false;
    }
    if (*size == 0) return true;
    body->append(received_, begin, *size);
    begin += *size + 2;
  }
}

std::optional<Answer> HttpClient::ReceiveAnswer() {
  received_.clear();
  std::size_t head_end = 0;
  while ((head_end = received_.find(kHeadEnd)) == std::string::npos) {
    if (!Receive()) return std::nullopt;
  }
  const std::string head = LowerCase(std::string_view(received_).substr(0, head_end + 2));
  if (!head.starts_with("http/1.1 ")) return std::nullopt;
  const auto status = NumberOf(std::string_view(head).substr(9, 3), 10);
  if (!status) return std::nullopt;
  Answer answer{.status = static_cast<int>(*status), .body = {}};
  const std::size_t begin = head_end + kHeadEnd.size();
  if (HeaderOf(head, "transfer-encoding") == "chunked") {
    if (!ReceiveChunks(begin, &answer.body)) return std::nullopt;
  } else if (const auto length = NumberOf(HeaderOf(head, "content-length"), 10)) {
    while (received_.size() < begin + *length) {
      if (!Receive()) return std::nullopt;
    }
    answer.body = received_.substr(begin, *length);
  }
  if (HeaderOf(head, "connection") == "close") Disconnect();
  return answer;
}

tl::expected<Answer, std::string> HttpClient::Post(std::string_view body) {
  if (socket_ < 0 && !Connect()) {
    return tl::unexpected("cannot connect to " + url_.host + " port " + url_.port);
  }
  const std::string head = "POST " + url_.path + " HTTP/1.1\r\nHost: " + url_.host + ":" +
                           url_.port +
                           "\r\nContent-Type: application/fhir+json\r\nPrefer: return=minimal"
                           "\r\nContent-Length: " +
                           std::to_string(body.size()) + "\r\n\r\n";
  std::optional<Answer> answer;
  if (Send(head) && Send(body)) answer = ReceiveAnswer();
  if (answer) return *std::move(answer);
  std::string error = std::string("the connection broke: ") + std::strerror(errno);
  Disconnect();
  return tl::unexpected(std::move(error));
}

}  // namespace load_testing
