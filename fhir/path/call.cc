// What a function asks of its input and arguments, and Evaluate().
#include <utility>

#include "fhir/path/element.h"
#include "fhir/path/evaluation.h"
#include "fhir/path/parser.h"
#include "fhir/path/strict.h"
#include "fhir/path/token.h"

namespace fhir::path {

namespace {

Result<std::optional<Item>> Single(Items items, std::uint32_t position) {
  if (items.empty()) return std::nullopt;
  if (items.size() > 1) return Fail(PathError(position, "one item is expected, there are several"));
  return items[0];
}

// The single System value as a `T`.
template <class T>
Result<std::optional<T>> ValueAs(Items items, std::uint32_t position, std::string_view what) {
  FHIR_TRY(value, SystemValueOf(items, position));
  if (!value) return std::nullopt;
  const auto* wanted = std::get_if<T>(&*value);
  if (wanted == nullptr) return Fail(PathError(position, what));
  return *wanted;
}

Result<std::optional<Decimal>> ValueAsNumber(Items items, std::uint32_t position) {
  FHIR_TRY(value, SystemValueOf(items, position));
  if (!value) return std::nullopt;
  const auto number = NumberOf(*value);
  if (!number) return Fail(PathError(position, "a number is expected"));
  return number;
}

constexpr std::string_view kNoText = "a String is expected";
constexpr std::string_view kNoInteger = "an Integer is expected";

}  // namespace

Result<Collection> Call::Argument(std::size_t i) const {
  return evaluation_->Evaluate(node_->arguments[i], *scope_);
}

Result<Collection> Call::ForItem(std::size_t i, const Item& item, std::size_t index) const {
  const Scope scope{
      .focus = Items(&item, 1), .index = static_cast<std::int32_t>(index), .total = scope_->total};
  return evaluation_->Evaluate(node_->arguments[i], scope);
}

Result<Collection> Call::ForFocus(std::size_t i, const Scope& scope) const {
  return evaluation_->Evaluate(node_->arguments[i], scope);
}

Result<std::optional<Item>> Call::SingleInput() const {
  return Single(input_, node_->position);
}

Result<std::optional<Item>> Call::SystemInput() const {
  return SystemValueOf(input_, node_->position);
}

Result<std::optional<Text>> Call::TextInput() const {
  return TextOf(input_);
}

Result<std::optional<Decimal>> Call::NumberInput() const {
  return ValueAsNumber(input_, node_->position);
}

Result<std::optional<Text>> Call::TextArgument(std::size_t i) const {
  FHIR_TRY(items, Argument(i));
  return TextOf(items);
}

Result<std::optional<Text>> Call::TextOf(Items items) const {
  FHIR_TRY(text, ValueAs<Text>(items, node_->position, kNoText));
  if (!text) return std::nullopt;
  FHIR_TRY_VOID(evaluation_->Charge(text->view.size() / kBytesPerStep));
  return *std::move(text);
}

Result<std::optional<std::int32_t>> Call::IntegerArgument(std::size_t i) const {
  FHIR_TRY(items, Argument(i));
  return ValueAs<std::int32_t>(items, node_->position, kNoInteger);
}

Result<std::optional<Decimal>> Call::NumberArgument(std::size_t i) const {
  FHIR_TRY(items, Argument(i));
  return ValueAsNumber(items, node_->position);
}

tl::unexpected<Error> Call::FailHere(std::string_view what) const {
  return Fail(PathError(node_->position, node_->name + ": " + std::string(what)));
}

Result<std::optional<bool>> ConditionOf(Items items, std::uint32_t position) {
  FHIR_TRY(item, Single(items, position));
  if (!item) return std::nullopt;
  const auto value = ToSystemValue(*item);
  const auto* boolean = value ? std::get_if<bool>(&*value) : nullptr;
  if (boolean != nullptr) return *boolean;
  // A boolean with nothing but extensions says neither.
  if (!value && TypeOf(*item).name == "boolean") return std::nullopt;
  return true;
}

Result<std::optional<Item>> SystemValueOf(Items items, std::uint32_t position) {
  FHIR_TRY(item, Single(items, position));
  if (!item) return std::nullopt;
  auto value = ToSystemValue(*item);
  if (value) return value;
  const auto* element = std::get_if<Element>(&*item);
  // A primitive with nothing but extensions has no value.
  if (element != nullptr && element->IsPrimitive() && element->value.IsNone()) return std::nullopt;
  return Fail(
      PathError(position, "a value is expected, there is a " + std::string(TypeOf(*item).name)));
}

Result<Expression> Compile(std::string_view text) {
  FHIR_TRY(ast, Parse(text));
  return Expression(std::make_shared<const Ast>(std::move(ast)));
}

EvaluationContext ContextFor(const json::Value& resource) {
  EvaluationContext context;
  context.focus = context.resource = context.root_resource = ResourceElement(resource);
  return context;
}

Result<Collection> Evaluate(const Expression& expression, const EvaluationContext& context) {
  const Ast& ast = expression.GetAst();
  if (context.strict) FHIR_TRY_VOID(CheckStrict(ast));
  return Evaluation(&ast, &context).Run();
}

Result<std::optional<bool>> ToCondition(const Collection& items) {
  return ConditionOf(items, 1);
}

}  // namespace fhir::path
