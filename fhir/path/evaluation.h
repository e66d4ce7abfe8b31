// fhir/path/evaluation.h
//
// One evaluation of one expression: its budget, its variables, and what the
// functions are given of it.
//
// Thread-safety: single-owner; lives on the stack of Evaluate().
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "fhir/path/ast.h"
#include "fhir/path/fhirpath.h"
#include "fhir/path/regex.h"

namespace fhir::path {

using Items = std::span<const Item>;

// Bytes of text that are read or made for one step.
inline constexpr std::size_t kBytesPerStep = 64;

// What an expression sees around it.
struct Scope {
  Items focus;                        // $this
  std::optional<std::int32_t> index;  // $index
  const Collection* total = nullptr;  // $total
};

// Steps that are left. Comparisons of deep elements spend from it while they run.
class Budget {
 public:
  explicit Budget(std::size_t steps) : left_(steps) {}
  // False when there is not enough left; from then on it always is.
  bool Spend(std::size_t steps) {
    if (steps > left_) left_ = 0, exhausted_ = true;
    if (!exhausted_) left_ -= steps;
    return !exhausted_;
  }
  bool IsExhausted() const { return exhausted_; }

 private:
  std::size_t left_;
  bool exhausted_ = false;
};

class Evaluation {
 public:
  Evaluation(const Ast* ast, const EvaluationContext* context)
      : ast_(ast), context_(context), budget_(context->max_steps) {}

  Result<Collection> Run();

  Result<Collection> Evaluate(NodeId id, const Scope& scope);

  const Ast& GetAst() const { return *ast_; }
  const EvaluationContext& Context() const { return *context_; }
  Budget* GetBudget() { return &budget_; }

  // Errors: TooCostly if the budget is, or was, exhausted.
  Result<void> Charge(std::size_t steps);
  // Makes a System.String and pays for its bytes.
  Result<Item> NewText(std::string text);
  // Compiled once per evaluation, as long as there are few. Valid until the next call.
  Result<const Regex*> FindRegex(std::string_view pattern);

 private:
  Result<Collection> EvaluateNode(const Node& node, const Scope& scope);
  Result<Collection> Member(const Node& node, const Scope& scope);
  Result<Collection> Function(const Node& node, const Scope& scope);
  Result<Collection> Indexer(const Node& node, const Scope& scope);
  Result<Collection> External(const Node& node) const;
  Result<Collection> Sign(const Node& node, const Scope& scope);
  Result<Collection> Binary(const Node& node, const Scope& scope);
  Result<Collection> Logic(const Node& node, const Scope& scope);
  Result<Collection> TypeTest(const Node& node, const Scope& scope);

  const Ast* ast_;
  const EvaluationContext* context_;
  Budget budget_;
  std::map<std::string, Regex, std::less<>> regexes_;
};

// One call of a function: its input and its arguments, evaluated when they are asked for.
class Call {
 public:
  Call(Evaluation* evaluation, const Node* node, Items input, const Scope* scope)
      : evaluation_(evaluation), node_(node), input_(input), scope_(scope) {}

  Items Input() const { return input_; }
  Evaluation& GetEvaluation() const { return *evaluation_; }
  const Node& GetNode() const { return *node_; }
  const Scope& Outer() const { return *scope_; }
  std::size_t ArgumentCount() const { return node_->arguments.size(); }

  // An argument that is a value: $this is what it is around the call.
  Result<Collection> Argument(std::size_t i) const;
  // An argument that is an expression on one item of the input, or on `focus`.
  Result<Collection> ForItem(std::size_t i, const Item& item, std::size_t index) const;
  Result<Collection> ForFocus(std::size_t i, const Scope& scope) const;

  // The input, or an argument, as one value. Nothing if it is empty. Errors: Invalid if there are
  // several or it is of another type.
  Result<std::optional<Item>> SingleInput() const;
  Result<std::optional<Item>> SystemInput() const;
  Result<std::optional<Text>> TextInput() const;
  Result<std::optional<Decimal>> NumberInput() const;
  Result<std::optional<Text>> TextArgument(std::size_t i) const;
  Result<std::optional<std::int32_t>> IntegerArgument(std::size_t i) const;
  Result<std::optional<Decimal>> NumberArgument(std::size_t i) const;

  tl::unexpected<Error> FailHere(std::string_view what) const;

 private:
  // Pays for the bytes too: functions read them all.
  Result<std::optional<Text>> TextOf(Items items) const;

  Evaluation* evaluation_;
  const Node* node_;
  Items input_;
  const Scope* scope_;
};

// As ToCondition, with the position for the error.
Result<std::optional<bool>> ConditionOf(Items items, std::uint32_t position);

// One value of System type, or nothing if `items` is empty. Errors: Invalid if there are several or
// if it has no System value.
Result<std::optional<Item>> SystemValueOf(Items items, std::uint32_t position);

inline Collection One(Item item) {
  Collection items;
  items.push_back(std::move(item));
  return items;
}

// A collection of what there is.
template <class T>
Collection OneOrNone(std::optional<T> value) {
  return value ? One(Item(*std::move(value))) : Collection();
}

}  // namespace fhir::path
