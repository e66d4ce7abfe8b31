// tests/integration/server/in_process_server.h
//
// Handlers on a real store in memory, without sockets and coroutines: what the
// dispatcher does, one step after the other on the test's thread.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "fhir/json/document.h"
#include "fhir/search/registry.h"
#include "server/routing/handler.h"

namespace server {

inline constexpr std::string_view kBase = "http://localhost:8080/fhir";

// One header field, the others empty.
inline RequestHeaders With(std::string RequestHeaders::* field, std::string value) {
  RequestHeaders headers;
  headers.*field = std::move(value);
  return headers;
}

// A reply with its body parsed.
struct Answer {
  Reply reply;
  std::string body;
  std::unique_ptr<fhir::json::Document> document;  // Null if the body is empty.

  int Status() const { return reply.status; }
  fhir::json::Value Root() const {
    return document == nullptr ? fhir::json::Value() : document->Root();
  }
  // By member names and item numbers: At("entry", "0", "resource"). None if there is no such value.
  template <class... Steps>
  fhir::json::Value At(Steps... steps) const {
    fhir::json::Value value = Root();
    ((value = Step(value, steps)), ...);
    return value;
  }
  // The text of that value; empty if there is none.
  template <class... Steps>
  std::string Text(Steps... steps) const {
    const fhir::json::Value value = At(steps...);
    return value.IsNone() ? std::string() : std::string(value.Text());
  }
  std::size_t EntryCount() const;
  // "Patient/x" of each entry's resource, in order.
  std::vector<std::string> Entries() const;
  // The url of a link, from Bundle.link. Empty: none.
  std::string Link(std::string_view relation) const;

 private:
  static fhir::json::Value Step(const fhir::json::Value& value, std::string_view step);
};

class InProcessServer : public testing::Test {
 protected:
  InProcessServer();
  // With search parameters of its own; `registry` outlives the server.
  explicit InProcessServer(const fhir::search::Registry* registry);

  Answer Do(Request request);
  Answer Do(Verb verb, std::string_view path_and_query, std::string body = {},
            RequestHeaders headers = {});
  Answer Get(std::string_view path_and_query) { return Do(Verb::kGet, path_and_query); }
  // GET of an absolute link below kBase.
  Answer Follow(std::string_view url);
  Answer Post(std::string_view path, std::string body, RequestHeaders headers = {}) {
    return Do(Verb::kPost, path, std::move(body), std::move(headers));
  }
  Answer Put(std::string_view path, std::string body, RequestHeaders headers = {}) {
    return Do(Verb::kPut, path, std::move(body), std::move(headers));
  }
  Answer Delete(std::string_view path, RequestHeaders headers = {}) {
    return Do(Verb::kDelete, path, {}, std::move(headers));
  }

  // Builds the indexes of own search parameters from now on.
  void StartBuilding(std::uint32_t resources_per_second);

  // Called once between the next preparation and its commit.
  std::function<void()> before_commit_;

  Context context_;
  int broad_reads_ = 0;  // That read_narrow left to read.
  std::int64_t now_ms_ =
      1'796'083'200'000;  // 2026-12-01T00:00:00Z; each request is a second later.

 private:
  Reply Dispatch(const Request& request);
  fhir::Result<Reply> Answered(const Request& request);
  fhir::Result<Reply> Prepare(const Request& request, const Route& route);
  storage::CommitResult Commit(std::unique_ptr<storage::Transaction> transaction);

  IdGenerator ids_;
  std::unique_ptr<storage::Store> store_;
};

}  // namespace server
