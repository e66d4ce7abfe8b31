#include "tests/e2e/http_client.h"

#include <algorithm>
#include <arpa/inet.h>
#include <cctype>
#include <cstdlib>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <gtest/gtest.h>
#include <poll.h>

namespace e2e {
namespace {

constexpr timeval kPatience{.tv_sec = 60, .tv_usec = 0};

std::string Lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

// `head` without its empty line.
HttpResponse ParseHead(const std::string& head) {
  HttpResponse response;
  response.status = head.size() > 12 ? std::atoi(head.c_str() + 9) : 0;
  std::size_t at = head.find("\r\n");
  while (at != std::string::npos && at + 2 < head.size()) {
    const std::size_t start = at + 2;
    at = head.find("\r\n", start);
    const std::string line = head.substr(start, at == std::string::npos ? at : at - start);
    const std::size_t colon = line.find(':');
    if (colon == std::string::npos) continue;
    const std::size_t value = std::min(line.find_first_not_of(' ', colon + 1), line.size());
    response.headers.emplace_back(Lower(line.substr(0, colon)), line.substr(value));
  }
  return response;
}

}  // namespace

std::string HttpResponse::Header(std::string_view lower_case_name) const {
  for (const auto& [name, value] : headers) {
    if (name == lower_case_name) return value;
  }
  return {};
}

bool HttpClient::Connect() {
  if (socket_ >= 0) return true;
  input_.clear();
  socket_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const int on = 1;
  setsockopt(socket_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &kPatience, sizeof kPatience);
  setsockopt(socket_, SOL_SOCKET, SO_SNDTIMEO, &kPatience, sizeof kPatience);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port_));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (connect(socket_, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0) return true;
  Close();
  return false;
}

void HttpClient::Close() {
  if (socket_ >= 0) close(socket_);
  socket_ = -1;
}

void HttpClient::FinishSending() {
  shutdown(socket_, SHUT_WR);
}

bool HttpClient::SendRaw(std::string_view bytes) {
  if (!Connect()) return false;
  while (!bytes.empty()) {
    const ssize_t sent = send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
  return true;
}

bool HttpClient::Fill() {
  char buffer[64 * 1024];
  const ssize_t count = recv(socket_, buffer, sizeof buffer, 0);
  if (count <= 0) return false;
  input_.append(buffer, static_cast<std::size_t>(count));
  return true;
}

std::optional<HttpResponse> HttpClient::Receive(bool to_head) {
  std::size_t end = 0;
  while ((end = input_.find("\r\n\r\n")) == std::string::npos) {
    if (!Fill()) {
      Close();
      return std::nullopt;
    }
  }
  HttpResponse response = ParseHead(input_.substr(0, end));
  input_.erase(0, end + 4);
  const std::string length = response.Header("content-length");
  const std::size_t size = to_head ? 0 : std::strtoull(length.c_str(), nullptr, 10);
  while (input_.size() < size) {
    if (!Fill()) {
      Close();
      return std::nullopt;
    }
  }
  response.body = input_.substr(0, size);
  input_.erase(0, size);
  if (response.Header("connection") == "close" && response.status >= 200) Close();
  return response;
}

bool HttpClient::HasInput() const {
  if (!input_.empty()) return true;
  pollfd socket{.fd = socket_, .events = POLLIN, .revents = 0};
  return socket_ >= 0 && poll(&socket, 1, 0) == 1;
}

bool HttpClient::IsClosedByServer() {
  if (socket_ < 0) return true;
  char byte = 0;
  const ssize_t count = recv(socket_, &byte, 1, 0);
  return count == 0 || (count < 0 && errno == ECONNRESET);
}

std::optional<HttpResponse> HttpClient::TrySend(std::string_view method, std::string_view target,
                                                std::string_view body, const Headers& headers) {
  std::string request(method);
  request.append(" ").append(target).append(" HTTP/1.1\r\nHost: localhost:");
  request += std::to_string(port_) + "\r\n";
  for (const auto& [name, value] : headers) request += name + ": " + value + "\r\n";
  if (!body.empty() || method == "POST" || method == "PUT") {
    request += "Content-Length: " + std::to_string(body.size()) + "\r\n";
  }
  request.append("\r\n").append(body);
  // The answer may come although not all was taken: 413.
  if (!SendRaw(request) && socket_ < 0) return std::nullopt;
  return Receive(method == "HEAD");
}

HttpResponse HttpClient::Send(std::string_view method, std::string_view target,
                              std::string_view body, const Headers& headers) {
  auto response = TrySend(method, target, body, headers);
  if (response) return *std::move(response);
  ADD_FAILURE() << "no answer to " << method << " " << target;
  return {};
}

}  // namespace e2e
