#include "server/interactions/explanation.h"

#include <algorithm>
#include <cstdio>
#include <span>
#include <utility>
#include <vector>

#include "fhir/base/time.h"
#include "fhir/search/registry.h"
#include "server/interactions/search_cost.h"
#include "server/routing/outcome.h"

namespace server {
namespace {

using fhir::search::Expression;
using fhir::search::IndexId;
using fhir::search::SortKey;

constexpr std::size_t kMaxNamedIndexes = 4;

std::string Milliseconds(std::chrono::nanoseconds time) {
  char text[32];
  const int size = std::snprintf(text, sizeof text, "%.3f ms",
                                 std::chrono::duration<double, std::milli>(time).count());
  return {text, static_cast<std::size_t>(std::max(size, 0))};
}

// "1 key", "2 keys".
std::string Counted(std::uint64_t count, const std::string& noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

// The instant at `us`, or `open` where there is no such year.
std::string Instant(std::int64_t us, const std::string& open) {
  constexpr std::int64_t kEarliestUs = -62'135'596'800'000'000;  // 0001-01-01
  constexpr std::int64_t kLatestUs = 253'402'300'799'999'999;    // 9999-12-31
  return us < kEarliestUs || us > kLatestUs ? open : fhir::FormatInstant(us / 1000);
}

class Describer {
 public:
  explicit Describer(const fhir::search::Registry& registry) : registry_(registry) {}

  std::string Of(const Expression& expression) const {
    switch (expression.kind) {
      case Expression::Kind::kAll: return "all";
      case Expression::Kind::kNone: return "nothing";
      case Expression::Kind::kValues: return OfValues(expression);
      case Expression::Kind::kIds: return Counted(expression.ids.size(), "id");
      case Expression::Kind::kLastUpdated:
        return "written from " + Instant(expression.from_us, "ever") + " until " +
               Instant(expression.to_us, "now");
      case Expression::Kind::kAnd: return "and, the cheapest first";
      case Expression::Kind::kOr: return "or";
      case Expression::Kind::kNot: return "not";
      case Expression::Kind::kChain:
        return "refers by " + Indexes(expression.references) + " to " + expression.type;
      case Expression::Kind::kHas:
        return "is referred to by " + Indexes(expression.references) + " from " + expression.type;
    }
    return {};
  }

  std::string OfSort(const SortKey& key) const {
    const std::string direction = key.descending ? ", descending" : ", ascending";
    switch (key.kind) {
      case SortKey::Kind::kId: return "by id" + direction;
      case SortKey::Kind::kLastUpdated: return "in the order of writing" + direction;
      case SortKey::Kind::kIndex: break;
    }
    std::vector<IndexId> indexes;
    for (const fhir::search::SortRange& range : key.ranges) indexes.push_back(range.index);
    return "by walking " + Indexes(std::move(indexes)) + direction;
  }

 private:
  std::string OfValues(const Expression& expression) const {
    std::vector<IndexId> indexes;
    std::size_t exact = 0;
    for (const fhir::search::ValueRange& value : expression.values) {
      indexes.push_back(value.index);
      exact += value.exact ? 1 : 0;
    }
    std::string text;
    if (exact > 0) text = Counted(exact, "value");
    const std::size_t ranges = expression.values.size() - exact;
    if (ranges > 0) text += (text.empty() ? "" : " and ") + Counted(ranges, "range");
    return text + " of " + Indexes(std::move(indexes));
  }

  std::string Indexes(std::vector<IndexId> indexes) const {
    std::sort(indexes.begin(), indexes.end());
    indexes.erase(std::unique(indexes.begin(), indexes.end()), indexes.end());
    std::string text;
    const std::size_t named = std::min(indexes.size(), kMaxNamedIndexes);
    for (std::size_t i = 0; i < named; ++i) {
      text += (i == 0 ? "" : ", ") + registry_.IndexAt(indexes[i]).key;
    }
    if (named < indexes.size()) {
      text += " and " + std::to_string(indexes.size() - named) + " more";
    }
    return text;
  }

  const fhir::search::Registry& registry_;
};

// Collects the issues.
class Report {
 public:
  void Add(std::string text) {
    issues_.push_back({fhir::IssueCode::kInformational, std::move(text), {}});
  }
  std::string Finish() const { return OperationOutcome(Severity::kInformation, issues_); }

 private:
  std::vector<fhir::Issue> issues_;
};

std::string Summarize(const SearchFacts& facts, std::uint64_t estimate, const Context& context) {
  const auto limit = static_cast<std::uint64_t>(context.search_broad_cost);
  const bool is_broad = estimate > limit || static_cast<std::uint64_t>(facts.cost) > limit;
  std::string text = "search: " + Counted(facts.matches, "resource") + " shown";
  if (facts.total) text += ", " + std::to_string(*facts.total) + " found";
  text += "; finding took " + Milliseconds(facts.finding);
  if (facts.matches > 0) text += ", reading " + Milliseconds(facts.reading);
  text += "; cost " + std::to_string(facts.cost) + ", estimated " + std::to_string(estimate);
  text += is_broad ? ": a broad search" : ": a narrow search";
  return text + " (SEARCH_BROAD_COST " + std::to_string(limit) + ")";
}

std::string NodeText(const storage::PlanNode& node, const Describer& describer) {
  std::string text = node.type + " ";
  for (const std::uint32_t step : node.number) text += std::to_string(step) + ".";
  text += std::string(node.number.size() * 2 - 1, ' ') + describer.Of(*node.expression);
  text += ": " + std::to_string(node.documents) + " found, estimated " +
          std::to_string(node.estimate.documents);
  text += "; " + Counted(static_cast<std::uint64_t>(node.keys), "key") + " read, estimated " +
          std::to_string(node.estimate.keys);
  return text + "; " + Milliseconds(node.time);
}

// The keys that were read.
fhir::Result<std::int64_t> AddTrees(const SearchPlan& plan, const Context& context,
                                    const Describer& describer, const storage::Budget& budget,
                                    Report* report) {
  std::int64_t keys = 0;
  for (const fhir::search::Query& query : plan.queries) {
    if (plan.queries.size() > 1 && storage::CountOf(*plan.snapshot, query.type) == 0) continue;
    FHIR_TRY(tree, context.store->Explain(*plan.snapshot, query.type, query.where, budget));
    for (const storage::PlanNode& node : tree.nodes) {
      report->Add(NodeText(node, describer));
      keys += node.keys;
    }
    if (!tree.is_whole) {
      report->Add(query.type + ": the tree has more nodes than the " +
                  std::to_string(tree.nodes.size()) + " shown");
    }
    for (const SortKey& key : query.sort) report->Add("sort: " + describer.OfSort(key));
  }
  return keys;
}

}  // namespace

fhir::Result<std::string> Explain(const SearchPlan& plan, const Context& context,
                                  const SearchFacts& facts, const storage::Budget& budget) {
  const auto start = std::chrono::steady_clock::now();
  const Describer describer(storage::RegistryOf(*plan.snapshot));
  Report report;
  FHIR_TRY(estimate, EstimateCost(plan, context, budget));
  report.Add(Summarize(facts, estimate, context));
  FHIR_TRY(keys, AddTrees(plan, context, describer, budget, &report));
  if (!plan.Common().includes.empty()) {
    report.Add("include: " + Counted(facts.included, "resource") + " in " +
               Milliseconds(facts.including));
  }
  report.Add("explain: each node was counted by itself, which took " +
             Milliseconds(std::chrono::steady_clock::now() - start) + " and " +
             Counted(static_cast<std::uint64_t>(keys), "key"));
  return report.Finish();
}

}  // namespace server
