#include "server/runtime/dispatch.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <future>
#include <stdexcept>
#include <thread>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/use_future.hpp>
#include <gtest/gtest.h>

#include "server/runtime/broad_lane.h"
#include "server/runtime/threads.h"
#include "tests/unit/server/runtime/fake_routes.h"
#include "tests/unit/server/runtime/fake_store.h"

namespace server {
namespace {

using Status = storage::CommitResult::Status;

std::atomic<int> preparations;
std::atomic<std::thread::id> read_thread;
std::atomic<std::thread::id> try_thread;
std::atomic<std::thread::id> answer_thread;

constexpr std::size_t kLargeBytes = std::size_t{4} << 20;

Reply Text(std::string text) {
  Reply reply;
  reply.body.Append(std::move(text));
  return reply;
}

fhir::Result<Reply> ReadId(const Request&, const PathParameters& parameters, const Context&) {
  read_thread = std::this_thread::get_id();
  if (parameters.id == "absent") return fhir::Fail(fhir::NotFound("absent"));
  if (parameters.id == "throws") throw std::runtime_error("third party");
  if (parameters.id == "large") return Text("large" + std::string(kLargeBytes, ' '));
  return Text("read " + std::string(parameters.id));
}

std::optional<Reply> TryReadId(const Request&, const PathParameters& parameters, const Context&) {
  try_thread = std::this_thread::get_id();
  if (parameters.id == "throws-at-once") throw std::runtime_error("third party");
  if (!parameters.id.starts_with("cached")) return std::nullopt;
  return Text("cached");
}

// "search/narrow" is cheap, "search/broad…" is not, and waits for the test.
std::atomic<int> broad_begun;
std::atomic<int> narrow_asked;
std::shared_future<void> broad_end;

fhir::Result<std::optional<Reply>> SearchIfNarrow(const Request&, const PathParameters& parameters,
                                                  const Context&) {
  ++narrow_asked;
  if (parameters.id == "bad") return fhir::Fail(fhir::Invalid("bad"));
  if (parameters.id.starts_with("broad")) return std::nullopt;
  return std::optional<Reply>(Text("narrow"));
}

fhir::Result<Reply> SearchBroadly(const Request&, const PathParameters&, const Context&) {
  read_thread = std::this_thread::get_id();
  ++broad_begun;
  broad_end.wait();
  return Text("broad");
}

fhir::Result<Preparation> PrepareWrite(const Request& request, const PathParameters& parameters,
                                       const Context&) {
  ++preparations;
  if (parameters.id == "bad") return fhir::Fail(fhir::Invalid("bad"));
  if (parameters.id == "exists") return Preparation(Text("exists"));
  PreparedWrite write;
  write.transaction = std::make_unique<storage::Transaction>();
  write.answer_blocks = parameters.id == "blocks";
  write.answer_searches = parameters.id == "searches";
  write.answer = [&request](const storage::CommitResult& result) -> fhir::Result<Reply> {
    answer_thread = std::this_thread::get_id();
    if (result.status == Status::kFailed) return fhir::Fail(fhir::Conflict(request.path));
    return Text("written");
  };
  return Preparation(std::move(write));
}

// The body's lines are GET entries; "!" is a bad one, "+" and "//" are nested bundles.
fhir::Result<Preparation> PrepareBatch(const Request& request, const PathParameters&,
                                       const Context&) {
  BatchPlan plan;
  std::string_view rest = request.body;
  while (!rest.empty()) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    BatchPlan::Entry entry;
    entry.request.path = line == "+" ? "" : line;
    entry.request.verb = line == "+" || line == "//" ? Verb::kPost : Verb::kGet;
    if (line == "!") entry.error = fhir::Invalid("bad entry");
    plan.entries.push_back(std::move(entry));
  }
  return Preparation(std::move(plan));
}

const Handler kRead = {.code = "read", .read = &ReadId, .try_read = &TryReadId};
const Handler kSearch = {
    .code = "search-type", .read = &SearchBroadly, .read_narrow = &SearchIfNarrow};
const Handler kWrite = {.code = "update", .prepare = &PrepareWrite};
const Handler kBatch = {.code = "batch", .prepare = &PrepareBatch};

class DispatchTest : public testing::Test {
 protected:
  DispatchTest() : io_(1), pools_(2, 2), broad_lane_(1, 2) {
    SetFakeRoute("read", &kRead);
    SetFakeRoute("search", &kSearch);
    SetFakeRoute("write", &kWrite);
    SetFakeRoute("", &kBatch);
    context_.store = &store_;
    context_.ids = &ids_;
    preparations = 0;
    broad_begun = 0;
    narrow_asked = 0;
    broad_end = broad_may_end_.get_future();
    io_.Start();
  }
  ~DispatchTest() override {
    broad_lane_.Join();
    pools_.Join();
    io_.Stop();
  }

  Reply Send(Verb verb, std::string path, std::string body = {}) {
    Request request;
    request.verb = verb;
    request.path = std::move(path);
    request.body = std::move(body);
    return net::co_spawn(*io_.At(0), dispatcher_.AsyncDispatch(&request), net::use_future).get();
  }
  // Begins, and is answered when the test lets broad searches end.
  std::future<Reply> Begin(const Request& request) {
    return net::co_spawn(*io_.At(0), dispatcher_.AsyncDispatch(&request), net::use_future);
  }
  static Request SearchFor(std::string path) {
    Request request;
    request.path = std::move(path);
    return request;
  }
  static void Await(const std::atomic<int>& counter, int value) {
    while (counter < value) std::this_thread::yield();
  }
  std::string Get(std::string path) { return Send(Verb::kGet, std::move(path)).body.Flatten(); }

  IoThreads io_;
  FakeStore store_;
  IdGenerator ids_;
  Context context_;
  WorkerPools pools_;
  BroadLane broad_lane_;  // One runs, two wait.
  Dispatcher dispatcher_{&context_, pools_.ResourceStore(), pools_.Indexer(), &broad_lane_};
  std::promise<void> broad_may_end_;
};

TEST_F(DispatchTest, ACachedReadStaysOnTheIoThread) {
  read_thread = std::thread::id();
  EXPECT_EQ(Get("read/cached"), "cached");
  EXPECT_EQ(read_thread.load(), std::thread::id());
}

TEST_F(DispatchTest, AnotherReadGoesToAWorker) {
  EXPECT_EQ(Get("read/x"), "read x");
  EXPECT_NE(read_thread.load(), try_thread.load());
}

TEST_F(DispatchTest, ANarrowSearchIsAnsweredWhileBroadOnesRunAndWait) {
  const Request broad = SearchFor("search/broad");
  std::vector<std::future<Reply>> begun;
  for (int i = 0; i < 3; ++i) begun.push_back(Begin(broad));
  Await(broad_begun, 1);
  Await(narrow_asked, 3);
  EXPECT_EQ(Get("search/narrow"), "narrow");
  EXPECT_EQ(Get("read/x"), "read x");
  EXPECT_EQ(Send(Verb::kGet, "search/bad").status, 400);
  EXPECT_EQ(broad_begun, 1);
  broad_may_end_.set_value();
  for (std::future<Reply>& answer : begun) EXPECT_EQ(answer.get().body.Flatten(), "broad");
  EXPECT_EQ(broad_begun, 3);
}

TEST_F(DispatchTest, ABroadSearchThatFindsTheQueueFullIs503) {
  const Request broad = SearchFor("search/broad");
  std::vector<std::future<Reply>> begun;
  for (int i = 0; i < 4; ++i) begun.push_back(Begin(broad));
  const auto is_answered = [](const std::future<Reply>& answer) {
    return answer.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
  };
  auto refused = begun.end();
  while (refused == begun.end()) refused = std::ranges::find_if(begun, is_answered);
  const Reply reply = refused->get();
  begun.erase(refused);
  EXPECT_EQ(reply.status, 503);
  ASSERT_EQ(reply.headers.size(), 1u);
  EXPECT_EQ(reply.headers[0].first, "Retry-After");
  EXPECT_NE(reply.body.Flatten().find("SEARCH_BROAD_QUEUE"), std::string::npos);
  EXPECT_TRUE(std::ranges::none_of(begun, is_answered));
  broad_may_end_.set_value();
  for (std::future<Reply>& answer : begun) EXPECT_EQ(answer.get().status, 200);
  EXPECT_EQ(Send(Verb::kGet, "search/broad").status, 200);  // There is room again.
}

TEST_F(DispatchTest, ABroadSearchWhoseClientLeftWhileItWaitedDoesNotRun) {
  const Request first = SearchFor("search/broad");
  Request second = SearchFor("search/broad");
  std::atomic<bool> gone = false;
  second.cancelled = &gone;
  std::future<Reply> running = Begin(first);
  Await(broad_begun, 1);
  std::future<Reply> waiting = Begin(second);
  Await(narrow_asked, 2);
  gone = true;
  broad_may_end_.set_value();
  EXPECT_EQ(running.get().status, 200);
  EXPECT_EQ(waiting.get().status, 503);
  EXPECT_EQ(broad_begun, 1);
}

TEST_F(DispatchTest, AnAnswerThatSearchesRunsWhereBroadSearchesDo) {
  broad_may_end_.set_value();
  EXPECT_EQ(Get("search/broad"), "broad");
  EXPECT_EQ(Send(Verb::kPut, "write/searches").status, 200);
  EXPECT_EQ(answer_thread.load(), read_thread.load());  // The lane has one thread.
}

TEST_F(DispatchTest, ErrorsBecomeReplies) {
  EXPECT_EQ(Send(Verb::kGet, "read/absent").status, 404);
  EXPECT_EQ(Send(Verb::kGet, "nowhere").status, 404);
  EXPECT_EQ(Send(Verb::kPut, "write/bad").status, 400);
}

TEST_F(DispatchTest, ExceptionsBecome500WithARequestId) {
  for (const char* path : {"read/throws", "read/throws-at-once"}) {
    const Reply reply = Send(Verb::kGet, path);
    EXPECT_EQ(reply.status, 500);
    ASSERT_EQ(reply.headers.size(), 1u);
    EXPECT_EQ(reply.headers[0].first, "X-Request-Id");
    EXPECT_EQ(reply.body.Flatten().find("third party"), std::string::npos);
  }
}

TEST_F(DispatchTest, AWriteIsAnsweredAfterItsCommit) {
  EXPECT_EQ(Send(Verb::kPut, "write/x").body.Flatten(), "written");
  EXPECT_EQ(store_.submitted, 1);
}

TEST_F(DispatchTest, AnAnswerThatBlocksRunsOnAWorker) {
  Get("read/cached");
  Send(Verb::kPut, "write/x");
  EXPECT_EQ(answer_thread.load(), try_thread.load());
  Send(Verb::kPut, "write/blocks");
  EXPECT_NE(answer_thread.load(), try_thread.load());
}

TEST_F(DispatchTest, WhereThereIsNothingToWriteNothingIsSubmitted) {
  EXPECT_EQ(Send(Verb::kPut, "write/exists").body.Flatten(), "exists");
  EXPECT_EQ(store_.submitted, 0);
}

TEST_F(DispatchTest, AStaleWriteIsPreparedAgain) {
  store_.outcome = [](int n) { return n < 3 ? Status::kStale : Status::kCommitted; };
  EXPECT_EQ(Send(Verb::kPut, "write/x").status, 200);
  EXPECT_EQ(preparations, 4);
}

TEST_F(DispatchTest, AWriteThatStaysStaleIs503) {
  store_.outcome = [](int) { return Status::kStale; };
  EXPECT_EQ(Send(Verb::kPut, "write/x").status, 503);
  EXPECT_EQ(preparations, 16);
}

TEST_F(DispatchTest, AFailedCommitIsTheHandlersToAnswer) {
  store_.outcome = [](int) { return Status::kFailed; };
  EXPECT_EQ(Send(Verb::kPut, "write/x").status, 409);
}

TEST_F(DispatchTest, ABusyStoreIs503) {
  store_.busy = true;
  EXPECT_EQ(Send(Verb::kPut, "write/x").status, 503);
}

TEST_F(DispatchTest, ABatchIsAnsweredInOrderWhateverBecomesOfItsEntries) {
  const Reply reply =
      Send(Verb::kPost, "", "read/a\nread/cached\nread/absent\nread/throws\nnowhere\nread/b");
  const std::string text = reply.body.Flatten();
  EXPECT_TRUE(text.starts_with("200:read a 200:cached 404:")) << text;
  EXPECT_TRUE(text.ends_with("200:read b ")) << text;
  EXPECT_NE(text.find(" 500:"), std::string::npos);
}

TEST_F(DispatchTest, ABadEntryAndANestedBundleAre400) {
  const std::string text = Send(Verb::kPost, "", "!\n+\n//\nread/cached").body.Flatten();
  EXPECT_TRUE(text.starts_with("400:"));
  const std::size_t second = text.find(" 400:");
  ASSERT_NE(second, std::string::npos);
  EXPECT_NE(text.find(" 400:", second + 1), std::string::npos);
  EXPECT_TRUE(text.ends_with(" 200:cached ")) << text;
}

TEST_F(DispatchTest, AnEmptyBatchIsAnswered) {
  EXPECT_EQ(Send(Verb::kPost, "", "").status, 200);
}

TEST_F(DispatchTest, ManyEntriesNeedNoMoreThreadsThanThereAre) {
  std::string body;
  std::string expected;
  for (int i = 0; i < 5'000; ++i) {
    body += (i % 2 == 0 ? "read/x" : "read/cached") + std::string("\n");
    expected += i % 2 == 0 ? "200:read x " : "200:cached ";
  }
  EXPECT_EQ(Send(Verb::kPost, "", body).body.Flatten(), expected);
}

TEST_F(DispatchTest, ABatchReadsNoMoreWhenItsAnswersAreTooLong) {
  std::string body;
  constexpr std::size_t kEntries = kMaxBundleReplyBytes / kLargeBytes + 40;
  for (std::size_t i = 0; i < kEntries; ++i) body += "read/large\n";
  body += "read/a";
  const std::string text = Send(Verb::kPost, "", body).body.Flatten();
  EXPECT_TRUE(text.starts_with("200:large"));
  EXPECT_LT(text.size(), kMaxBundleReplyBytes + 34 * kLargeBytes);  // Lanes run at once.
  const std::size_t last = text.rfind(" 403:");
  ASSERT_NE(last, std::string::npos);
  EXPECT_NE(text.find("too-costly", last), std::string::npos);
}

}  // namespace
}  // namespace server
