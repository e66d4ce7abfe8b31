#include "fhir/search/expression.h"

#include <algorithm>
#include <utility>

#include "fhir/base/check.h"
#include "fhir/search/types/numeric_range.h"
#include "fhir/search/types/position.h"
#include "fhir/search/types/token.h"

namespace fhir::search {
namespace {

using Kind = Expression::Kind;

bool InRange(std::string_view bytes, std::string_view from, std::string_view to) {
  return bytes >= from && (to.empty() || bytes < to);
}

bool Fulfils(const ByteCondition& condition, std::string_view value) {
  std::size_t start = 0;
  if (condition.offset < 0) {
    const auto from_end = static_cast<std::size_t>(-std::int64_t{condition.offset});
    if (from_end > value.size()) return false;
    start = value.size() - from_end;
  } else {
    start = static_cast<std::size_t>(condition.offset);
  }
  for (std::uint32_t i = 0; i < condition.decimals; ++i) {
    if (start > value.size()) return false;
    const auto size = EncodedBoundSize(value.substr(start));
    if (!size) return false;
    start += *size;
  }
  return start <= value.size() && InRange(value.substr(start), condition.from, condition.to);
}

Expression Combine(Kind kind, std::vector<Expression> children) {
  Expression result;
  result.kind = kind;
  for (Expression& child : children) {
    if (child.kind == kind) {
      for (Expression& inner : child.children) result.children.push_back(std::move(inner));
    } else {
      result.children.push_back(std::move(child));
    }
  }
  if (result.children.size() == 1) {
    Expression only = std::move(result.children.front());
    return only;
  }
  return result;
}

bool HasValue(const std::vector<ValueRange>& ranges, const IndexEntries& entries) {
  const std::vector<IndexEntries::Entry>& list = entries.List();
  for (const ValueRange& range : ranges) {
    auto entry = std::lower_bound(
        list.begin(), list.end(), range, [&](const IndexEntries::Entry& e, const ValueRange& r) {
          return e.index != r.index ? e.index < r.index : entries.ValueOf(e) < r.from;
        });
    for (; entry != list.end() && entry->index == range.index; ++entry) {
      const std::string_view value = entries.ValueOf(*entry);
      if (Accepts(range, value)) return true;
      const bool is_past = range.exact || (!range.to.empty() && value >= range.to);
      if (is_past) break;
    }
  }
  return false;
}

}  // namespace

Expression Expression::None() {
  Expression result;
  result.kind = Kind::kNone;
  return result;
}

Expression Expression::Values(std::vector<ValueRange> values) {
  if (values.empty()) return None();
  Expression result;
  result.kind = Kind::kValues;
  result.values = std::move(values);
  return result;
}

Expression Expression::Ids(std::vector<std::string> ids) {
  if (ids.empty()) return None();
  Expression result;
  result.kind = Kind::kIds;
  result.ids = std::move(ids);
  return result;
}

Expression Expression::And(std::vector<Expression> children) {
  if (children.empty()) return All();
  return Combine(Kind::kAnd, std::move(children));
}

Expression Expression::Or(std::vector<Expression> children) {
  if (children.empty()) return None();
  return Combine(Kind::kOr, std::move(children));
}

Expression Expression::Not(Expression child) {
  Expression result;
  result.kind = Kind::kNot;
  result.children.push_back(std::move(child));
  return result;
}

bool Accepts(const ValueRange& range, std::string_view value) {
  if (range.exact) return value == range.from;
  if (!InRange(value, range.from, range.to)) return false;
  for (const ByteCondition& condition : range.conditions) {
    if (!Fulfils(condition, value)) return false;
  }
  if (range.circle && !IsWithin(*range.circle, value)) return false;
  if (range.token && !FitsToken(*range.token, value)) return false;
  if (range.max_size != 0 && value.size() > range.max_size) return false;
  // The first byte is a tag, not text.
  return range.contains.empty() ||
         (!value.empty() && value.substr(1).find(range.contains) != std::string_view::npos);
}

std::string PrefixEnd(std::string_view prefix) {
  while (!prefix.empty() && prefix.back() == '\xFF') prefix.remove_suffix(1);
  std::string end(prefix);
  if (!end.empty()) end.back() = static_cast<char>(static_cast<unsigned char>(end.back()) + 1);
  return end;
}

bool Matches(const Expression& expression, const Candidate& candidate) {
  const auto matches = [&](const Expression& child) { return Matches(child, candidate); };
  const std::vector<Expression>& children = expression.children;
  switch (expression.kind) {
    case Kind::kAll: return true;
    case Kind::kNone: return false;
    case Kind::kValues: return HasValue(expression.values, *candidate.entries);
    case Kind::kIds:
      return std::find(expression.ids.begin(), expression.ids.end(), candidate.id) !=
             expression.ids.end();
    case Kind::kLastUpdated:
      return candidate.last_updated_us >= expression.from_us &&
             candidate.last_updated_us < expression.to_us;
    case Kind::kAnd: return std::all_of(children.begin(), children.end(), matches);
    case Kind::kOr: return std::any_of(children.begin(), children.end(), matches);
    case Kind::kNot: return !matches(children.front());
    case Kind::kChain:
    case Kind::kHas: break;
  }
  FHIR_CHECK(false, "Matches() needs a local expression");
}

std::size_t SizeOf(const Expression& expression) {
  std::size_t size = 1 + expression.values.size() + expression.ids.size();
  for (const Expression& child : expression.children) size += SizeOf(child);
  return size;
}

bool IsLocal(const Expression& expression) {
  if (expression.kind == Kind::kChain || expression.kind == Kind::kHas) return false;
  return std::all_of(expression.children.begin(), expression.children.end(), IsLocal);
}

}  // namespace fhir::search
