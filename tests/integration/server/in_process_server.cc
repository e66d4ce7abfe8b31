#include "tests/integration/server/in_process_server.h"

#include <future>
#include <utility>

#include "fhir/search/extract.h"

namespace server {
namespace {

// Built once: it takes longer than a test.
const fhir::search::Registry* SharedRegistry() {
  static const std::unique_ptr<const fhir::search::Registry> registry =
      fhir::search::Registry::BuildR4();
  return registry.get();
}

}  // namespace

std::size_t Answer::EntryCount() const {
  const fhir::json::Value entries = At("entry");
  std::size_t count = 0;
  if (entries.IsNone()) return 0;
  for ([[maybe_unused]] const fhir::json::Value entry : entries.Children()) ++count;
  return count;
}

std::vector<std::string> Answer::Entries() const {
  std::vector<std::string> found;
  const fhir::json::Value entries = At("entry");
  if (entries.IsNone()) return found;
  for (const fhir::json::Value entry : entries.Children()) {
    const fhir::json::Value resource = entry.Find("resource");
    found.push_back(std::string(resource.Find("resourceType").StringOrEmpty()) + "/" +
                    std::string(resource.Find("id").StringOrEmpty()));
  }
  return found;
}

std::string Answer::Link(std::string_view relation) const {
  const fhir::json::Value links = At("link");
  if (links.IsNone()) return {};
  for (const fhir::json::Value link : links.Children()) {
    if (link.Find("relation").Text() == relation) return std::string(link.Find("url").Text());
  }
  return {};
}

fhir::json::Value Answer::Step(const fhir::json::Value& value, std::string_view step) {
  if (!value.IsArray()) return value.Find(step);
  std::size_t index = std::stoul(std::string(step));
  for (const fhir::json::Value item : value.Children()) {
    if (index-- == 0) return item;
  }
  return {};
}

InProcessServer::InProcessServer() : InProcessServer(SharedRegistry()) {}

InProcessServer::InProcessServer(const fhir::search::Registry* registry) {
  storage::StoreOptions options;
  options.in_memory = true;
  auto store = storage::Store::Open(options, registry, [](const std::string&) {});
  EXPECT_TRUE(store.has_value()) << store.error().log_detail;
  store_ = *std::move(store);
  context_.store = store_.get();
  context_.ids = &ids_;
  context_.base_url = kBase;
}

void InProcessServer::StartBuilding(std::uint32_t resources_per_second) {
  store_->StartBuilding({.resources_per_second = resources_per_second,
                         .extract =
                             [](const fhir::search::ExtractionPlan& plan, std::string_view json,
                                fhir::search::IndexEntries* entries) {
                               const fhir::search::ExtractOptions options{fhir::TimeZone::Utc(),
                                                                          std::string(kBase)};
                               return ExtractStored(plan, options, json, entries);
                             },
                         .log = [](const std::string&) {}});
}

Answer InProcessServer::Do(Verb verb, std::string_view path_and_query, std::string body,
                           RequestHeaders headers) {
  const std::size_t question = path_and_query.find('?');
  Request request;
  request.verb = verb;
  request.path = path_and_query.substr(0, question);
  if (question != std::string_view::npos) request.query = path_and_query.substr(question + 1);
  request.headers = std::move(headers);
  request.body = std::move(body);
  return Do(std::move(request));
}

Answer InProcessServer::Do(Request request) {
  request.base_url = kBase;
  request.received_ms = now_ms_;
  now_ms_ += 1000;
  Answer answer;
  answer.reply = Dispatch(request);
  answer.body = answer.reply.body.Flatten();
  if (answer.body.empty()) return answer;
  auto document = fhir::json::Document::Parse(answer.body);
  EXPECT_TRUE(document.has_value()) << answer.body;
  if (document) {
    answer.document = std::make_unique<fhir::json::Document>(*std::move(document));
  }
  return answer;
}

Answer InProcessServer::Follow(std::string_view url) {
  EXPECT_TRUE(url.starts_with(kBase)) << url;
  url.remove_prefix(std::min(kBase.size(), url.size()));
  if (url.starts_with('/')) url.remove_prefix(1);
  return Get(url);
}

Reply InProcessServer::Dispatch(const Request& request) {
  fhir::Result<Reply> reply = Answered(request);
  return reply ? *std::move(reply) : ReplyOf(reply.error());
}

fhir::Result<Reply> InProcessServer::Answered(const Request& request) {
  FHIR_TRY(route, FindRoute(request));
  const Handler& handler = *route.handler;
  if (handler.read == nullptr) return Prepare(request, route);
  if (handler.try_read != nullptr) {
    if (auto reply = handler.try_read(request, route.parameters, context_)) {
      return *std::move(reply);
    }
  }
  if (handler.read_narrow != nullptr) {
    FHIR_TRY(reply, handler.read_narrow(request, route.parameters, context_));
    if (reply) return *std::move(reply);
    ++broad_reads_;
  }
  return handler.read(request, route.parameters, context_);
}

fhir::Result<Reply> InProcessServer::Prepare(const Request& request, const Route& route) {
  for (int attempt = 0; attempt < 16; ++attempt) {
    FHIR_TRY(prepared, route.handler->prepare(request, route.parameters, context_));
    if (auto* reply = std::get_if<Reply>(&prepared)) return std::move(*reply);
    if (auto* plan = std::get_if<BatchPlan>(&prepared)) {
      std::vector<Reply> replies;
      replies.reserve(plan->entries.size());
      for (const BatchPlan::Entry& entry : plan->entries) {
        replies.push_back(entry.error ? ReplyOf(*entry.error) : Dispatch(entry.request));
      }
      return BatchResponse(replies);
    }
    if (before_commit_) std::exchange(before_commit_, nullptr)();
    auto& write = std::get<PreparedWrite>(prepared);
    const storage::CommitResult result = Commit(std::move(write.transaction));
    if (result.status != storage::CommitResult::Status::kStale) return write.answer(result);
  }
  return fhir::Fail(fhir::TooBusy("always stale"));
}

storage::CommitResult InProcessServer::Commit(std::unique_ptr<storage::Transaction> transaction) {
  std::promise<storage::CommitResult> committed;
  const auto submitted = store_->Submit(std::move(transaction), [&](storage::CommitResult result) {
    committed.set_value(std::move(result));
  });
  EXPECT_TRUE(submitted.has_value());
  return committed.get_future().get();
}

}  // namespace server
