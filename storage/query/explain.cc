#include "storage/query/explain.h"

#include <algorithm>
#include <limits>
#include <map>
#include <utility>
#include <vector>

#include "storage/query/estimate.h"
#include "storage/query/search.h"

namespace storage {
namespace {

using fhir::search::Expression;

// Walks the expression in the order of its evaluation. Thread-safety: single-owner.
class Explainer {
 public:
  Explainer(const Snapshot& snapshot, const Budget& budget)
      : snapshot_(snapshot), budget_(budget) {}

  fhir::Result<void> Add(TypeNumber type, const Expression& expression,
                         std::vector<std::uint32_t> number) {
    if (plan_.nodes.size() == kMaxPlanNodes) {
      plan_.is_whole = false;
      return {};
    }
    FHIR_TRY(node, Count(type, expression));
    node.number = number;
    plan_.nodes.push_back(std::move(node));
    FHIR_TRY(children, ChildrenInOrder(type, expression));
    const bool is_elsewhere =
        expression.kind == Expression::Kind::kChain || expression.kind == Expression::Kind::kHas;
    const TypeNumber child_type =
        is_elsewhere ? snapshot_.Numbers().FindType(expression.type) : type;
    number.push_back(0);
    for (const Expression* child : children) {
      ++number.back();
      FHIR_TRY_VOID(Add(child_type, *child, number));
    }
    return {};
  }

  SearchPlanNodes Take() { return std::move(plan_); }

 private:
  fhir::Result<PlanNode> Count(TypeNumber type, const Expression& expression) {
    PlanNode node;
    node.expression = &expression;
    if (type != 0) node.type = snapshot_.Numbers().TypeName(type);
    std::int64_t left = budget_.keys_left == nullptr ? std::numeric_limits<std::int64_t>::max()
                                                     : *budget_.keys_left;
    Budget counted = budget_;
    counted.keys_left = &left;
    {
      Work work(&counted);
      Estimator estimator(&snapshot_, &work);
      node.estimate = estimator.Of(type, expression, Estimator::Detail::kDocuments);
      FHIR_TRY_VOID(work.Outcome());
    }
    const std::int64_t before = left;
    const auto start = std::chrono::steady_clock::now();
    auto count = CountMatches(snapshot_, type, expression, counted);
    node.time = std::chrono::steady_clock::now() - start;
    node.keys = before - left;
    if (budget_.keys_left != nullptr) *budget_.keys_left = left;
    if (!count) return fhir::Fail(std::move(count).error());
    node.documents = *count;
    return node;
  }

  // The operands of an AND as they are asked: the cheapest leads.
  fhir::Result<std::vector<const Expression*>> ChildrenInOrder(TypeNumber type,
                                                               const Expression& expression) {
    std::vector<const Expression*> children;
    for (const Expression& child : expression.children) children.push_back(&child);
    if (expression.kind != Expression::Kind::kAnd) return children;
    Work work(&budget_);
    Evaluator evaluator(&snapshot_, &work);
    std::map<const Expression*, std::uint64_t> costs;
    for (const Expression* child : children) costs[child] = evaluator.Plan(type, *child)->Cost();
    FHIR_TRY_VOID(work.Outcome());
    // Children of equal cost stay in their order, which is that of their addresses.
    std::sort(children.begin(), children.end(), [&](const Expression* a, const Expression* b) {
      return costs[a] != costs[b] ? costs[a] < costs[b] : a < b;
    });
    return children;
  }

  const Snapshot& snapshot_;
  const Budget& budget_;
  SearchPlanNodes plan_;
};

}  // namespace

fhir::Result<SearchPlanNodes> ExplainSearch(const Snapshot& snapshot, TypeNumber type,
                                            const Expression& where, const Budget& budget) {
  Explainer explainer(snapshot, budget);
  FHIR_TRY_VOID(explainer.Add(type, where, {1}));
  return explainer.Take();
}

}  // namespace storage
