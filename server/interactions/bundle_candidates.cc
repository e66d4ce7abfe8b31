#include "server/interactions/bundle_candidates.h"

#include <algorithm>

#include "fhir/base/text.h"

namespace server {
namespace {

using fhir::search::Expression;
using fhir::search::ValueRange;

std::uint64_t KeyOf(fhir::search::IndexId index, std::string_view value) {
  constexpr std::uint64_t kSpread = 0x9E3779B97F4A7C15;  // 2^64 / golden ratio.
  return fhir::HashText(value) ^ (index + 1) * kSpread;
}

bool IsExact(const Expression& expression) {
  return expression.kind == Expression::Kind::kValues &&
         std::ranges::all_of(expression.values, &ValueRange::exact);
}

// A part of `where` that every match fulfils and that asks for exact values, or null.
const Expression* FindExact(const Expression& where) {
  if (IsExact(where)) return &where;
  if (where.kind != Expression::Kind::kAnd) return nullptr;
  for (const Expression& child : where.children) {
    if (IsExact(child)) return &child;
  }
  return nullptr;
}

}  // namespace

void BundleCandidates::Add(std::uint32_t position, std::string_view id,
                           std::int64_t last_updated_us,
                           const fhir::search::IndexEntries* entries) {
  const auto item = static_cast<std::uint32_t>(items_.size());
  items_.push_back({position, {id, last_updated_us, entries}});
  for (const auto& entry : entries->List()) {
    by_value_.emplace(KeyOf(entry.index, entries->ValueOf(entry)), item);
  }
}

std::vector<std::uint32_t> BundleCandidates::Narrow(std::span<const ValueRange> values) const {
  std::vector<std::uint32_t> items;
  for (const ValueRange& value : values) {
    const auto [first, last] = by_value_.equal_range(KeyOf(value.index, value.from));
    for (auto it = first; it != last; ++it) items.push_back(it->second);
  }
  std::ranges::sort(items);
  items.erase(std::unique(items.begin(), items.end()), items.end());
  return items;
}

std::vector<std::uint32_t> BundleCandidates::Find(const Expression& where) const {
  std::vector<std::uint32_t> found;
  auto check = [&](const Item& item) {
    if (fhir::search::Matches(where, item.candidate)) found.push_back(item.position);
  };
  if (const Expression* exact = FindExact(where)) {
    for (const std::uint32_t item : Narrow(exact->values)) check(items_[item]);
  } else {
    for (const Item& item : items_) check(item);
  }
  return found;
}

}  // namespace server
