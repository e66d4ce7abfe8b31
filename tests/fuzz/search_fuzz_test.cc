// Every search parameter of every type against a store: the executor on postings must agree with
// Matches() on each resource's entries, and nothing that a query string says may break anything.
#include <algorithm>
#include <future>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "fhir/json/document.h"
#include "fhir/model/stored_form.h"
#include "fhir/search/extract.h"
#include "fhir/search/query.h"
#include "fhir/search/registry.h"
#include "fhir/validation/structure.h"
#include "storage/store.h"
#include "tests/fuzz/random.h"
#include "tests/fuzz/resource_generator.h"
#include "tests/fuzz/search_generator.h"

namespace fuzz {
namespace {

using fhir::definitions::SearchType;
using fhir::search::Expression;
using fhir::search::IndexEntries;
using fhir::search::SearchParameter;

constexpr std::int64_t kNowMs = 1'796'083'200'000;  // 2026-12-01T00:00:00Z
constexpr int kResourcesOfAType = 4;

// What the store holds, as entries by type and id.
using Model = std::map<std::string, std::map<std::string, IndexEntries>, std::less<>>;

class SearchFuzzTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    registry_ = fhir::search::Registry::BuildR4().release();
    auto store = storage::Store::Open({.in_memory = true, .referential_integrity = false},
                                      registry_, [](const std::string&) {});
    ASSERT_TRUE(store.has_value());
    store_ = store->release();
    for (const std::string_view type : ResourceTypes()) {
      for (int i = 0; i < kResourcesOfAType; ++i) Put(type, i, static_cast<std::uint64_t>(i));
    }
  }
  static void TearDownTestSuite() {
    delete std::exchange(store_, nullptr);
    delete std::exchange(registry_, nullptr);
    model_.clear();
  }

  static void Commit(storage::Write write) {
    auto transaction = std::make_unique<storage::Transaction>();
    transaction->instant_ms = kNowMs;
    transaction->writes.push_back(std::move(write));
    std::promise<storage::CommitResult> result;
    ASSERT_TRUE(store_
                    ->Submit(std::move(transaction),
                             [&](storage::CommitResult r) { result.set_value(std::move(r)); })
                    .has_value());
    EXPECT_EQ(result.get_future().get().status, storage::CommitResult::Status::kCommitted);
  }

  static void Put(std::string_view type, int number, std::uint64_t seed) {
    const std::string id = std::to_string(number);
    const auto document = fhir::json::Document::Parse(MaximalResource(type, id, seed));
    ASSERT_TRUE(document.has_value());
    const auto inspection = fhir::validation::InspectResource(document->Root());
    storage::Write write;
    write.kind = storage::Write::Kind::kPut;
    write.type = type;
    write.id = id;
    write.form = fhir::model::MakeStoredForm(document->Root(), id, inspection.sites, {});
    ASSERT_TRUE(fhir::search::ExtractEntries(*registry_, {}, document->Root(), {}, write.form,
                                             &write.entries)
                    .has_value());
    model_[std::string(type)][id] = write.entries;
    Commit(std::move(write));
  }

  static void Delete(std::string_view type, int number) {
    storage::Write write;
    write.kind = storage::Write::Kind::kDelete;
    write.type = type;
    write.id = std::to_string(number);
    model_[std::string(type)].erase(write.id);
    Commit(std::move(write));
  }

  static fhir::Result<fhir::search::Query> Parse(std::string_view type,
                                                 const fhir::search::Parameters& parameters,
                                                 bool lenient = false) {
    fhir::search::QueryOptions options;
    options.lenient = lenient;
    options.base_url = "http://here/fhir";
    options.now_us = kNowMs * 1000;
    return fhir::search::ParseQuery(*registry_, type, parameters, options);
  }

  // Searches, checks the answer's parts against one another, and returns the ids in order.
  static std::vector<std::string> Run(const fhir::search::Query& query,
                                      const storage::Snapshot& snapshot) {
    const auto all = store_->Search(snapshot, query.type, query.where, query.sort,
                                    {.offset = 0, .limit = 1000}, {});
    EXPECT_TRUE(all.has_value());
    if (!all) return {};
    EXPECT_EQ(all->total, all->documents.size());
    EXPECT_FALSE(all->has_next);
    const auto count = store_->Count(snapshot, query.type, query.where, {});
    EXPECT_TRUE(count.has_value() && *count == all->documents.size());
    const auto page = store_->Search(snapshot, query.type, query.where, query.sort,
                                     {.offset = 1, .limit = 2, .want_total = false}, {});
    EXPECT_TRUE(page.has_value());
    const std::size_t begin = std::min<std::size_t>(1, all->documents.size());
    const std::size_t end = std::min<std::size_t>(3, all->documents.size());
    if (page) {
      EXPECT_EQ(page->documents, std::vector(all->documents.begin() + static_cast<long>(begin),
                                             all->documents.begin() + static_cast<long>(end)));
      EXPECT_EQ(page->has_next, all->documents.size() > 3);
    }
    std::vector<std::string> ids(all->documents.size());
    EXPECT_TRUE(store_
                    ->ReadDocuments(snapshot, query.type, all->documents, /*in_order=*/false,
                                    [&](std::size_t i, const storage::ResourceView& view) {
                                      ids[i] = view.id;
                                      return true;
                                    })
                    .has_value());
    return ids;
  }

  static std::set<std::string> MatchesOf(const fhir::search::Query& query) {
    std::set<std::string> ids;
    for (const auto& [id, entries] : model_[query.type]) {
      if (fhir::search::Matches(query.where, {id, kNowMs * 1000, &entries})) ids.insert(id);
    }
    return ids;
  }

  // Returns how many match; nothing if the query is refused.
  static std::optional<std::size_t> Check(std::string_view type, const std::string& name,
                                          const std::string& value) {
    SCOPED_TRACE(std::string(type) + "?" + name + "=" + value);
    const auto query = Parse(type, {{name, value}});
    if (!query) {
      EXPECT_TRUE(query.error().http_status == 400 || query.error().http_status == 403);
      return std::nullopt;
    }
    const std::vector<std::string> ids = Run(*query, *store_->Latest());
    const std::set<std::string> found(ids.begin(), ids.end());
    EXPECT_EQ(found.size(), ids.size());
    if (fhir::search::IsLocal(query->where)) EXPECT_EQ(found, MatchesOf(*query));
    return ids.size();
  }

  static const fhir::search::Registry* registry_;
  static storage::Store* store_;
  static Model model_;
};

const fhir::search::Registry* SearchFuzzTest::registry_ = nullptr;
storage::Store* SearchFuzzTest::store_ = nullptr;
Model SearchFuzzTest::model_;

constexpr std::string_view kModifiers[] = {"missing", "not",        "exact",   "contains", "below",
                                           "above",   "identifier", "Patient", "text",     ""};

TEST_F(SearchFuzzTest, TheExecutorAgreesWithMatchesForEveryParameterOfEveryType) {
  Random random(3);
  std::size_t searches = 0;
  std::size_t hits = 0;
  for (const std::string_view type : ResourceTypes()) {
    for (const SearchParameter& parameter : registry_->ParametersOf(type)) {
      for (int i = 0; i < Rounds(3); ++i) {
        std::string value = RandomSearchValue(&random, parameter.type, parameter.components);
        if (random.OneIn(8))
          value += "," + RandomSearchValue(&random, parameter.type, parameter.components);
        const auto found = Check(type, parameter.code, value);
        searches += found ? 1 : 0;
        hits += found && *found > 0 ? 1 : 0;
      }
      Check(type, parameter.code + ":missing", random.OneIn(2) ? "true" : "false");
      const std::string modifier(random.Pick(kModifiers));
      Check(type, parameter.code + ":" + modifier,
            RandomSearchValue(&random, parameter.type, parameter.components));
    }
  }
  // Or the test tests nothing.
  EXPECT_GT(searches, 3'000U);
  EXPECT_GT(hits, searches / 10);
}

TEST_F(SearchFuzzTest, ASortByAnyParameterAnswersEachMatchOnce) {
  Random random(4);
  for (const std::string_view type : ResourceTypes()) {
    for (const SearchParameter& parameter : registry_->ParametersOf(type)) {
      std::string sort = (random.OneIn(2) ? "-" : "") + parameter.code;
      if (random.OneIn(2)) sort += ",-" + random.Pick(registry_->ParametersOf(type)).code;
      SCOPED_TRACE(std::string(type) + "?_sort=" + sort);
      const auto query = Parse(type, {{"_sort", sort}});
      if (!query) continue;
      const std::vector<std::string> ids = Run(*query, *store_->Latest());
      EXPECT_EQ(std::set(ids.begin(), ids.end()), MatchesOf(*query));
    }
  }
}

TEST_F(SearchFuzzTest, RandomChainsAreRefusedOrAnswered) {
  Random random(5);
  const std::vector<std::string_view> types = ResourceTypes();
  const auto code_of = [&](std::string_view type) {
    const auto parameters = registry_->ParametersOf(type);
    return parameters.empty() ? std::string("_id") : random.Pick(parameters).code;
  };
  std::size_t answered = 0;
  for (int i = 0; i < Rounds(3'000); ++i) {
    const std::string_view type = random.Pick(types);
    std::string name;
    std::string_view at = type;
    for (std::size_t steps = 1 + random.Below(3); steps > 0; --steps) {
      const auto parameters = registry_->ParametersOf(at);
      std::vector<const SearchParameter*> references;
      for (const SearchParameter& parameter : parameters) {
        if (parameter.type == SearchType::kReference) references.push_back(&parameter);
      }
      if (references.empty()) break;
      const SearchParameter& reference = *random.Pick(references);
      if (random.OneIn(3)) {
        at = random.Pick(types);
        name += "_has:" + std::string(at) + ":" + code_of(at) + ":";
      } else {
        if (reference.targets.empty()) break;
        at = random.Pick(reference.targets);
        name += reference.code + (random.OneIn(2) ? ":" + std::string(at) : "") + ".";
      }
    }
    name += random.OneIn(4) ? "_id" : code_of(at);
    const SearchParameter* last = registry_->Find(at, name.substr(name.find_last_of(".:") + 1));
    const SearchType value_type = last == nullptr ? SearchType::kToken : last->type;
    answered += Check(type, name, RandomSearchValue(&random, value_type, {})) ? 1 : 0;
  }
  EXPECT_GT(answered, 200U);
}

TEST_F(SearchFuzzTest, RandomQueryStringsAreRefusedOrAnswered) {
  static constexpr std::string_view kPieces[] = {"&",
                                                 "=",
                                                 ",",
                                                 ":",
                                                 "|",
                                                 "$",
                                                 "\\",
                                                 ".",
                                                 "_sort=",
                                                 "_id=",
                                                 "-",
                                                 "%00",
                                                 "%2C",
                                                 "%",
                                                 "_has:",
                                                 "_count=",
                                                 "_total",
                                                 "code",
                                                 "date",
                                                 "subject",
                                                 ":missing=",
                                                 "_elements",
                                                 ":not=",
                                                 "_lastUpdated=",
                                                 "ge",
                                                 "2020",
                                                 "1e9999",
                                                 "\xff",
                                                 "name",
                                                 "%F0%9F",
                                                 "Patient",
                                                 ":contains=",
                                                 "true",
                                                 "_summary",
                                                 "identifier",
                                                 "value-quantity",
                                                 "code-value-quantity",
                                                 "1|x|y",
                                                 "a$b"};
  Random random(6);
  const std::vector<std::string_view> types = ResourceTypes();
  for (int i = 0; i < Rounds(10'000); ++i) {
    const std::string_view type = random.OneIn(2) ? "Observation" : random.Pick(types);
    std::string text;
    for (std::size_t n = 1 + random.Below(8); n > 0; --n) text += random.Pick(kPieces);
    if (random.OneIn(2)) MutateBytes(&random, &text);
    SCOPED_TRACE(text);
    const auto parameters = fhir::search::DecodeParameters(text);
    if (!parameters) continue;
    const auto query = Parse(type, *parameters, random.OneIn(2));
    if (!query) continue;
    const std::vector<std::string> ids = Run(*query, *store_->Latest());
    if (!fhir::search::IsLocal(query->where)) continue;
    EXPECT_EQ(std::set(ids.begin(), ids.end()), MatchesOf(*query));
  }
}

TEST_F(SearchFuzzTest, RandomFiltersAreRefusedOrAnsweredAsMatchesSays) {
  Random random(8);
  const std::vector<std::string_view> types = ResourceTypes();
  std::size_t answered = 0;
  std::size_t hits = 0;
  for (int i = 0; i < Rounds(6'000); ++i) {
    const std::string_view type = random.Pick(types);
    const std::string filter = RandomFilter(&random, *registry_, type, i % 3);
    const auto found = Check(type, "_filter", filter);
    answered += found ? 1 : 0;
    hits += found && *found > 0 ? 1 : 0;
    const auto negated = found ? Check(type, "_filter", "not (" + filter + ")") : std::nullopt;
    if (negated) EXPECT_EQ(*found + *negated, model_[std::string(type)].size()) << filter;
  }
  EXPECT_GT(answered, 1'500U);
  EXPECT_GT(hits, answered / 10);
}

TEST_F(SearchFuzzTest, BrokenFiltersAreRefusedOrAnswered) {
  static constexpr std::string_view kPieces[] = {
      " ",     "(",    ")",    "[",       "]",    ".",        ":",     "\"",  "\\", "not",
      "and",   "or",   " eq ", " pr ",    " ne ", " co ",     "true",  "a",   "1",  "code",
      "date",  "name", "2020", "subject", "\xff", "\xC2\xA0", "\\u12", "_id", "|",  "Patient",
      "value", "0",    " po ", " in ",    "not(", " and ",    " or ",  "\t",  "_",  "é"};
  Random random(9);
  const std::vector<std::string_view> types = ResourceTypes();
  for (int i = 0; i < Rounds(10'000); ++i) {
    const std::string_view type = random.OneIn(2) ? "Observation" : random.Pick(types);
    std::string text;
    if (random.OneIn(2)) {
      text = RandomFilter(&random, *registry_, type, 2);
      MutateBytes(&random, &text);
    } else {
      for (std::size_t n = 1 + random.Below(12); n > 0; --n) text += random.Pick(kPieces);
    }
    Check(type, "_filter", text);
  }
}

TEST_F(SearchFuzzTest, AnOldSnapshotAnswersAsItDidThen) {
  Random random(7);
  std::vector<std::pair<fhir::search::Query, std::vector<std::string>>> before;
  const std::vector<std::string_view> types = ResourceTypes();
  while (before.size() < 300) {
    const std::string_view type = random.Pick(types);
    const auto parameters = registry_->ParametersOf(type);
    const SearchParameter& parameter = random.Pick(parameters);
    auto query = Parse(
        type, {{parameter.code, RandomSearchValue(&random, parameter.type, parameter.components)}});
    if (!query || !IsLocal(query->where)) continue;  // _list
    std::vector<std::string> ids = Run(*query, *store_->Latest());
    before.emplace_back(*std::move(query), std::move(ids));
  }
  const std::uint64_t t = storage::TransactionOf(*store_->Latest());
  for (const std::string_view type : types) {
    Put(type, static_cast<int>(random.Below(kResourcesOfAType)), 100);
    Delete(type, static_cast<int>(random.Below(kResourcesOfAType)));
    Put(type, kResourcesOfAType, 101);
  }
  const auto old = store_->At(t);
  ASSERT_TRUE(old.has_value());
  for (const auto& [query, ids] : before) {
    EXPECT_EQ(Run(query, **old), ids) << query.type << " " << query.applied.front().second;
    const std::vector<std::string> now = Run(query, *store_->Latest());
    EXPECT_EQ(std::set(now.begin(), now.end()), MatchesOf(query));
  }
}

}  // namespace
}  // namespace fuzz
