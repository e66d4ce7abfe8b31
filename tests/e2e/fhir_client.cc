#include "tests/e2e/fhir_client.h"

#include <cctype>
#include <cstdlib>
#include <latch>
#include <thread>
#include <utility>

namespace e2e {
namespace {

using fhir::json::Document;
using fhir::json::Value;

constexpr const char* kJson = "application/fhir+json";

Value Step(const Value& value, const std::string& step) {
  if (!value.IsArray()) return value.Find(step);
  std::size_t index = std::stoul(step);
  for (const Value item : value.Children()) {
    if (index-- == 0) return item;
  }
  return {};
}

// ".../Patient/x/_history/1" -> "x"
std::string IdOfLocation(std::string location) {
  location = location.substr(0, location.find("/_history/"));
  return location.substr(location.rfind('/') + 1);
}

Answer Parsed(HttpResponse response) {
  Answer answer;
  answer.http = std::move(response);
  auto document = Document::Parse(answer.http.body);
  if (document) answer.document = std::make_unique<const Document>(*std::move(document));
  return answer;
}

void AddContentType(Headers* headers) {
  for (const auto& [name, value] : *headers) {
    if (name == "Content-Type") return;
  }
  headers->emplace_back("Content-Type", kJson);
}

}  // namespace

Value Answer::At(std::string_view path) const {
  Value value = Root();
  while (!path.empty() && !value.IsNone()) {
    const std::size_t dot = std::min(path.find('.'), path.size());
    value = Step(value, std::string(path.substr(0, dot)));
    path.remove_prefix(std::min(dot + 1, path.size()));
  }
  return value;
}

std::string Answer::Text(std::string_view path) const {
  const Value value = At(path);
  return value.IsNone() ? std::string() : std::string(value.Text());
}

std::size_t Answer::Size(std::string_view path) const {
  const Value list = At(path);
  std::size_t count = 0;
  if (!list.IsArray()) return 0;
  for ([[maybe_unused]] const Value item : list.Children()) ++count;
  return count;
}

long Answer::Total() const {
  const std::string total = Text("total");
  return total.empty() ? -1 : std::strtol(total.c_str(), nullptr, 10);
}

std::vector<std::string> Answer::Ids() const {
  std::vector<std::string> ids;
  const Value entries = At("entry");
  if (entries.IsNone()) return ids;
  for (const Value entry : entries.Children()) {
    if (entry.Find("search").Find("mode").StringOrEmpty() == "outcome") continue;
    ids.emplace_back(entry.Find("resource").Find("id").StringOrEmpty());
  }
  return ids;
}

std::string Answer::Link(std::string_view relation) const {
  const Value links = At("link");
  if (links.IsNone()) return {};
  for (const Value link : links.Children()) {
    if (link.Find("relation").Text() == relation) return std::string(link.Find("url").Text());
  }
  return {};
}

std::vector<std::string> Answer::Expressions() const {
  std::vector<std::string> expressions;
  const Value issues = At("issue");
  if (issues.IsNone()) return expressions;
  for (const Value issue : issues.Children()) {
    const Value list = issue.Find("expression");
    if (!list.IsArray()) continue;
    for (const Value expression : list.Children()) expressions.emplace_back(expression.Text());
  }
  return expressions;
}

std::string Answer::LocatedId() const {
  return IdOfLocation(Header("location"));
}

std::string Answer::LocatedId(std::size_t entry) const {
  return IdOfLocation(Text("entry." + std::to_string(entry) + ".response.location"));
}

FhirClient::FhirClient(int port)
    : http_(port), base_("http://localhost:" + std::to_string(port) + "/fhir") {}

Answer FhirClient::Send(std::string_view method, std::string_view target, std::string_view body,
                        const Headers& headers) {
  if (target.starts_with(base_)) target.remove_prefix(base_.size());
  if (target.starts_with('/')) target.remove_prefix(1);
  std::string path = "/fhir";
  if (!target.empty()) path.append("/").append(target);
  return Parsed(http_.Send(method, path, body, headers));
}

Answer FhirClient::Get(std::string_view target, const Headers& headers) {
  return Send("GET", target, {}, headers);
}

Answer FhirClient::Post(std::string_view target, std::string_view json, Headers headers) {
  AddContentType(&headers);
  return Send("POST", target, json, headers);
}

Answer FhirClient::Put(std::string_view target, std::string_view json, Headers headers) {
  AddContentType(&headers);
  return Send("PUT", target, json, headers);
}

Answer FhirClient::Delete(std::string_view target, const Headers& headers) {
  return Send("DELETE", target, {}, headers);
}

std::string FhirClient::Create(std::string_view json) {
  const auto document = Document::Parse(json);
  if (!document) {
    ADD_FAILURE() << "the test's own resource is no JSON: " << json;
    return {};
  }
  const std::string type(document->Root().Find("resourceType").StringOrEmpty());
  const Answer answer = Post(type, json, {{"Prefer", "return=minimal"}});
  EXPECT_EQ(answer.Status(), 201) << answer.http.body;
  return answer.LocatedId();
}

long FhirClient::Count(std::string_view query) {
  const Answer answer = Get(query);
  EXPECT_EQ(answer.Status(), 200) << query << ": " << answer.http.body;
  return answer.Total();
}

std::vector<std::string> FhirClient::Walk(std::string_view query) {
  constexpr int kMaxPages = 1'000;
  std::vector<std::string> ids;
  std::string target(query);
  for (int page = 0; page < kMaxPages && !target.empty(); ++page) {
    const Answer answer = Get(target);
    EXPECT_EQ(answer.Status(), 200) << target << ": " << answer.http.body;
    for (std::string& id : answer.Ids()) ids.push_back(std::move(id));
    target = answer.Link("next");
  }
  EXPECT_EQ(target, "") << "the pages do not end";
  return ids;
}

std::string Entry(std::string_view method, std::string_view url, std::string_view resource,
                  std::string_view full_url, std::string_view more) {
  std::string entry = "{";
  if (!full_url.empty()) entry.append(R"("fullUrl":")").append(full_url).append("\",");
  if (!resource.empty()) entry.append(R"("resource":)").append(resource).append(",");
  entry.append(R"("request":{"method":")").append(method);
  entry.append(R"(","url":")").append(url).append("\"");
  if (!more.empty()) entry.append(",").append(more);
  return entry.append("}}");
}

std::string BundleOf(std::string_view type, const std::vector<std::string>& entries) {
  std::string bundle = R"({"resourceType":"Bundle","type":")";
  bundle.append(type).append("\"");
  for (std::size_t i = 0; i < entries.size(); ++i) {
    bundle.append(i == 0 ? R"(,"entry":[)" : ",").append(entries[i]);
  }
  return bundle.append(entries.empty() ? "}" : "]}");
}

void InParallel(std::size_t count, const std::function<void(std::size_t)>& task) {
  std::latch start(static_cast<std::ptrdiff_t>(count));
  std::vector<std::thread> threads;
  threads.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    threads.emplace_back([&, i] {
      start.arrive_and_wait();
      task(i);
    });
  }
  for (std::thread& thread : threads) thread.join();
}

ServerProcess* ServerTest::server_ = nullptr;

void ServerTest::StartServer(ServerProcess::Settings settings) {
  settings.emplace("STORAGE", "in-memory");
  server_ = ServerProcess::Start(std::move(settings)).release();
}

void ServerTest::TearDownTestSuite() {
  if (server_ != nullptr) EXPECT_EQ(server_->Stop(), 0) << server_->Log();
  delete server_;
  server_ = nullptr;
}

void ServerTest::SetUp() {
  ASSERT_NE(server_, nullptr);
  client_ = std::make_unique<FhirClient>(Port());
}

}  // namespace e2e
