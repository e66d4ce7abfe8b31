// fhir/search/expression.h
//
// What a search asks, as a tree over index values. The parser makes it from a
// URL; the query executor in storage/ evaluates it as set algebra on postings;
// Matches() evaluates it on one resource's entries (for writes of the same
// commit group, which are in no posting yet).
//
// Thread-safety: values; thread-compatible.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fhir/base/geography.h"
#include "fhir/search/index_entries.h"

namespace fhir::search {

// Bytes of a value from `offset` (negative: counted from the end) to its end lie in [from, to).
// An empty `to` has no upper bound. `decimals` encoded decimals (fhir/base/decimal.h, or one of the
// one-byte bounds of types/numeric_range.h) that stand at `offset` are passed over first.
struct ByteCondition {
  std::int32_t offset = 0;
  std::uint32_t decimals = 0;
  std::string from;
  std::string to;
};

// Whether a token (types/token.cc) is one, its letters in whatever case.
struct AnyCaseToken {
  std::string code;       // ASCII, lower case; empty: any.
  std::string system;     // As in the value, 8 bytes; empty: any.
  bool is_wanted = true;  // False: it is any other token.
};

// Index values that satisfy one search value. exact: the value equals `from`. Otherwise it lies in
// [from, to) in byte order (an empty `to` has no upper bound), fulfils all `conditions`,
// contains `contains`, if that is not empty, is a position (types/position.h) in `circle`, if there
// is one, fits `token`, if there is one, and has at most `max_size` bytes, if that is not 0.
struct ValueRange {
  IndexId index = 0;
  bool exact = false;
  std::string from;
  std::string to;
  std::vector<ByteCondition> conditions;
  std::string contains;
  std::optional<Circle> circle;
  std::optional<AnyCaseToken> token;
  std::uint32_t max_size = 0;
};

struct Expression {
  enum class Kind : std::uint8_t {
    kAll,          // Every resource of the type.
    kNone,         // No resource.
    kValues,       // Has a value in one of `values`.
    kIds,          // Its id is one of `ids`.
    kLastUpdated,  // Its version was committed in [from_us, to_us).
    kAnd,          // All of `children`; at least one.
    kOr,           // One of `children`; at least one.
    kNot,          // Not children[0].
    kChain,        // Refers, by one of `references`, to a `type` that matches children[0].
    kHas,          // A `type` that matches children[0] refers to it by one of `references`.
  };

  Kind kind = Kind::kAll;
  std::vector<ValueRange> values;
  std::vector<std::string> ids;
  std::int64_t from_us = 0;
  std::int64_t to_us = 0;
  std::string type;
  std::vector<IndexId> references;
  std::vector<Expression> children;

  static Expression All() { return {}; }
  static Expression None();
  static Expression Values(std::vector<ValueRange> values);
  static Expression Ids(std::vector<std::string> ids);
  // Flattens: And of one child is the child; And of none is All, Or of none is None.
  static Expression And(std::vector<Expression> children);
  static Expression Or(std::vector<Expression> children);
  static Expression Not(Expression child);
};

// One value range accepts these bytes.
bool Accepts(const ValueRange& range, std::string_view value);

// The smallest byte string above all that begin with `prefix`; empty if there is none.
std::string PrefixEnd(std::string_view prefix);

// One resource that is not in the postings yet.
struct Candidate {
  std::string_view id;
  std::int64_t last_updated_us = 0;
  const IndexEntries* entries = nullptr;  // Finished.
};

// REQUIRES: no kChain or kHas in `expression` (IsLocal).
bool Matches(const Expression& expression, const Candidate& candidate);
// Its nodes, values and ids: in proportion to the memory it takes and the work it makes.
std::size_t SizeOf(const Expression& expression);
// True if it can be decided from the resource alone.
bool IsLocal(const Expression& expression);

}  // namespace fhir::search
