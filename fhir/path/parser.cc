#include "fhir/path/parser.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "fhir/path/fhirpath.h"
#include "fhir/path/time_unit.h"
#include "fhir/path/token.h"
#include "fhir/path/type_specifier.h"

namespace fhir::path {

namespace {

struct BinaryOperator {
  std::string_view symbol;
  Operation operation;
  int precedence;
};

// Higher binds tighter; all group from the left.
constexpr BinaryOperator kBinaryOperators[] = {
    {"implies", Operation::kImplies, 1}, {"or", Operation::kOr, 2},
    {"xor", Operation::kXor, 2},         {"and", Operation::kAnd, 3},
    {"in", Operation::kIn, 4},           {"contains", Operation::kContains, 4},
    {"=", Operation::kEqual, 5},         {"!=", Operation::kNotEqual, 5},
    {"~", Operation::kEquivalent, 5},    {"!~", Operation::kNotEquivalent, 5},
    {"<", Operation::kLess, 6},          {"<=", Operation::kLessOrEqual, 6},
    {">", Operation::kGreater, 6},       {">=", Operation::kGreaterOrEqual, 6},
    {"|", Operation::kUnion, 7},         {"+", Operation::kAdd, 9},
    {"-", Operation::kSubtract, 9},      {"&", Operation::kConcatenate, 9},
    {"*", Operation::kMultiply, 10},     {"/", Operation::kDivide, 10},
    {"div", Operation::kDiv, 10},        {"mod", Operation::kMod, 10},
};
constexpr int kTypePrecedence = 8;  // is, as

// Keywords that cannot be a name unless quoted.
constexpr std::string_view kReserved[] = {"and", "div", "false", "implies",
                                          "mod", "or",  "true",  "xor"};

// Nested calls of the parser itself, between which no node is made: "((((", "- - -".
constexpr std::uint32_t kMaxParserDepth = 200;

class Parser {
 public:
  explicit Parser(std::vector<Token> tokens) : tokens_(std::move(tokens)) {}

  Result<Ast> Run() {
    FHIR_TRY(root, ParseExpression(0));
    if (Current().kind != TokenKind::kEnd) return Unexpected();
    ast_.root = root;
    return std::move(ast_);
  }

 private:
  const Token& Current() const { return tokens_[at_]; }
  const Token& Following() const { return tokens_[std::min(at_ + 1, tokens_.size() - 1)]; }
  Token TakeToken() { return std::move(tokens_[at_++]); }
  bool IsSymbol(std::string_view text) const {
    return Current().kind == TokenKind::kSymbol && Current().text == text;
  }
  bool IsWord(std::string_view text) const {
    return Current().kind == TokenKind::kIdentifier && Current().text == text;
  }
  bool Skip(std::string_view symbol) {
    if (!IsSymbol(symbol)) return false;
    ++at_;
    return true;
  }
  tl::unexpected<Error> FailAt(std::uint32_t position, std::string_view what) const {
    return Fail(PathError(position, what));
  }
  tl::unexpected<Error> Unexpected() const {
    if (Current().kind == TokenKind::kEnd) return FailAt(Current().position, "unexpected end");
    return FailAt(Current().position, "unexpected '" + Current().text.substr(0, 50) + "'");
  }
  Result<void> Expect(std::string_view symbol) {
    if (!Skip(symbol)) return Unexpected();
    return {};
  }

  Result<NodeId> Add(Node node) {
    if (node.target != kNoNode) node.depth = ast_.nodes[node.target].depth + 1;
    for (const NodeId argument : node.arguments) {
      node.depth = std::max(node.depth, ast_.nodes[argument].depth + 1);
    }
    if (node.depth > kMaxExpressionDepth) return FailAt(node.position, "nested too deeply");
    ast_.nodes.push_back(std::move(node));
    return static_cast<NodeId>(ast_.nodes.size() - 1);
  }

  Node At(NodeKind kind) const {
    Node node;
    node.kind = kind;
    node.position = Current().position;
    return node;
  }

  std::optional<BinaryOperator> CurrentOperator() const {
    if (Current().kind != TokenKind::kSymbol && Current().kind != TokenKind::kIdentifier) {
      return std::nullopt;
    }
    const auto found = std::ranges::find(kBinaryOperators, Current().text, &BinaryOperator::symbol);
    return found != std::end(kBinaryOperators) ? std::optional(*found) : std::nullopt;
  }

  // Operators that bind at least as tightly as `precedence`.
  Result<NodeId> ParseExpression(int precedence) {
    if (++depth_ > kMaxParserDepth) return FailAt(Current().position, "nested too deeply");
    FHIR_TRY(first, ParseUnary());
    NodeId left = first;
    for (;;) {
      const bool is = IsWord("is");
      if ((is || IsWord("as")) && kTypePrecedence >= precedence) {
        Node node = At(is ? NodeKind::kIs : NodeKind::kAs);
        ++at_;
        FHIR_TRY(type, ParseType());
        node.type = std::move(type);
        node.arguments = {left};
        FHIR_TRY(id, Add(std::move(node)));
        left = id;
        continue;
      }
      const auto binary = CurrentOperator();
      if (!binary || binary->precedence < precedence) break;
      Node node = At(NodeKind::kBinary);
      ++at_;
      FHIR_TRY(right, ParseExpression(binary->precedence + 1));
      node.operation = binary->operation;
      node.arguments = {left, right};
      FHIR_TRY(id, Add(std::move(node)));
      left = id;
    }
    --depth_;
    return left;
  }

  Result<NodeId> ParseUnary() {
    if (!IsSymbol("-") && !IsSymbol("+")) return ParsePath();
    if (++depth_ > kMaxParserDepth) return FailAt(Current().position, "nested too deeply");
    Node node = At(IsSymbol("-") ? NodeKind::kNegate : NodeKind::kPlus);
    ++at_;
    FHIR_TRY(operand, ParseUnary());
    node.arguments = {operand};
    --depth_;
    return Add(std::move(node));
  }

  // A term and what follows it: .name, .name(…), [index].
  Result<NodeId> ParsePath() {
    FHIR_TRY(term, ParseTerm());
    NodeId target = term;
    for (;;) {
      if (IsSymbol("[")) {
        Node node = At(NodeKind::kIndexer);
        ++at_;
        FHIR_TRY(index, ParseExpression(0));
        FHIR_TRY_VOID(Expect("]"));
        node.target = target;
        node.arguments = {index};
        FHIR_TRY(id, Add(std::move(node)));
        target = id;
      } else if (Skip(".")) {
        FHIR_TRY(id, ParseInvocation(target));
        target = id;
      } else {
        return target;
      }
    }
  }

  Result<NodeId> ParseTerm() {
    switch (Current().kind) {
      case TokenKind::kString:
      case TokenKind::kNumber:
      case TokenKind::kDate:
      case TokenKind::kDateTime:
      case TokenKind::kTime: return ParseLiteral();
      case TokenKind::kExternal: {
        Node node = At(NodeKind::kExternal);
        node.name = TakeToken().text;
        return Add(std::move(node));
      }
      case TokenKind::kIdentifier:
        if (IsWord("true") || IsWord("false")) {
          Node node = At(NodeKind::kLiteral);
          node.literal.emplace_back(TakeToken().text == "true");
          return Add(std::move(node));
        }
        return ParseInvocation(kNoNode);
      case TokenKind::kQuotedIdentifier:
      case TokenKind::kDollar: return ParseInvocation(kNoNode);
      case TokenKind::kSymbol: return ParseBracketed();
      case TokenKind::kEnd: return Unexpected();
    }
    return Unexpected();
  }

  // "(…)" or "{}".
  Result<NodeId> ParseBracketed() {
    if (IsSymbol("{")) {
      Node node = At(NodeKind::kEmpty);
      ++at_;
      FHIR_TRY_VOID(Expect("}"));
      return Add(std::move(node));
    }
    if (!Skip("(")) return Unexpected();
    FHIR_TRY(inner, ParseExpression(0));
    FHIR_TRY_VOID(Expect(")"));
    return inner;
  }

  Result<NodeId> ParseLiteral() {
    Node node = At(NodeKind::kLiteral);
    const Token token = TakeToken();
    switch (token.kind) {
      case TokenKind::kString: node.literal.emplace_back(MakeText(token.text)); break;
      case TokenKind::kNumber: {
        FHIR_TRY(number, NumberLiteral(token));
        node.literal.push_back(std::move(number));
        break;
      }
      case TokenKind::kDate:
      case TokenKind::kDateTime:
      case TokenKind::kTime: {
        const TemporalKind kind = token.kind == TokenKind::kDate       ? TemporalKind::kDate
                                  : token.kind == TokenKind::kDateTime ? TemporalKind::kDateTime
                                                                       : TemporalKind::kTime;
        const auto value = ParseTemporal(kind, token.text);
        if (!value) return FailAt(token.position, "no such date or time");
        node.literal.emplace_back(*value);
        break;
      }
      case TokenKind::kEnd:
      case TokenKind::kIdentifier:
      case TokenKind::kQuotedIdentifier:
      case TokenKind::kExternal:
      case TokenKind::kDollar:
      case TokenKind::kSymbol: return Unexpected();
    }
    return Add(std::move(node));
  }

  // A number, or a quantity if a unit follows.
  Result<Item> NumberLiteral(const Token& token) {
    const auto decimal = ParseDecimal(token.text);
    if (!decimal) return FailAt(token.position, "the number has too many digits");
    if (Current().kind == TokenKind::kString) {
      return Item(Quantity{*decimal, MakeText(TakeToken().text)});
    }
    if (Current().kind == TokenKind::kIdentifier && FindCalendarUnit(Current().text)) {
      return Item(Quantity{*decimal, MakeText(TakeToken().text), /*is_calendar=*/true});
    }
    const auto integer = ToInteger(*decimal);
    if (token.text.find('.') == std::string::npos && integer &&
        std::in_range<std::int32_t>(*integer)) {
      return Item(static_cast<std::int32_t>(*integer));
    }
    return Item(*decimal);
  }

  Result<NodeId> ParseInvocation(NodeId target) {
    if (Current().kind == TokenKind::kDollar && target == kNoNode) return ParseDollar();
    const bool quoted = Current().kind == TokenKind::kQuotedIdentifier;
    if (!quoted && (Current().kind != TokenKind::kIdentifier ||
                    std::ranges::find(kReserved, Current().text) != std::end(kReserved))) {
      return Unexpected();
    }
    const bool is_call = Following().kind == TokenKind::kSymbol && Following().text == "(";
    Node node = At(is_call ? NodeKind::kFunction : NodeKind::kMember);
    node.target = target;
    node.name = TakeToken().text;
    if (is_call) FHIR_TRY_VOID(ParseArguments(&node));
    return Add(std::move(node));
  }

  Result<NodeId> ParseDollar() {
    Node node = At(NodeKind::kThis);
    const Token token = TakeToken();
    if (token.text == "index") {
      node.kind = NodeKind::kIndex;
    } else if (token.text == "total") {
      node.kind = NodeKind::kTotal;
    } else if (token.text != "this") {
      return FailAt(token.position, "there is no $" + token.text);
    }
    return Add(std::move(node));
  }

  // "(…)" behind a function's name.
  Result<void> ParseArguments(Node* node) {
    node->function = FindFunction(node->name);
    if (node->function == nullptr) {
      return FailAt(node->position, "there is no function " + node->name.substr(0, 50));
    }
    const FunctionSpec& spec = *node->function;
    FHIR_TRY_VOID(Expect("("));
    if (spec.takes_type) {
      FHIR_TRY(type, ParseType());
      node->type = std::move(type);
      return Expect(")");
    }
    while (!IsSymbol(")")) {
      if (!node->arguments.empty()) FHIR_TRY_VOID(Expect(","));
      FHIR_TRY(argument, ParseExpression(0));
      node->arguments.push_back(argument);
    }
    ++at_;
    if (node->arguments.size() < spec.min_arguments ||
        node->arguments.size() > spec.max_arguments) {
      return FailAt(node->position, "wrong number of arguments for " + node->name);
    }
    return {};
  }

  Result<TypeSpecifier> ParseType() {
    TypeSpecifier type;
    const std::uint32_t position = Current().position;
    for (;;) {
      if (Current().kind != TokenKind::kIdentifier &&
          Current().kind != TokenKind::kQuotedIdentifier) {
        return Unexpected();
      }
      type.name = TakeToken().text;
      if (!type.type_namespace.empty() || !IsSymbol(".") || !IsTypeNamespace(type.name)) break;
      ++at_;
      type.type_namespace = std::move(type.name);
    }
    if (!IsKnownType(type)) {
      return FailAt(position, "there is no type " + type.name.substr(0, 50));
    }
    return type;
  }

  std::vector<Token> tokens_;
  std::size_t at_ = 0;
  std::uint32_t depth_ = 0;
  Ast ast_;
};

}  // namespace

Result<Ast> Parse(std::string_view text) {
  if (text.size() > kMaxExpressionBytes) return Fail(PathError(1, "the expression is too long"));
  FHIR_TRY(tokens, Tokenize(text));
  return Parser(std::move(tokens)).Run();
}

}  // namespace fhir::path
