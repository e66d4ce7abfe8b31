#include "tests/random/comparison.h"

#include <optional>

#include "tests/e2e/synthea_server.h"

namespace random_search {

using fhir::json::Document;
using fhir::json::Value;
using reference::NaiveStore;

namespace {

// Broader searches are checked by their total and two pages.
constexpr std::size_t kMaxWalked = 400;

std::string NameOf(const Value& resource) {
  return std::string(resource.Find("resourceType").Text()) + "/" +
         std::string(resource.Find("id").StringOrEmpty());
}

}  // namespace

Result Comparison::Compare(const Query& query) {
  const std::set<std::string> expected = Expected(query);
  return {Difference(query, expected), expected.size()};
}

std::set<std::string> Comparison::Expected(const Query& query) {
  std::set<std::string> expected;
  for (const std::string& type : query.types) {
    NaiveStore::Matches all(store_->Of(type).size(), 1);
    const auto narrow = [&](const NaiveStore::Matches& by) {
      for (std::size_t i = 0; i < all.size(); ++i) all[i] &= by[i];
    };
    if (!query.compartment.empty()) {
      narrow(store_->InCompartment(query.compartment, query.compartment_id, type));
    }
    for (const auto& condition : query.conditions) narrow(store_->Find(type, condition));
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (all[i] != 0) expected.insert(type + "/" + store_->IdOf(type, i));
    }
  }
  return expected;
}

std::string Comparison::Difference(const Query& query, const std::set<std::string>& expected) {
  const bool is_broad = expected.size() > kMaxWalked;
  const std::size_t count = is_broad ? 40 : query.includes.empty() ? expected.size() / 3 + 1 : 1000;
  const Answer answer = Ask(UrlOf(query), query.includes.empty(), count, is_broad ? 2 : 1000);
  if (!answer.failure.empty()) return answer.failure;
  for (const long total : answer.totals) {
    if (total != static_cast<long>(expected.size())) {
      return "total " + std::to_string(total) + " instead of " + std::to_string(expected.size());
    }
  }
  const std::set<std::string> found(answer.matches.begin(), answer.matches.end());
  if (found.size() != answer.matches.size()) return "a match comes twice";
  for (const std::string& name : found) {
    if (!expected.contains(name)) return name + " is found and should not be";
  }
  if (is_broad) return OrderProblem(query, answer.matches);
  for (const std::string& name : expected) {
    if (!found.contains(name)) return name + " is not found";
  }
  const std::string problem = IncludeProblem(query, answer);
  return problem.empty() ? OrderProblem(query, answer.matches) : problem;
}

std::string Comparison::IncludeProblem(const Query& query, const Answer& answer) {
  for (const Page& page : answer.pages) {
    const std::set<std::string> includes(page.includes.begin(), page.includes.end());
    if (includes.size() != page.includes.size()) return "a resource is included twice";
    if (includes != store_->IncludedBy(page.matches, query.includes)) {
      return "other resources are included";
    }
  }
  return {};
}

Query Comparison::Reduced(Query query) {
  for (bool is_smaller = true; is_smaller;) {
    is_smaller = false;
    for (std::size_t i = 0; i < query.conditions.size() && !is_smaller; ++i) {
      Query less = query;
      less.conditions.erase(less.conditions.begin() + static_cast<long>(i));
      is_smaller = Take(&query, std::move(less));
    }
    for (std::size_t i = 0; i < query.includes.size() && !is_smaller; ++i) {
      Query less = query;
      less.includes.erase(less.includes.begin() + static_cast<long>(i));
      is_smaller = Take(&query, std::move(less));
    }
    for (std::size_t i = 0; i < query.conditions.size() && !is_smaller; ++i) {
      for (std::size_t v = 0; query.conditions[i].values.size() > 1 && v < 2 && !is_smaller; ++v) {
        Query less = query;
        less.conditions[i].values.erase(less.conditions[i].values.begin() + static_cast<long>(v));
        is_smaller = Take(&query, std::move(less));
      }
    }
    if (!is_smaller && !query.sort.empty()) {
      Query less = query;
      less.sort.clear();
      is_smaller = Take(&query, std::move(less));
    }
  }
  return query;
}

bool Comparison::Take(Query* query, Query less) {
  if (Compare(less).difference.empty()) return false;
  *query = std::move(less);
  return true;
}

Comparison::Answer Comparison::Ask(const std::string& url, bool ids_only, std::size_t count,
                                   int max_pages) {
  Answer answer;
  std::string target = "/fhir/" + url + (url.find('?') == std::string::npos ? "?" : "&") +
                       "_count=" + std::to_string(count) + (ids_only ? "&_elements=id" : "");
  for (int pages = 0; !target.empty() && pages < max_pages; ++pages) {
    const auto response = client_.Send("GET", target);
    const auto page = Document::Parse(response.body);
    if (response.status != 200 || !page) {
      answer.failure =
          "answered " + std::to_string(response.status) + ": " + response.body.substr(0, 300);
      return answer;
    }
    answer.totals.push_back(e2e::TotalOf(*page));
    Read(*page, &answer);
    target = e2e::LinkOf(*page, "next");
  }
  return answer;
}

void Comparison::Read(const Document& page, Answer* answer) {
  if (answer->pages.empty() || !answer->pages.back().goes_on) answer->pages.emplace_back();
  Page& read = answer->pages.back();
  read.goes_on = false;
  const Value entries = page.Root().Find("entry");
  if (entries.IsNone()) return;
  for (const Value entry : entries.Children()) {
    const std::string_view mode = entry.Find("search").Find("mode").Text();
    const std::string name = NameOf(entry.Find("resource"));
    if (mode == "match") answer->matches.push_back(name);
    if (mode == "match") read.matches.insert(name);
    if (mode == "include") read.includes.push_back(name);
    if (mode == "outcome") read.goes_on = true;
  }
}

std::string Comparison::OrderProblem(const Query& query, const std::vector<std::string>& matches) {
  if (query.sort.empty()) return {};
  const std::string& type = query.types.front();
  std::optional<std::string> last;
  bool is_behind = false;
  for (const std::string& name : matches) {
    const auto key =
        store_->SortKey(type, query.sort, query.descending, name.substr(type.size() + 1));
    const bool is_out_of_order = key && last && (query.descending ? *key > *last : *key < *last);
    if ((key && is_behind) || is_out_of_order) return name + " is out of order";
    is_behind = is_behind || !key;
    last = key;
  }
  return {};
}

}  // namespace random_search
