#include "fhir/path/equality.h"

#include <algorithm>
#include <vector>

#include "fhir/path/quantity.h"
#include "fhir/path/unicode.h"

namespace fhir::path {

namespace {

enum class Mode { kEqual, kEquivalent };

bool SameText(std::string_view a, std::string_view b, Mode mode) {
  return mode == Mode::kEqual ? a == b : EquivalentForm(a) == EquivalentForm(b);
}

bool SameNumber(const Decimal& a, const Decimal& b, Mode mode) {
  if (mode == Mode::kEqual) return Compare(a, b) == 0;
  // Cut to the digits of the coarser, zeros at the end not counted.
  const int digits = std::min(Normalized(a).scale, Normalized(b).scale);
  const auto x = Rescale(a, digits, Rounding::kHalfAwayFromZero);
  const auto y = Rescale(b, digits, Rounding::kHalfAwayFromZero);
  return x && y && Compare(*x, *y) == 0;
}

bool SameJson(const json::Value& a, const json::Value& b, Mode mode, Budget* budget);

bool SameObjects(const json::Value& a, const json::Value& b, Mode mode, Budget* budget) {
  std::size_t members = 0;
  for (const json::Value member : a.Children()) {
    const json::Value other = b.Find(member.Name());
    if (other.IsNone() || !SameJson(member, other, mode, budget)) return false;
    ++members;
  }
  std::size_t other_members = 0;
  for ([[maybe_unused]] const json::Value member : b.Children()) ++other_members;
  return members == other_members;
}

// In any order if equivalent: each item needs one of its own.
bool SameArrays(const json::Value& a, const json::Value& b, Mode mode, Budget* budget) {
  std::vector<json::Value> others;
  for (const json::Value item : b.Children()) others.push_back(item);
  if (!budget->Spend(others.size())) return false;
  std::size_t next = 0;
  for (const json::Value item : a.Children()) {
    if (mode == Mode::kEqual) {
      if (next == others.size() || !SameJson(item, others[next], mode, budget)) return false;
      ++next;
      continue;
    }
    const auto match = std::ranges::find_if(
        others, [&](const json::Value& other) { return SameJson(item, other, mode, budget); });
    if (match == others.end()) return false;
    others.erase(match);
  }
  return mode == Mode::kEqual ? next == others.size() : others.empty();
}

bool SameJson(const json::Value& a, const json::Value& b, Mode mode, Budget* budget) {
  if (!budget->Spend(1) || a.IsNone() || b.IsNone()) return a.IsNone() && b.IsNone();
  if (a.GetKind() != b.GetKind()) return false;
  switch (a.GetKind()) {
    case json::Kind::kNull: return true;
    case json::Kind::kBoolean: return a.Text() == b.Text();
    case json::Kind::kNumber: {
      const auto x = ParseDecimal(a.Text());
      const auto y = ParseDecimal(b.Text());
      return x && y ? SameNumber(*x, *y, mode) : a.Text() == b.Text();
    }
    case json::Kind::kString:
      return budget->Spend(a.Text().size() / kBytesPerStep) && SameText(a.Text(), b.Text(), mode);
    case json::Kind::kObject: return SameObjects(a, b, mode, budget);
    case json::Kind::kArray: return SameArrays(a, b, mode, budget);
  }
  return false;
}

// Where no implicit conversion makes both one type they are not equal.
std::optional<bool> SameValues(const Item& a, const Item& b, Mode mode, Budget* budget) {
  const auto x_number = NumberOf(a);
  const auto y_number = NumberOf(b);
  if (x_number && y_number) return SameNumber(*x_number, *y_number, mode);
  const auto x_quantity = QuantityOf(a);
  const auto y_quantity = QuantityOf(b);
  if (x_quantity && y_quantity) {
    if (mode == Mode::kEquivalent) return AreEquivalent(*x_quantity, *y_quantity);
    const auto order = Compare(*x_quantity, *y_quantity);
    return order ? std::optional(*order == 0) : std::nullopt;
  }
  if (const auto* x = std::get_if<Temporal>(&a)) {
    const auto* y = std::get_if<Temporal>(&b);
    if (y == nullptr || (x->kind == TemporalKind::kTime) != (y->kind == TemporalKind::kTime)) {
      return false;
    }
    if (mode == Mode::kEquivalent && x->precision != y->precision) return false;
    const auto order = Compare(*x, *y);
    return order ? std::optional(*order == 0) : std::nullopt;
  }
  if (const auto* x = std::get_if<Text>(&a)) {
    const auto* y = std::get_if<Text>(&b);
    return y != nullptr && budget->Spend(x->view.size() / kBytesPerStep) &&
           SameText(x->view, y->view, mode);
  }
  if (const auto* x = std::get_if<bool>(&a)) {
    const auto* y = std::get_if<bool>(&b);
    return y != nullptr && *x == *y;
  }
  if (const auto* x = std::get_if<TypeInfo>(&a)) {
    const auto* y = std::get_if<TypeInfo>(&b);
    return y != nullptr && x->type_namespace == y->type_namespace && x->name == y->name;
  }
  return false;
}

// An element with nothing but extensions where a value could be.
bool LacksValue(const Item& item) {
  const auto* element = std::get_if<Element>(&item);
  return element != nullptr && element->IsPrimitive() && element->value.IsNone();
}

std::optional<bool> SameItems(const Item& a, const Item& b, Mode mode, Budget* budget) {
  if (!budget->Spend(1)) return std::nullopt;
  const auto x = ToSystemValue(a);
  const auto y = ToSystemValue(b);
  if (x && y) return SameValues(*x, *y, mode, budget);
  if ((x && LacksValue(b)) || (y && LacksValue(a))) return std::nullopt;
  const auto* x_element = std::get_if<Element>(&a);
  const auto* y_element = std::get_if<Element>(&b);
  if (x_element == nullptr || y_element == nullptr) return false;
  // Not loaded: nothing is known of it but its type.
  if (x_element->value.IsNone() && x_element->extras.IsNone()) return std::nullopt;
  return SameJson(x_element->value, y_element->value, mode, budget) &&
         SameJson(x_element->extras, y_element->extras, mode, budget);
}

}  // namespace

std::optional<bool> Equal(const Item& a, const Item& b, Budget* budget) {
  return SameItems(a, b, Mode::kEqual, budget);
}

bool Equivalent(const Item& a, const Item& b, Budget* budget) {
  return SameItems(a, b, Mode::kEquivalent, budget).value_or(false);
}

}  // namespace fhir::path
