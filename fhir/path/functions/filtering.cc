// Functions that filter and project (FHIRPath 5.2), aggregate() and sort().
#include <iterator>
#include <list>
#include <vector>

#include "fhir/path/collections.h"
#include "fhir/path/evaluation.h"
#include "fhir/path/functions/function.h"
#include "fhir/path/operators.h"
#include "fhir/path/type_specifier.h"

namespace fhir::path {

namespace {

Result<Collection> Where(const Call& call) {
  Collection kept;
  for (std::size_t i = 0; i < call.Input().size(); ++i) {
    FHIR_TRY(items, call.ForItem(0, call.Input()[i], i));
    FHIR_TRY(holds, ConditionOf(items, call.GetNode().position));
    if (holds.value_or(false)) kept.push_back(call.Input()[i]);
  }
  return kept;
}

Result<Collection> Select(const Call& call) {
  Collection out;
  for (std::size_t i = 0; i < call.Input().size(); ++i) {
    FHIR_TRY(items, call.ForItem(0, call.Input()[i], i));
    FHIR_TRY_VOID(call.GetEvaluation().Charge(items.size()));
    out.insert(out.end(), std::make_move_iterator(items.begin()),
               std::make_move_iterator(items.end()));
  }
  return out;
}

// Each new item is projected in its turn, so what equals an earlier one ends a cycle.
Result<Collection> Repeat(const Call& call) {
  ItemSet found(&call.GetEvaluation());
  Collection round(call.Input().begin(), call.Input().end());
  while (!round.empty()) {
    Collection next;
    for (std::size_t i = 0; i < round.size(); ++i) {
      FHIR_TRY(items, call.ForItem(0, round[i], i));
      for (Item& item : items) {
        FHIR_TRY(is_new, found.Insert(item));
        if (is_new) next.push_back(std::move(item));
      }
    }
    round = std::move(next);
  }
  return std::move(found).TakeItems();
}

Result<Collection> RepeatAll(const Call& call) {
  Collection found;
  Collection round(call.Input().begin(), call.Input().end());
  while (!round.empty()) {
    Collection next;
    for (std::size_t i = 0; i < round.size(); ++i) {
      FHIR_TRY(items, call.ForItem(0, round[i], i));
      FHIR_TRY_VOID(call.GetEvaluation().Charge(2 * items.size()));
      found.insert(found.end(), items.begin(), items.end());
      next.insert(next.end(), items.begin(), items.end());
    }
    round = std::move(next);
  }
  return found;
}

Result<Collection> OfType(const Call& call) {
  Collection kept;
  for (const Item& item : call.Input()) {
    if (IsKeptAs(item, call.GetNode().type)) kept.push_back(item);
  }
  return kept;
}

Result<Collection> Aggregate(const Call& call) {
  Collection total;
  if (call.ArgumentCount() == 2) {
    FHIR_TRY(initial, call.Argument(1));
    total = std::move(initial);
  }
  for (std::size_t i = 0; i < call.Input().size(); ++i) {
    const Scope scope{.focus = call.Input().subspan(i, 1),
                      .index = static_cast<std::int32_t>(i),
                      .total = &total};
    FHIR_TRY(next, call.ForFocus(0, scope));
    total = std::move(next);
  }
  return total;
}

// One sort key: the value of each item, and "-key" means descending.
struct SortKey {
  std::vector<std::optional<Item>> values;
  bool descending = false;
};

Result<SortKey> KeyOf(const Call& call, std::size_t argument) {
  SortKey key;
  const Ast& ast = call.GetEvaluation().GetAst();
  NodeId id = call.GetNode().arguments[argument];
  // A leading minus is a direction here, and so may stand before a String.
  if (ast.nodes[id].kind == NodeKind::kNegate) {
    key.descending = true;
    id = ast.nodes[id].arguments[0];
  }
  for (std::size_t i = 0; i < call.Input().size(); ++i) {
    const Scope scope{.focus = call.Input().subspan(i, 1),
                      .index = static_cast<std::int32_t>(i),
                      .total = call.Outer().total};
    FHIR_TRY(items, call.GetEvaluation().Evaluate(id, scope));
    FHIR_TRY(value, SystemValueOf(items, call.GetNode().position));
    key.values.push_back(std::move(value));
  }
  return key;
}

// Values and their types must have an order: checked before sorting, which cannot fail halfway.
Result<void> CheckOrder(const Call& call, const SortKey& key) {
  const Item* first = nullptr;
  for (const auto& value : key.values) {
    if (!value) continue;
    if (first == nullptr) first = &*value;
    FHIR_TRY_VOID(Order(*first, *value, call.GetNode().position));
  }
  return {};
}

// -1, 0 or 1. What is empty comes first, in either direction.
int CompareKeys(const std::optional<Item>& a, const std::optional<Item>& b, bool descending) {
  if (!a || !b) return int{a.has_value()} - int{b.has_value()};
  const auto order = descending ? Order(*b, *a, 1) : Order(*a, *b, 1);
  const auto known = order ? *order : std::nullopt;
  if (!known) return 0;
  return *known < 0 ? -1 : *known > 0 ? 1 : 0;
}

Result<Collection> Sort(const Call& call) {
  const std::size_t count = call.Input().size();
  std::vector<SortKey> keys;
  for (std::size_t i = 0; i < call.ArgumentCount(); ++i) {
    FHIR_TRY(key, KeyOf(call, i));
    keys.push_back(std::move(key));
  }
  if (keys.empty()) {
    SortKey key;
    for (const Item& item : call.Input()) {
      FHIR_TRY(value, SystemValueOf(Items(&item, 1), call.GetNode().position));
      key.values.push_back(std::move(value));
    }
    keys.push_back(std::move(key));
  }
  for (const SortKey& key : keys) FHIR_TRY_VOID(CheckOrder(call, key));
  constexpr std::size_t kComparisonsPerItem = 20;
  FHIR_TRY_VOID(call.GetEvaluation().Charge(count * kComparisonsPerItem));
  std::list<std::size_t> places;
  for (std::size_t i = 0; i < count; ++i) places.push_back(i);
  // A list: it merges, and so is stable and keeps within bounds even though partial dates, which
  // can be equal to two that differ, are no strict order.
  places.sort([&](std::size_t a, std::size_t b) {
    for (const SortKey& key : keys) {
      const int order = CompareKeys(key.values[a], key.values[b], key.descending);
      if (order != 0) return order < 0;
    }
    return false;
  });
  Collection sorted;
  for (const std::size_t place : places) sorted.push_back(call.Input()[place]);
  return sorted;
}

constexpr FunctionSpec kFunctions[] = {
    {"where", 1, 1, &Where},
    {"select", 1, 1, &Select},
    {"repeat", 1, 1, &Repeat},
    {"repeatAll", 1, 1, &RepeatAll},
    {"ofType", 1, 1, &OfType, /*takes_type=*/true},
    {"aggregate", 1, 2, &Aggregate},
    {"sort", 0, 16, &Sort},
};

}  // namespace

std::span<const FunctionSpec> FilteringFunctions() {
  return kFunctions;
}

}  // namespace fhir::path
