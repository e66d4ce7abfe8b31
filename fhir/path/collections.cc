#include "fhir/path/collections.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "fhir/path/equality.h"

namespace fhir::path {

namespace {

constexpr std::size_t kNodesPerStep = 8;

std::size_t HashText(std::string_view text) {
  return std::hash<std::string_view>()(text);
}

// Equal elements have as many nodes and the same strings, in whatever order their members stand.
std::size_t HashJson(const json::Value& value) {
  if (value.IsNone()) return 0;
  const auto& tape = value.Tape();
  const std::uint32_t end = tape[value.Index()].end;
  std::size_t hash = end - value.Index();
  for (std::uint32_t i = value.Index(); i < end; ++i) {
    if (tape[i].kind == json::Kind::kString) hash += HashText({tape[i].text, tape[i].text_size});
  }
  return hash;
}

std::size_t HashOf(const Item& item) {
  // Times of different precision, and quantities of different units, can be equal: one hash each.
  enum Kind : std::size_t { kNumberOrQuantity = 1, kTemporal, kType };
  const auto value = ToSystemValue(item);
  if (!value) {
    const auto& element = std::get<Element>(item);
    return HashJson(element.value) + HashJson(element.extras);
  }
  if (const auto* text = std::get_if<Text>(&*value)) return HashText(text->view);
  if (const auto* boolean = std::get_if<bool>(&*value)) return *boolean ? 101 : 100;
  // A number equals a quantity without a unit; only the integers are worth spreading.
  if (const auto* quantity = std::get_if<Quantity>(&*value)) {
    if (quantity->unit.view != "1") return kNumberOrQuantity;
    const auto integer = ToInteger(quantity->value);
    return integer ? std::hash<std::int64_t>()(*integer) + 1000 : kNumberOrQuantity;
  }
  if (const auto number = NumberOf(*value)) {
    const auto integer = ToInteger(*number);
    return integer ? std::hash<std::int64_t>()(*integer) + 1000 : kNumberOrQuantity;
  }
  return std::holds_alternative<Temporal>(*value) ? kTemporal : kType;
}

// What HashOf reads.
std::size_t NodesOf(const Item& item) {
  const auto* element = std::get_if<Element>(&item);
  if (element == nullptr || element->value.IsNone()) return 0;
  return element->value.Tape()[element->value.Index()].end - element->value.Index();
}

}  // namespace

Result<std::optional<bool>> EqualCollections(Evaluation* evaluation, Items a, Items b) {
  if (a.empty() || b.empty()) return std::nullopt;
  if (a.size() != b.size()) return false;
  bool open = false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const auto equal = Equal(a[i], b[i], evaluation->GetBudget());
    FHIR_TRY_VOID(evaluation->Charge(0));
    if (equal == std::optional(false)) return false;
    open = open || !equal;
  }
  return open ? std::nullopt : std::optional(true);
}

Result<bool> EquivalentCollections(Evaluation* evaluation, Items a, Items b) {
  if (a.size() != b.size()) return false;
  std::vector<const Item*> others;
  for (const Item& item : b) others.push_back(&item);
  for (const Item& item : a) {
    const auto match = std::ranges::find_if(others, [&](const Item* other) {
      return Equivalent(item, *other, evaluation->GetBudget());
    });
    FHIR_TRY_VOID(evaluation->Charge(0));
    if (match == others.end()) return false;
    others.erase(match);
  }
  return true;
}

Result<bool> ItemSet::Insert(const Item& item) {
  FHIR_TRY_VOID(evaluation_->Charge(NodesOf(item) / kNodesPerStep));
  const std::size_t hash = HashOf(item);
  FHIR_TRY(found, ContainsHashed(item, hash));
  if (found) return false;
  index_.emplace(hash, static_cast<std::uint32_t>(items_.size()));
  items_.push_back(item);
  return true;
}

Result<void> ItemSet::InsertAll(Items items) {
  for (const Item& item : items) FHIR_TRY_VOID(Insert(item));
  return {};
}

Result<bool> ItemSet::Contains(const Item& item) {
  FHIR_TRY_VOID(evaluation_->Charge(NodesOf(item) / kNodesPerStep));
  return ContainsHashed(item, HashOf(item));
}

Result<bool> ItemSet::ContainsHashed(const Item& item, std::size_t hash) {
  FHIR_TRY_VOID(evaluation_->Charge(1));
  const auto [first, last] = index_.equal_range(hash);
  for (auto it = first; it != last; ++it) {
    const auto equal = Equal(item, items_[it->second], evaluation_->GetBudget());
    FHIR_TRY_VOID(evaluation_->Charge(0));
    if (equal == std::optional(true)) return true;
  }
  return false;
}

}  // namespace fhir::path
