// fhir/path/fhirpath.h
//
// FHIRPath (N1 2.0.0, with the functions of 3.0.0 that its R4 test suite uses)
// over parsed resources. For own search parameters, invariants and patches;
// R4's own search parameters have a faster way (fhir/search/path.h).
//
// It has no clock, no network and no terminology: the context gives it the time
// and resolves references, and memberOf() is an error.
//
// Where the specification leaves freedom:
//   - Decimals are exact to 37 digits; a quotient is rounded to 20 digits behind
//     the point, roots, powers and logarithms to 15 digits in all. What does not
//     fit is empty.
//   - as and ofType() take subtypes of complex types and resources, but a
//     primitive only if it is of that very type: `gender as string` is empty.
//   - A date moves by whole units: the fraction of 7.7 days is dropped.
//   - sort() puts items without a key first, in either direction.
//   - matches() and replaceMatches() take RE2's syntax, in linear time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>

#include "fhir/base/result.h"
#include "fhir/path/item.h"

namespace fhir::path {

struct Ast;

// A compiled expression. Thread-safety: immutable; cheap to copy.
class Expression {
 public:
  explicit Expression(std::shared_ptr<const Ast> ast) : ast_(std::move(ast)) {}
  const Ast& GetAst() const { return *ast_; }

 private:
  std::shared_ptr<const Ast> ast_;  // Shared: copies are held by many searches at once.
};

inline constexpr std::size_t kMaxExpressionBytes = std::size_t{64} << 10;
// Of terms within terms; bounds the stack that evaluation takes.
inline constexpr std::uint32_t kMaxExpressionDepth = 200;

// Errors: Invalid, naming the position, for what is not FHIRPath, an unknown function or type, a
// wrong number of arguments, and for text or nesting beyond the limits above.
Result<Expression> Compile(std::string_view text);

// What a reference leads to. A `resource` that is None is there but was not loaded: its type is
// known and its elements are not.
struct ResolvedReference {
  definitions::TypeId type = definitions::kNoType;
  json::Value resource;
};

// Nothing if it leads nowhere. Never called for "#id", which is looked up in %rootResource.
using Resolver =
    std::function<Result<std::optional<ResolvedReference>>(std::string_view reference)>;

struct EvaluationContext {
  Element focus;          // What the expression starts at: $this and %context.
  Element resource;       // %resource: the resource that holds it, a contained one perhaps.
  Element root_resource;  // %rootResource: the outermost one.

  // Without one, resolve() yields the type that the reference names, not loaded.
  Resolver resolver;
  // For now(), today() and timeOfDay(), in UTC. Without it they are an error.
  std::optional<std::int64_t> now_unix_ms;
  // Receives what trace() is given.
  std::function<void(std::string_view name, const Collection& items)> trace;

  // A name that an element's type does not have is an error, not empty; so are positions in
  // children() and other unordered collections.
  bool strict = false;
  // `as` over several items keeps those of the type, as R4's search parameters assume
  // ("(ActivityDefinition.useContext.value as Quantity)"). Otherwise it is an error.
  bool as_filters = false;
  // Nodes evaluated, items made and compared, and each 64 bytes of text made.
  std::size_t max_steps = 1'000'000;
};

// Starts at a whole resource.
EvaluationContext ContextFor(const json::Value& resource);

// The items stay valid while the Documents of the context and of its resolver live.
// Errors: Invalid, naming the position, for what FHIRPath calls an error; NotSupported for
// memberOf(), htmlChecks() and profiles in conformsTo(); TooCostly beyond max_steps; what the
// resolver returns.
Result<Collection> Evaluate(const Expression& expression, const EvaluationContext& context);

// The result as a condition (FHIRPath 5.4 "Singleton Evaluation"): nothing if it is empty, true for
// one item that is no Boolean. Errors: Invalid if there are several.
Result<std::optional<bool>> ToCondition(const Collection& items);

}  // namespace fhir::path
