// tests/e2e/fhir_client.h
//
// What a FHIR client says and reads, over tests/e2e/http_client.h, and a fixture with one server
// in memory for all tests of a suite.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "fhir/json/document.h"
#include "tests/e2e/http_client.h"
#include "tests/e2e/server_process.h"

namespace e2e {

// An answer with its body parsed.
struct Answer {
  HttpResponse http;
  std::unique_ptr<const fhir::json::Document> document;  // Null if the body is empty or no JSON.

  int Status() const { return http.status; }
  std::string Header(std::string_view lower_case_name) const {
    return http.Header(lower_case_name);
  }
  fhir::json::Value Root() const {
    return document == nullptr ? fhir::json::Value() : document->Root();
  }
  // By names and item numbers: "entry.0.resource". None if there is no such value.
  fhir::json::Value At(std::string_view path) const;
  // The text of that value; empty if there is none.
  std::string Text(std::string_view path) const;
  // Items of an array; 0 if there is none.
  std::size_t Size(std::string_view path) const;
  // Bundle.total, or -1.
  long Total() const;
  // Ids of the entries that match, in order.
  std::vector<std::string> Ids() const;
  // The url of that link, or empty.
  std::string Link(std::string_view relation) const;
  // The expressions of all issues, in order.
  std::vector<std::string> Expressions() const;
  // The id that a Location names: of a response, or of a bundle's entry.
  std::string LocatedId() const;
  std::string LocatedId(std::size_t entry) const;
};

// Thread-safety: one thread.
class FhirClient {
 public:
  explicit FhirClient(int port);

  // `target`: below the base ("Patient?_count=1"), or a link of this server.
  Answer Get(std::string_view target, const Headers& headers = {});
  Answer Post(std::string_view target, std::string_view json, Headers headers = {});
  Answer Put(std::string_view target, std::string_view json, Headers headers = {});
  Answer Delete(std::string_view target, const Headers& headers = {});
  Answer Send(std::string_view method, std::string_view target, std::string_view body,
              const Headers& headers);

  // POST of a resource, whose type is in it; the new id.
  std::string Create(std::string_view json);
  // Bundle.total of a search, which must be answered 200.
  long Count(std::string_view query);
  // Ids of all pages of a search.
  std::vector<std::string> Walk(std::string_view query);

  const std::string& Base() const { return base_; }

 private:
  HttpClient http_;
  std::string base_;  // http://localhost:port/fhir
};

// One entry of a batch or transaction; without `resource` if that is empty, `more` are further
// members of the request: R"("ifMatch":"W/\"1\"")".
std::string Entry(std::string_view method, std::string_view url, std::string_view resource = {},
                  std::string_view full_url = {}, std::string_view more = {});
std::string BundleOf(std::string_view type, const std::vector<std::string>& entries);

// Runs `task` in `count` threads at once.
void InParallel(std::size_t count, const std::function<void(std::size_t index)>& task);

class ServerTest : public testing::Test {
 protected:
  static void SetUpTestSuite() { StartServer({}); }
  static void TearDownTestSuite();
  static void StartServer(ServerProcess::Settings settings);
  void SetUp() override;

  static int Port() { return server_->Port(); }
  // Connected to the server of the suite.
  FhirClient& Client() { return *client_; }

 private:
  static ServerProcess* server_;
  std::unique_ptr<FhirClient> client_;
};

}  // namespace e2e
