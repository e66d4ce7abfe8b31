// tests/random/comparison.h
//
// One search, answered by a server and by reference::NaiveStore: what differs.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "tests/e2e/http_client.h"
#include "tests/random/query_maker.h"
#include "tests/reference/naive_store.h"

namespace random_search {

struct Result {
  std::string difference;    // Empty: none.
  std::size_t expected = 0;  // Matches.
};

// Thread-safety: single-owner.
class Comparison {
 public:
  // `store` has what the server at `port` has, and outlives this.
  Comparison(int port, reference::NaiveStore* store) : client_(port), store_(store) {}

  // Walks all pages of the answer, unless it is very broad: then total and two pages are compared.
  Result Compare(const Query& query);

  // The same with as little as still differs.
  Query Reduced(Query query);

 private:
  // A page, with those on which its includes go on.
  struct Page {
    std::set<std::string> matches;
    std::vector<std::string> includes;
    bool goes_on = false;
  };
  struct Answer {
    std::vector<std::string> matches;  // In order.
    std::vector<Page> pages;
    std::vector<long> totals;  // Of each page.
    std::string failure;       // Not answered: why.
  };

  std::set<std::string> Expected(const Query& query);
  std::string Difference(const Query& query, const std::set<std::string>& expected);
  std::string IncludeProblem(const Query& query, const Answer& answer);
  std::string OrderProblem(const Query& query, const std::vector<std::string>& matches);
  Answer Ask(const std::string& url, bool ids_only, std::size_t count, int max_pages);
  static void Read(const fhir::json::Document& page, Answer* answer);
  bool Take(Query* query, Query less);

  e2e::HttpClient client_;
  reference::NaiveStore* store_;
};

}  // namespace random_search
