#include "load-testing/generator/http_client.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <string>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace load_testing {
namespace {

// Accepts one connection on a free port of the loopback and sends one of the answers, in two
// pieces, for each request that ends with "end".
class ScriptedServer {
 public:
  explicit ScriptedServer(std::vector<std::string> answers) : answers_(std::move(answers)) {
    listener_ = socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    auto* generic = reinterpret_cast<sockaddr*>(&address);
    EXPECT_EQ(bind(listener_, generic, size), 0);
    EXPECT_EQ(listen(listener_, 1), 0);
    EXPECT_EQ(getsockname(listener_, generic, &size), 0);
    port_ = std::to_string(ntohs(address.sin_port));
    thread_ = std::thread(&ScriptedServer::Serve, this);
  }

  ~ScriptedServer() {
    thread_.join();
    close(listener_);
  }

  Url Base() const { return {.host = "127.0.0.1", .port = port_, .path = "/fhir"}; }

 private:
  void Serve() {
    const int connection = accept(listener_, nullptr, nullptr);
    for (const std::string& answer : answers_) {
      std::string request;
      char buffer[4096];
      while (!request.ends_with("end")) {
        const ssize_t count = recv(connection, buffer, sizeof buffer, 0);
        if (count <= 0) break;
        request.append(buffer, static_cast<std::size_t>(count));
      }
      const std::size_t half = answer.size() / 2;
      send(connection, answer.data(), half, MSG_NOSIGNAL);
      send(connection, answer.data() + half, answer.size() - half, MSG_NOSIGNAL);
    }
    close(connection);
  }

  std::vector<std::string> answers_;
  int listener_;
  std::string port_;
  std::thread thread_;
};

TEST(HttpClientTest, KeepsItsConnectionOverBodiesOfKnownLengthAndInChunks) {
  ScriptedServer server({"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nfirst",
                         "HTTP/1.1 201 Created\r\nTransfer-Encoding: chunked\r\n\r\n"
                         "3\r\nsec\r\n3\r\nond\r\n0\r\n\r\n",
                         "HTTP/1.1 204 No Content\r\n\r\n"});
  HttpClient client(server.Base());
  auto answer = client.Post("the end");
  ASSERT_TRUE(answer.has_value());
  EXPECT_EQ(answer->status, 200);
  EXPECT_EQ(answer->body, "first");
  answer = client.Post(std::string(1'000'000, ' ') + "end");
  ASSERT_TRUE(answer.has_value());
  EXPECT_EQ(answer->status, 201);
  EXPECT_EQ(answer->body, "second");
  answer = client.Post("end");
  ASSERT_TRUE(answer.has_value());
  EXPECT_EQ(answer->status, 204);
  EXPECT_EQ(answer->body, "");
}

TEST(HttpClientTest, AnAnswerThatBreaksOffIsAnError) {
  ScriptedServer server({"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nfirst"});
  HttpClient client(server.Base());
  EXPECT_FALSE(client.Post("end").has_value());
}

TEST(HttpClientTest, UrlsHavePortsAndPathsOrTheirDefaults) {
  const auto full = ParseUrl("http://localhost:8080/fhir");
  ASSERT_TRUE(full.has_value());
  EXPECT_EQ(full->host, "localhost");
  EXPECT_EQ(full->port, "8080");
  EXPECT_EQ(full->path, "/fhir");
  const auto bare = ParseUrl("http://[::1]");
  ASSERT_TRUE(bare.has_value());
  EXPECT_EQ(bare->host, "::1");
  EXPECT_EQ(bare->port, "80");
  EXPECT_EQ(bare->path, "/");
  EXPECT_FALSE(ParseUrl("https://localhost").has_value());
  EXPECT_FALSE(ParseUrl("http://").has_value());
}

}  // namespace
}  // namespace load_testing
