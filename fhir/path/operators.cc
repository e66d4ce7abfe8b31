#include "fhir/path/operators.h"

#include <string>
#include <utility>

#include "fhir/path/collections.h"
#include "fhir/path/equality.h"
#include "fhir/path/quantity.h"
#include "fhir/path/time_unit.h"
#include "fhir/path/token.h"
#include "fhir/path/type_specifier.h"

namespace fhir::path {

namespace {

template <class T>
Collection OptionalItem(const std::optional<T>& value) {
  return value ? One(Item(*value)) : Collection();
}

bool IsInteger(const Item& value) {
  return std::holds_alternative<std::int32_t>(value);
}

std::optional<Item> NumberItem(const std::optional<Decimal>& value, bool integer) {
  if (!value) return std::nullopt;
  return integer ? ToIntegerItem(*value) : std::optional<Item>(*value);
}

// What a time is moved by. Nothing: the unit cannot move one.
std::optional<TimeUnit> MovingUnit(const Quantity& quantity) {
  const auto calendar = FindCalendarUnit(quantity.unit.view);
  return calendar ? calendar : FindTimeUnit(quantity.unit.view);
}

Result<Collection> Move(const Temporal& time, const Item& by, bool back, std::uint32_t position) {
  const auto* quantity = std::get_if<Quantity>(&by);
  if (quantity == nullptr) return Fail(PathError(position, "a time moves by a quantity only"));
  const auto unit = MovingUnit(*quantity);
  if (!unit) return Fail(PathError(position, "a time cannot move by this unit"));
  const auto whole = Rescale(quantity->value, 0, Rounding::kTowardsZero);
  const auto amount = whole ? ToInteger(*whole) : std::nullopt;
  if (!amount || *amount == INT64_MIN) return Collection();
  return OptionalItem(Add(time, back ? -*amount : *amount, *unit));
}

// Nothing: too many digits, a division by zero, or no operation on numbers.
std::optional<Item> ComputeNumbers(Operation operation, const Item& a, const Item& b,
                                   const Decimal& x, const Decimal& y) {
  const bool integers = IsInteger(a) && IsInteger(b);
  if (operation == Operation::kAdd) return NumberItem(Add(x, y), integers);
  if (operation == Operation::kSubtract) return NumberItem(Subtract(x, y), integers);
  if (operation == Operation::kMultiply) return NumberItem(Multiply(x, y), integers);
  if (operation == Operation::kDivide) return NumberItem(Divide(x, y), /*integer=*/false);
  if (operation == Operation::kDiv) return NumberItem(DivideToInteger(x, y), /*integer=*/true);
  if (operation == Operation::kMod) return NumberItem(Remainder(x, y), integers);
  return std::nullopt;
}

std::optional<Quantity> ComputeQuantities(Operation operation, const Quantity& a,
                                          const Quantity& b) {
  if (operation == Operation::kAdd) return AddQuantities(a, b, /*subtract=*/false);
  if (operation == Operation::kSubtract) return AddQuantities(a, b, /*subtract=*/true);
  if (operation == Operation::kMultiply) return Multiply(a, b);
  if (operation == Operation::kDivide) return Divide(a, b);
  return std::nullopt;
}

Result<Collection> Arithmetic(Operation operation, const Item& a, const Item& b,
                              std::uint32_t position) {
  const auto x = NumberOf(a);
  const auto y = NumberOf(b);
  if (x && y) return OptionalItem(ComputeNumbers(operation, a, b, *x, *y));
  const auto p = QuantityOf(a);
  const auto q = QuantityOf(b);
  if (p && q && operation != Operation::kDiv && operation != Operation::kMod) {
    return OptionalItem(ComputeQuantities(operation, *p, *q));
  }
  return Fail(PathError(position, "cannot compute with " + std::string(TypeOf(a).name) + " and " +
                                      std::string(TypeOf(b).name)));
}

Result<Collection> Compute(Evaluation* evaluation, const Node& node, Items left, Items right) {
  FHIR_TRY(a, SystemValueOf(left, node.position));
  FHIR_TRY(b, SystemValueOf(right, node.position));
  if (!a || !b) return Collection();
  const bool back = node.operation == Operation::kSubtract;
  if (back || node.operation == Operation::kAdd) {
    if (const auto* time = std::get_if<Temporal>(&*a)) return Move(*time, *b, back, node.position);
  }
  const auto* x = std::get_if<Text>(&*a);
  const auto* y = std::get_if<Text>(&*b);
  if (x != nullptr && y != nullptr && node.operation == Operation::kAdd) {
    FHIR_TRY(text, evaluation->NewText(std::string(x->view) + std::string(y->view)));
    return One(std::move(text));
  }
  return Arithmetic(node.operation, *a, *b, node.position);
}

// `&`: an empty operand counts as ''.
Result<Collection> Concatenate(Evaluation* evaluation, const Node& node, Items left, Items right) {
  std::string text;
  for (const Items& side : {left, right}) {
    FHIR_TRY(value, SystemValueOf(side, node.position));
    if (!value) continue;
    const auto* part = std::get_if<Text>(&*value);
    if (part == nullptr) return Fail(PathError(node.position, "& takes Strings only"));
    text += part->view;
  }
  FHIR_TRY(item, evaluation->NewText(std::move(text)));
  return One(std::move(item));
}

Result<Collection> CompareOrder(const Node& node, Items left, Items right) {
  FHIR_TRY(a, SystemValueOf(left, node.position));
  FHIR_TRY(b, SystemValueOf(right, node.position));
  if (!a || !b) return Collection();
  FHIR_TRY(order, Order(*a, *b, node.position));
  if (!order) return Collection();
  if (node.operation == Operation::kLess) return One(*order < 0);
  if (node.operation == Operation::kLessOrEqual) return One(*order <= 0);
  if (node.operation == Operation::kGreater) return One(*order > 0);
  return One(*order >= 0);
}

Result<Collection> IsIn(Evaluation* evaluation, const Node& node, Items item, Items collection) {
  if (item.empty()) return Collection();
  if (item.size() > 1) return Fail(PathError(node.position, "one item is expected"));
  for (const Item& candidate : collection) {
    const auto equal = Equal(item[0], candidate, evaluation->GetBudget());
    FHIR_TRY_VOID(evaluation->Charge(0));
    if (equal == std::optional(true)) return One(true);
  }
  return One(false);
}

}  // namespace

Result<Collection> Operate(Evaluation* evaluation, const Node& node, Collection left,
                           Collection right) {
  switch (node.operation) {
    case Operation::kEqual:
    case Operation::kNotEqual: {
      FHIR_TRY(equal, EqualCollections(evaluation, left, right));
      return equal ? One(*equal == (node.operation == Operation::kEqual)) : Collection();
    }
    case Operation::kEquivalent:
    case Operation::kNotEquivalent: {
      FHIR_TRY(equivalent, EquivalentCollections(evaluation, left, right));
      return One(equivalent == (node.operation == Operation::kEquivalent));
    }
    case Operation::kLess:
    case Operation::kLessOrEqual:
    case Operation::kGreater:
    case Operation::kGreaterOrEqual: return CompareOrder(node, left, right);
    case Operation::kIn: return IsIn(evaluation, node, left, right);
    case Operation::kContains: return IsIn(evaluation, node, right, left);
    case Operation::kUnion: {
      ItemSet set(evaluation);
      FHIR_TRY_VOID(set.InsertAll(left));
      FHIR_TRY_VOID(set.InsertAll(right));
      return std::move(set).TakeItems();
    }
    case Operation::kConcatenate: return Concatenate(evaluation, node, left, right);
    case Operation::kAdd:
    case Operation::kSubtract:
    case Operation::kMultiply:
    case Operation::kDivide:
    case Operation::kDiv:
    case Operation::kMod: return Compute(evaluation, node, left, right);
    case Operation::kImplies:
    case Operation::kOr:
    case Operation::kXor:
    case Operation::kAnd: break;
  }
  return Collection();
}

Result<Collection> TestType(const Evaluation& evaluation, const Node& node, Items items) {
  if (node.kind == NodeKind::kIs) {
    if (items.empty()) return Collection();
    if (items.size() > 1) return Fail(PathError(node.position, "one item is expected"));
    return One(IsOfType(items[0], node.type));
  }
  if (items.size() > 1 && !evaluation.Context().as_filters) {
    return Fail(PathError(node.position, "as takes one item, there are several"));
  }
  Collection kept;
  for (const Item& item : items) {
    if (IsKeptAs(item, node.type)) kept.push_back(item);
  }
  return kept;
}

Result<std::optional<std::strong_ordering>> Order(const Item& a, const Item& b,
                                                  std::uint32_t position) {
  const auto x_number = NumberOf(a);
  const auto y_number = NumberOf(b);
  if (x_number && y_number) return Compare(*x_number, *y_number);
  const auto x_quantity = QuantityOf(a);
  const auto y_quantity = QuantityOf(b);
  if (x_quantity && y_quantity) return Compare(*x_quantity, *y_quantity);
  const auto* x_text = std::get_if<Text>(&a);
  const auto* y_text = std::get_if<Text>(&b);
  if (x_text != nullptr && y_text != nullptr) return x_text->view <=> y_text->view;
  const auto* x = std::get_if<Temporal>(&a);
  const auto* y = std::get_if<Temporal>(&b);
  if (x != nullptr && y != nullptr &&
      (x->kind == TemporalKind::kTime) == (y->kind == TemporalKind::kTime)) {
    return Compare(*x, *y);
  }
  return Fail(PathError(position, "cannot order " + std::string(TypeOf(a).name) + " and " +
                                      std::string(TypeOf(b).name)));
}

std::optional<Item> Negate(const Item& system_value) {
  if (const auto* integer = std::get_if<std::int32_t>(&system_value)) {
    const Decimal negated = Decimal::FromInteger(-std::int64_t{*integer});
    const auto item = ToIntegerItem(negated);
    return item ? item : std::optional<Item>(negated);
  }
  if (const auto* decimal = std::get_if<Decimal>(&system_value)) {
    // -2147483648 is read as a sign and a number that is no Integer yet.
    const auto item = decimal->scale == 0 ? ToIntegerItem(Negate(*decimal)) : std::nullopt;
    return item ? item : std::optional<Item>(Negate(*decimal));
  }
  if (const auto* quantity = std::get_if<Quantity>(&system_value)) {
    return Quantity{Negate(quantity->value), quantity->unit, quantity->is_calendar};
  }
  return std::nullopt;
}

std::optional<Item> ToIntegerItem(const Decimal& value) {
  const auto integer = ToInteger(value);
  if (!integer || !std::in_range<std::int32_t>(*integer)) return std::nullopt;
  return static_cast<std::int32_t>(*integer);
}

}  // namespace fhir::path
