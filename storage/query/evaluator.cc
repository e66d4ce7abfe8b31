#include "storage/query/evaluator.h"

#include <algorithm>
#include <map>
#include <utility>

namespace storage {
namespace {

using fhir::search::Expression;
using fhir::search::ValueRange;

// More exact values than this are read in one pass instead of an iterator each.
constexpr std::size_t kMaxPostingIterators = 16;

// The least integer n with n * unit >= value.
std::int64_t CeilDiv(std::int64_t value, std::int64_t unit) {
  return value / unit + (value % unit > 0 ? 1 : 0);
}

}  // namespace

TypeStatePtr Evaluator::StateOf(TypeNumber type) {
  static const TypeStatePtr kEmpty = std::make_shared<const TypeState>();
  if (type == 0) return kEmpty;
  auto state = snapshot_->StateOf(type);
  return work_->Accept(state) ? *state : kEmpty;
}

IndexView Evaluator::ViewOf(TypeNumber type, fhir::search::IndexId index) {
  const NumberRegistry& numbers = snapshot_->Numbers();
  IndexNumber number = numbers.NumberOf(index);
  if (number == 0) work_->Fail(fhir::Internal("index " + std::to_string(index) + " is unknown"));
  if (number != 0) {
    if (auto complete = CheckComplete(*snapshot_, {&index, 1}); !complete) {
      work_->Fail(std::move(complete).error());
      number = 0;
    }
  }
  return {snapshot_, type, number, StateOf(type)->ChunkCount(), work_};
}

ChunkIteratorPtr Evaluator::Plan(TypeNumber type, const Expression& expression) {
  if (type == 0) return MakeNothing();
  if (expression.kind == Expression::Kind::kAll) return MakeLive(StateOf(type));
  std::vector<ChunkIteratorPtr> both;
  both.push_back(PlanNode(type, expression));
  both.push_back(MakeLive(StateOf(type)));
  return MakeAnd(std::move(both), work_);
}

ChunkIteratorPtr Evaluator::PlanNode(TypeNumber type, const Expression& expression) {
  // What has to be made first is as expensive as everything, so that whatever is known leads.
  const auto lazily = [&](ChunkSet (Evaluator::*make)(TypeNumber, const Expression&)) {
    return MakeLazySet([this, make, type, &expression] { return (this->*make)(type, expression); },
                       StateOf(type)->live_count + 1);
  };
  switch (expression.kind) {
    case Expression::Kind::kAll: return MakeLive(StateOf(type));
    case Expression::Kind::kNone: return MakeNothing();
    case Expression::Kind::kValues: return PlanValues(type, expression);
    case Expression::Kind::kIds:
      return MakeLazySet([this, type, &expression] { return FindIds(type, expression.ids); },
                         expression.ids.size());
    case Expression::Kind::kLastUpdated: return PlanLastUpdated(type, expression);
    case Expression::Kind::kAnd:
    case Expression::Kind::kOr: return PlanChildren(type, expression);
    case Expression::Kind::kNot:
      return MakeNot(StateOf(type), PlanNode(type, expression.children.front()), work_);
    case Expression::Kind::kChain: return lazily(&Evaluator::FollowChain);
    case Expression::Kind::kHas: return lazily(&Evaluator::FollowHas);
  }
  return MakeNothing();
}

ChunkIteratorPtr Evaluator::PlanChildren(TypeNumber type, const Expression& expression) {
  std::vector<ChunkIteratorPtr> children;
  for (const Expression& child : expression.children) children.push_back(PlanNode(type, child));
  return expression.kind == Expression::Kind::kAnd ? MakeAnd(std::move(children), work_)
                                                   : MakeOr(std::move(children), work_);
}

ChunkIteratorPtr Evaluator::PlanValues(TypeNumber type, const Expression& expression) {
  const auto& values = expression.values;
  const bool is_simple =
      !values.empty() && values.size() <= kMaxPostingIterators &&
      std::all_of(values.begin(), values.end(), [](const ValueRange& v) { return v.exact; });
  if (!is_simple) {
    return MakeLazySet([this, type, &expression] { return ReadValues(type, expression); },
                       StateOf(type)->live_count + 1);
  }
  std::vector<ChunkIteratorPtr> postings;
  for (const ValueRange& value : values) {
    const IndexView view = ViewOf(type, value.index);
    if (view.index == 0) return MakeNothing();
    postings.push_back(MakePosting(view, value.from));
  }
  return MakeOr(std::move(postings), work_);
}

ChunkSet Evaluator::ReadValues(TypeNumber type, const Expression& expression) {
  ChunkSetBuilder documents;
  std::map<fhir::search::IndexId, std::vector<std::string>> exact;
  std::map<fhir::search::IndexId, std::vector<const ValueRange*>> ranged;
  for (const ValueRange& value : expression.values) {
    if (value.exact) {
      exact[value.index].push_back(value.from);
    } else {
      ranged[value.index].push_back(&value);
    }
  }
  for (auto& [index, ranges] : ranged) {
    const IndexView view = ViewOf(type, index);
    if (view.index == 0) return {};
    std::sort(ranges.begin(), ranges.end(),
              [](const ValueRange* a, const ValueRange* b) { return a->from < b->from; });
    AddRanges(view, ranges, &documents);
  }
  for (auto& [index, values] : exact) {
    const IndexView view = ViewOf(type, index);
    if (view.index == 0) return {};
    std::sort(values.begin(), values.end());
    AddExactPostings(view, values, &documents);
  }
  return documents.Finish();
}

ChunkSet Evaluator::FindIds(TypeNumber type, std::span<const std::string> ids) {
  ChunkSetBuilder documents;
  for (const std::string& id : ids) {
    auto found = finder_.FindLive(type, id);
    if (!work_->Spend() || !work_->Accept(found)) return {};
    if (*found) documents.Add((*found)->document);
  }
  return documents.Finish();
}

ChunkIteratorPtr Evaluator::PlanLastUpdated(TypeNumber type, const Expression& expression) {
  constexpr std::int64_t kMicrosecondsPerMs = 1000;
  constexpr std::int32_t kTypicalReads = 64;  // Four binary searches.
  if (!work_->Spend(kTypicalReads)) return MakeNothing();
  const auto first_document = [&](std::int64_t us) -> fhir::Result<std::uint64_t> {
    FHIR_TRY(t, snapshot_->FirstTransactionFrom(CeilDiv(us, kMicrosecondsPerMs)));
    return snapshot_->FirstDocumentFrom(type, t);
  };
  auto first = first_document(expression.from_us);
  auto end = first_document(expression.to_us);
  if (!work_->Accept(first) || !work_->Accept(end)) return MakeNothing();
  return MakeLiveBetween(StateOf(type), *first, *end);
}

}  // namespace storage
