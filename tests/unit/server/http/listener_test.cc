// The HTTP side on real sockets, with handlers of the test's own behind it. What
// does not depend on the handlers is tested on the built binary (tests/e2e).
#include "server/http/listener.h"

#include <future>
#include <thread>

#include <gtest/gtest.h>

#include "tests/e2e/http_client.h"
#include "tests/unit/server/runtime/fake_routes.h"

namespace server {
namespace {

constexpr std::size_t kHugeBytes = 20 << 20;

std::promise<void>* entered = nullptr;
std::promise<void>* may_go_on = nullptr;

Reply Text(std::string text) {
  Reply reply;
  reply.body.Append(std::move(text));
  return reply;
}

// What the handler saw of the request.
std::optional<Reply> Echo(const Request& request, const PathParameters&, const Context&) {
  return Text(std::string(ToString(request.verb)) + " " + request.base_url + " " + request.path +
              "?" + request.query + " " + request.headers.accept + " " + request.headers.if_match);
}

std::optional<Reply> Huge(const Request&, const PathParameters&, const Context&) {
  Reply reply;
  for (std::size_t i = 0; i < kHugeBytes / 4'000; ++i) reply.body.Append(std::string(4'000, 'x'));
  return reply;
}

fhir::Result<Reply> WaitForTest(const Request& request, const PathParameters&, const Context&) {
  entered->set_value();
  may_go_on->get_future().wait();
  return Text(request.cancelled->load() ? "cancelled" : "went on");
}

fhir::Result<Reply> RunUntilCancelled(const Request& request, const PathParameters&,
                                      const Context&) {
  entered->set_value();
  while (!request.cancelled->load()) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  may_go_on->set_value();
  return Text("cancelled");
}

fhir::Result<Preparation> SizeOfBody(const Request& request, const PathParameters&,
                                     const Context&) {
  return Preparation(Text(std::to_string(request.body.size())));
}

fhir::Result<Reply> Nothing(const Request&, const PathParameters&, const Context&) {
  return Reply{};
}

const Handler kEcho = {.code = "echo", .read = &Nothing, .try_read = &Echo};
const Handler kHuge = {.code = "huge", .read = &Nothing, .try_read = &Huge};
const Handler kWait = {.code = "wait", .read = &WaitForTest};
const Handler kUntilCancelled = {.code = "cancel", .read = &RunUntilCancelled};
const Handler kSize = {.code = "size", .prepare = &SizeOfBody};

class ListenerTest : public testing::Test {
 protected:
  ListenerTest() : io_(2), pools_(2, 2) {
    SetFakeRoute("echo", &kEcho);
    SetFakeRoute("huge", &kHuge);
    SetFakeRoute("wait", &kWait);
    SetFakeRoute("cancel", &kUntilCancelled);
    SetFakeRoute("size", &kSize);
    entered = &entered_;
    may_go_on = &may_go_on_;
    context_.ids = &ids_;
    lifecycle_.StartServing();
    listener_ = *Listener::Open(0,
                                {.dispatcher = &dispatcher_,
                                 .lifecycle = &lifecycle_,
                                 .base_url = "",
                                 .context_path = "/fhir",
                                 .max_body_bytes = 8 << 20},
                                &io_);
    io_.Start();
    listener_->Start();
  }
  ~ListenerTest() override {
    listener_->Stop(std::chrono::seconds(10));
    broad_lane_.Join();
    pools_.Join();
    io_.Stop();
  }

  IoThreads io_;
  IdGenerator ids_;
  Context context_;
  WorkerPools pools_;
  BroadLane broad_lane_{1, 1};
  Dispatcher dispatcher_{&context_, pools_.ResourceStore(), pools_.Indexer(), &broad_lane_};
  Lifecycle lifecycle_;
  std::promise<void> entered_;
  std::promise<void> may_go_on_;
  std::unique_ptr<Listener> listener_;
};

TEST_F(ListenerTest, TheHandlerSeesWhatTheClientSent) {
  e2e::HttpClient client(listener_->Port());
  ASSERT_TRUE(
      client.SendRaw("GET /fhir/echo/%41%7Cb?x=s|v&y=%20 HTTP/1.1\r\nHost: example.org:81\r\n"
                     "accept: application/fhir+json\r\nAccept: */*\r\nIF-MATCH: W/\"1\"\r\n\r\n"));
  EXPECT_EQ(client.Receive()->body,
            "GET http://example.org:81/fhir echo/A|b?x=s|v&y=%20 application/fhir+json, */* "
            "W/\"1\"");
}

TEST_F(ListenerTest, NothingOfOneRequestIsLeftForTheNext) {
  e2e::HttpClient client(listener_->Port());
  client.Send("GET", "/fhir/echo?x=1", {}, {{"If-Match", "W/\"1\""}, {"Accept", "*/*"}});
  const std::string base = "http://localhost:" + std::to_string(listener_->Port()) + "/fhir";
  EXPECT_EQ(client.Send("DELETE", "/fhir/echo").body, "DELETE " + base + " echo?  ");
}

TEST_F(ListenerTest, ALargeAnswerArrivesWholeAlsoAtASlowReader) {
  e2e::HttpClient client(listener_->Port());
  ASSERT_TRUE(client.SendRaw("GET /fhir/huge HTTP/1.1\r\nHost: x\r\n\r\n"));
  const auto response = client.Receive();
  ASSERT_TRUE(response);
  EXPECT_EQ(response->body.size(), kHugeBytes / 4'000 * 4'000);
  EXPECT_EQ(response->body.find_first_not_of('x'), std::string::npos);
  EXPECT_EQ(client.Send("HEAD", "/fhir/huge").body, "");
}

TEST_F(ListenerTest, BodiesOfEverySizeArriveWhole) {
  e2e::HttpClient client(listener_->Port());
  for (const std::size_t size : {0, 1, 8'000, 8'192, 16'384, 65'536, 1'000'000, 8 << 20}) {
    const auto response = client.Send("POST", "/fhir/size", std::string(size, ' '),
                                      {{"Content-Type", "application/fhir+json"}});
    EXPECT_EQ(response.body, std::to_string(size));
  }
}

TEST_F(ListenerTest, ARequestThatRunsIsAnsweredWhileTheServerStops) {
  e2e::HttpClient client(listener_->Port());
  ASSERT_TRUE(client.SendRaw("GET /fhir/wait HTTP/1.1\r\nHost: x\r\n\r\n"));
  entered_.get_future().wait();
  e2e::HttpClient idle(listener_->Port());
  EXPECT_EQ(idle.Send("GET", "/health").status, 200);
  lifecycle_.StartDraining();
  auto stopped = std::async([&] { return listener_->Stop(std::chrono::seconds(60)); });
  EXPECT_TRUE(idle.IsClosedByServer());
  may_go_on_.set_value();
  const auto response = client.Receive();
  ASSERT_TRUE(response);
  EXPECT_EQ(response->body, "went on");
  EXPECT_EQ(response->Header("connection"), "close");
  EXPECT_TRUE(stopped.get());
}

TEST_F(ListenerTest, WhatRunsTooLongIsCutOffAndCancelled) {
  e2e::HttpClient client(listener_->Port());
  ASSERT_TRUE(client.SendRaw("GET /fhir/wait HTTP/1.1\r\nHost: x\r\n\r\n"));
  entered_.get_future().wait();
  auto stopped = std::async([&] { return listener_->Stop(std::chrono::milliseconds(1)); });
  EXPECT_TRUE(client.IsClosedByServer());
  may_go_on_.set_value();
  EXPECT_FALSE(stopped.get());
}

TEST_F(ListenerTest, TheHandlerLearnsThatItsClientIsGone) {
  {
    e2e::HttpClient client(listener_->Port());
    ASSERT_TRUE(client.SendRaw("GET /fhir/cancel HTTP/1.1\r\nHost: x\r\n\r\n"));
    entered_.get_future().wait();
  }
  may_go_on_.get_future().wait();
}

TEST_F(ListenerTest, ProbesSay503WhileTheServerStops) {
  e2e::HttpClient client(listener_->Port());
  EXPECT_EQ(client.Send("GET", "/health").status, 200);
  lifecycle_.StartDraining();
  EXPECT_EQ(client.Send("GET", "/health").status, 503);
  EXPECT_EQ(client.Send("GET", "/livez").status, 200);
}

}  // namespace
}  // namespace server
