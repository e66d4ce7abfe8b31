// fhir/path/ast.h
//
// A compiled expression as nodes that refer to each other by index. Only the
// parser makes them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "fhir/path/functions/function.h"
#include "fhir/path/item.h"

namespace fhir::path {

enum class NodeKind : std::uint8_t {
  kLiteral,
  kEmpty,     // {}
  kThis,      // $this
  kIndex,     // $index
  kTotal,     // $total
  kExternal,  // %name
  kMember,    // [target.]name
  kFunction,  // [target.]name(arguments)
  kIndexer,   // target[arguments[0]]
  kNegate,    // -arguments[0]
  kPlus,      // +arguments[0]
  kBinary,    // arguments[0] operation arguments[1]
  kIs,        // arguments[0] is type
  kAs,        // arguments[0] as type
};

enum class Operation : std::uint8_t {
  kImplies,
  kOr,
  kXor,
  kAnd,
  kIn,
  kContains,
  kEqual,
  kNotEqual,
  kEquivalent,
  kNotEquivalent,
  kLess,
  kLessOrEqual,
  kGreater,
  kGreaterOrEqual,
  kUnion,
  kAdd,
  kSubtract,
  kConcatenate,
  kMultiply,
  kDivide,
  kDiv,
  kMod,
};

// Empty namespace: FHIR's type of that name, or else System's.
struct TypeSpecifier {
  std::string type_namespace;
  std::string name;
};

using NodeId = std::uint32_t;
inline constexpr NodeId kNoNode = UINT32_MAX;

struct Node {
  NodeKind kind = NodeKind::kEmpty;
  Operation operation = Operation::kEqual;  // Of kBinary.
  std::uint32_t position = 1;               // In the text, for errors.
  std::uint32_t depth = 1;
  NodeId target = kNoNode;  // None: it applies to $this.
  std::vector<NodeId> arguments;
  std::string name;
  Collection literal;  // One item of kLiteral.
  TypeSpecifier type;  // Of kIs, kAs and functions that take one.
  const FunctionSpec* function = nullptr;
};

struct Ast {
  std::vector<Node> nodes;
  NodeId root = kNoNode;
};

}  // namespace fhir::path
