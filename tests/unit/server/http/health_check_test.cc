#include "server/http/health_check.h"

#include <arpa/inet.h>
#include <future>
#include <netinet/in.h>
#include <string>
#include <sys/socket.h>
#include <unistd.h>

#include <gtest/gtest.h>

namespace server {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kPatient{20'000};

// A port of the loopback on which connections are taken by hand, if at all.
class HealthCheckTest : public testing::Test {
 protected:
  HealthCheckTest() {
    listener_ = socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    auto* generic = reinterpret_cast<sockaddr*>(&address);
    EXPECT_EQ(bind(listener_, generic, size), 0);
    EXPECT_EQ(getsockname(listener_, generic, &size), 0);
    port_ = ntohs(address.sin_port);
  }
  ~HealthCheckTest() override { close(listener_); }

  void Listen() const { EXPECT_EQ(listen(listener_, 1), 0); }

  // What is asked of a server that says `answer` and closes, and what that is taken for.
  bool IsHealthy(std::string answer, std::string* request) {
    Listen();
    auto asked = std::async([&] {
      const int connection = accept(listener_, nullptr, nullptr);
      std::string text(4096, '\0');
      const ssize_t count = recv(connection, text.data(), text.size(), 0);
      text.resize(count > 0 ? static_cast<std::size_t>(count) : 0);
      send(connection, answer.data(), answer.size(), MSG_NOSIGNAL);
      close(connection);
      return text;
    });
    const bool healthy = CheckHealth(port_, kPatient).has_value();
    *request = asked.get();
    return healthy;
  }

  int listener_;
  std::uint16_t port_;
};

TEST_F(HealthCheckTest, Only200IsHealthy) {
  std::string request;
  EXPECT_TRUE(IsHealthy("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}", &request));
  EXPECT_TRUE(request.starts_with("GET /health HTTP/1.1\r\n")) << request;
  for (const std::string status : {"204 No Content", "404 Not Found", "503 Service Unavailable"}) {
    EXPECT_FALSE(IsHealthy("HTTP/1.1 " + status + "\r\nContent-Length: 0\r\n\r\n", &request));
  }
}

TEST_F(HealthCheckTest, NothingAndNonsenseAreNotHealthy) {
  std::string request;
  EXPECT_FALSE(IsHealthy("", &request));
  EXPECT_FALSE(IsHealthy("220 mail.example.org\r\n", &request));
  EXPECT_FALSE(IsHealthy("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{}", &request));
}

TEST_F(HealthCheckTest, APortWithoutAServerIsNotHealthy) {
  const auto health = CheckHealth(port_, kPatient);  // Bound, but nobody listens.
  ASSERT_FALSE(health);
  EXPECT_NE(health.error().log_detail.find(std::to_string(port_)), std::string::npos);
}

TEST_F(HealthCheckTest, AServerThatDoesNotAnswerIsGivenUp) {
  Listen();
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_FALSE(CheckHealth(port_, milliseconds(50)));
  EXPECT_GE(std::chrono::steady_clock::now() - begin, milliseconds(50));
}

}  // namespace
}  // namespace server
