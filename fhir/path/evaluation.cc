#include "fhir/path/evaluation.h"

#include <utility>

#include "fhir/path/collections.h"
#include "fhir/path/element.h"
#include "fhir/path/operators.h"
#include "fhir/path/token.h"
#include "fhir/path/type_specifier.h"

namespace fhir::path {

namespace {

// "Patient.name" on a Patient: the name of the type is not a member.
bool NamesTypeOf(const Element& element, std::string_view name) {
  return !name.empty() && name.front() >= 'A' && name.front() <= 'Z' && IsKnownType(name) &&
         IsOfType(element.type, name);
}

bool IsLogic(Operation operation) {
  return operation == Operation::kAnd || operation == Operation::kOr ||
         operation == Operation::kXor || operation == Operation::kImplies;
}

void AppendSystemMember(const Item& item, std::string_view name, Collection* out) {
  if (const auto* type = std::get_if<TypeInfo>(&item)) {
    if (name == "namespace") out->emplace_back(Text{type->type_namespace, nullptr});
    if (name == "name") out->emplace_back(Text{type->name, nullptr});
  } else if (const auto* quantity = std::get_if<Quantity>(&item)) {
    if (name == "value") out->emplace_back(quantity->value);
    if (name == "unit") out->emplace_back(quantity->unit);
  }
}

}  // namespace

Result<Collection> Evaluation::Run() {
  const Item focus = context_->focus;
  Scope scope;
  scope.focus = Items(&focus, 1);
  return Evaluate(ast_->root, scope);
}

Result<void> Evaluation::Charge(std::size_t steps) {
  if (budget_.Spend(steps)) return {};
  return Fail(TooCostly("a FHIRPath expression takes too many steps"));
}

Result<Item> Evaluation::NewText(std::string text) {
  FHIR_TRY_VOID(Charge(1 + text.size() / kBytesPerStep));
  return Item(MakeText(std::move(text)));
}

Result<const Regex*> Evaluation::FindRegex(std::string_view pattern) {
  constexpr std::size_t kMaxRegexes = 16;
  constexpr std::size_t kCompileSteps = 200;
  if (const auto found = regexes_.find(pattern); found != regexes_.end()) return &found->second;
  FHIR_TRY_VOID(Charge(kCompileSteps + pattern.size()));
  FHIR_TRY(regex, Regex::Compile(pattern));
  FHIR_TRY_VOID(Charge(regex.Cost()));
  if (regexes_.size() == kMaxRegexes) regexes_.clear();
  return &regexes_.emplace(pattern, std::move(regex)).first->second;
}

Result<Collection> Evaluation::Evaluate(NodeId id, const Scope& scope) {
  FHIR_TRY_VOID(Charge(1));
  auto items = EvaluateNode(ast_->nodes[id], scope);
  if (items) FHIR_TRY_VOID(Charge(items->size()));
  return items;
}

Result<Collection> Evaluation::EvaluateNode(const Node& node, const Scope& scope) {
  switch (node.kind) {
    case NodeKind::kLiteral: return node.literal;
    case NodeKind::kEmpty: return Collection();
    case NodeKind::kThis: return Collection(scope.focus.begin(), scope.focus.end());
    case NodeKind::kIndex: return OneOrNone(scope.index);
    case NodeKind::kTotal: return scope.total != nullptr ? *scope.total : Collection();
    case NodeKind::kExternal: return External(node);
    case NodeKind::kMember: return Member(node, scope);
    case NodeKind::kFunction: return Function(node, scope);
    case NodeKind::kIndexer: return Indexer(node, scope);
    case NodeKind::kNegate:
    case NodeKind::kPlus: return Sign(node, scope);
    case NodeKind::kBinary: return Binary(node, scope);
    case NodeKind::kIs:
    case NodeKind::kAs: return TypeTest(node, scope);
  }
  return Collection();
}

Result<Collection> Evaluation::Member(const Node& node, const Scope& scope) {
  Collection targets;
  Items from = scope.focus;
  if (node.target != kNoNode) {
    FHIR_TRY(evaluated, Evaluate(node.target, scope));
    targets = std::move(evaluated);
    from = targets;
  }
  Collection out;
  for (const Item& item : from) {
    FHIR_TRY_VOID(Charge(1));
    const auto* element = std::get_if<Element>(&item);
    if (element == nullptr) {
      AppendSystemMember(item, node.name, &out);
      continue;
    }
    if (node.target == kNoNode && NamesTypeOf(*element, node.name)) {
      out.push_back(item);
      continue;
    }
    if (context_->strict && !HasMember(element->type, node.name)) {
      return Fail(PathError(node.position, "there is no element " + node.name + " in " +
                                               std::string(TypeOf(item).name)));
    }
    AppendMember(*element, node.name, &out);
  }
  return out;
}

Result<Collection> Evaluation::Function(const Node& node, const Scope& scope) {
  Collection targets;
  Items input = scope.focus;
  if (node.target != kNoNode) {
    FHIR_TRY(evaluated, Evaluate(node.target, scope));
    targets = std::move(evaluated);
    input = targets;
  }
  return node.function->call(Call(this, &node, input, &scope));
}

Result<Collection> Evaluation::Indexer(const Node& node, const Scope& scope) {
  FHIR_TRY(items, Evaluate(node.target, scope));
  FHIR_TRY(index_items, Evaluate(node.arguments[0], scope));
  FHIR_TRY(index, SystemValueOf(index_items, node.position));
  if (!index) return Collection();
  const auto* place = std::get_if<std::int32_t>(&*index);
  if (place == nullptr) return Fail(PathError(node.position, "an index must be an Integer"));
  if (*place < 0 || std::cmp_greater_equal(*place, items.size())) return Collection();
  return One(std::move(items[static_cast<std::size_t>(*place)]));
}

Result<Collection> Evaluation::External(const Node& node) const {
  const std::string_view name = node.name;
  const auto text = [](std::string value) { return One(MakeText(std::move(value))); };
  if (name == "resource") return One(context_->resource);
  if (name == "rootResource") return One(context_->root_resource);
  if (name == "context") return One(context_->focus);
  if (name == "ucum") return text("http://unitsofmeasure.org");
  if (name == "sct") return text("http://snomed.info/sct");
  if (name == "loinc") return text("http://loinc.org");
  if (name.starts_with("vs-")) {
    return text("http://hl7.org/fhir/ValueSet/" + std::string(name.substr(3)));
  }
  if (name.starts_with("ext-")) {
    return text("http://hl7.org/fhir/StructureDefinition/" + std::string(name.substr(4)));
  }
  return Fail(PathError(node.position, "there is no %" + node.name.substr(0, 50)));
}

Result<Collection> Evaluation::Sign(const Node& node, const Scope& scope) {
  FHIR_TRY(items, Evaluate(node.arguments[0], scope));
  FHIR_TRY(value, SystemValueOf(items, node.position));
  if (!value) return Collection();
  const auto negated = Negate(*value);
  if (!negated) return Fail(PathError(node.position, "only numbers and quantities have a sign"));
  if (node.kind == NodeKind::kPlus) return One(*std::move(value));
  return One(*negated);
}

Result<Collection> Evaluation::Binary(const Node& node, const Scope& scope) {
  if (IsLogic(node.operation)) return Logic(node, scope);
  FHIR_TRY(left, Evaluate(node.arguments[0], scope));
  FHIR_TRY(right, Evaluate(node.arguments[1], scope));
  return Operate(this, node, std::move(left), std::move(right));
}

Result<Collection> Evaluation::Logic(const Node& node, const Scope& scope) {
  using Truth = std::optional<bool>;
  FHIR_TRY(left_items, Evaluate(node.arguments[0], scope));
  FHIR_TRY(left, ConditionOf(left_items, node.position));
  const Operation operation = node.operation;
  // Decided by the left side: the right one is not evaluated.
  if (operation == Operation::kAnd && left == Truth(false)) return One(false);
  if (operation == Operation::kOr && left == Truth(true)) return One(true);
  if (operation == Operation::kImplies && left == Truth(false)) return One(true);
  FHIR_TRY(right_items, Evaluate(node.arguments[1], scope));
  FHIR_TRY(right, ConditionOf(right_items, node.position));
  if (operation == Operation::kAnd) {
    if (right == Truth(false)) return One(false);
    return left && right ? One(true) : Collection();
  }
  if (operation == Operation::kXor) return left && right ? One(*left != *right) : Collection();
  // true wins in `or`, and on the right of `implies`.
  if (right == Truth(true)) return One(true);
  return left && right ? One(false) : Collection();
}

Result<Collection> Evaluation::TypeTest(const Node& node, const Scope& scope) {
  FHIR_TRY(items, Evaluate(node.arguments[0], scope));
  return TestType(*this, node, items);
}

}  // namespace fhir::path
