#include "fhir/search/filter/syntax.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "fhir/json/document.h"

namespace fhir::search {
namespace {

using Kind = FilterNode::Kind;

constexpr std::string_view kParameter = "_filter";

bool IsNameStart(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

bool IsNameCharacter(char c) {
  return IsNameStart(c) || (c >= '0' && c <= '9') || c == '-';
}

// Bytes of the white space at the start of `text`, by Unicode's rules; 0 if there is none.
std::size_t SpaceSize(std::string_view text) {
  if (text.empty()) return 0;
  if (text.front() == ' ' || (text.front() >= '\t' && text.front() <= '\r')) return 1;
  if (text.starts_with("\u0085") || text.starts_with("\u00A0")) return 2;
  static constexpr std::string_view kWide[] = {
      "\u1680", "\u2000", "\u2001", "\u2002", "\u2003", "\u2004", "\u2005", "\u2006", "\u2007",
      "\u2008", "\u2009", "\u200A", "\u2028", "\u2029", "\u202F", "\u205F", "\u3000"};
  const bool is_wide =
      std::ranges::any_of(kWide, [&](std::string_view space) { return text.starts_with(space); });
  return is_wide ? 3 : 0;
}

// Reads from left to right; what has been read is never read again.
class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  Result<FilterNode> ParseAll() {
    FHIR_TRY(filter, ParseFilter(0));
    if (at_ < text_.size()) return Fail(Bad("expected 'and', 'or' or the end"));
    return std::move(filter);
  }

 private:
  char Peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  bool Take(char c) {
    if (Peek() != c) return false;
    ++at_;
    return true;
  }
  bool SkipSpace() {
    const std::size_t start = at_;
    while (const std::size_t size = SpaceSize(text_.substr(at_))) at_ += size;
    return at_ > start;
  }

  // The name here; empty if there is none.
  std::string_view TakeName() {
    const std::size_t start = at_;
    if (!IsNameStart(Peek())) return {};
    while (IsNameCharacter(Peek())) ++at_;
    return text_.substr(start, at_ - start);
  }

  Error Bad(std::string_view problem) const {
    return AtPlace(
        text_, at_,
        Invalid("parameter '_filter': " + std::string(problem), std::string(kParameter)));
  }
  Error TooDeep() const {
    return AtPlace(text_, at_, TooCostly("parameter '_filter' has too many levels"));
  }

  Result<FilterNode> ParseFilter(std::size_t level) {
    FHIR_TRY(left, ParseOperand(level));
    while (const auto kind = TakeConnective()) {
      FHIR_TRY(right, ParseOperand(level));
      FHIR_TRY_VOID(Join(*kind, std::move(right), &left));
    }
    return std::move(left);
  }

  // "and" or "or", if one is here.
  std::optional<Kind> TakeConnective() {
    SkipSpace();
    const std::size_t start = at_;
    const std::string_view word = TakeName();
    if (word == "and") return Kind::kAnd;
    if (word == "or") return Kind::kOr;
    at_ = start;
    return std::nullopt;
  }

  Result<void> Join(Kind kind, FilterNode right, FilterNode* left) const {
    // A filter in parentheses with the same word means the same without them.
    if (left->kind != kind) {
      FilterNode both;
      both.kind = kind;
      both.depth = left->depth + 1;
      both.children.push_back(std::move(*left));
      *left = std::move(both);
    }
    left->depth = std::max(left->depth, right.depth + 1);
    left->children.push_back(std::move(right));
    if (left->depth > kMaxFilterDepth) return Fail(TooDeep());
    return {};
  }

  Result<FilterNode> ParseOperand(std::size_t level) {
    if (level > kMaxFilterDepth) return Fail(TooDeep());
    SkipSpace();
    const std::size_t start = at_;
    const bool is_not = TakeName() == "not" && IsNegation();
    if (!is_not) at_ = start;
    if (!Take('(')) {
      if (is_not) return Fail(Bad("'not' needs a filter in parentheses"));
      return ParseTest(level);
    }
    FHIR_TRY(inner, ParseFilter(level + 1));
    if (!Take(')')) return Fail(Bad("expected 'and', 'or' or ')'"));
    if (!is_not) return std::move(inner);
    FilterNode negated;
    negated.kind = Kind::kNot;
    negated.depth = inner.depth + 1;
    negated.children.push_back(std::move(inner));
    if (negated.depth > kMaxFilterDepth) return Fail(TooDeep());
    return negated;
  }

  // Behind the word "not", which no search parameter has as its name.
  bool IsNegation() {
    if (Peek() == '.' || Peek() == '[' || Peek() == ':') return false;
    SkipSpace();
    return true;
  }

  Result<FilterNode> ParseTest(std::size_t level) {
    if (++tests_ > kMaxFilterTests) {
      return Fail(AtPlace(text_, at_, TooCostly("parameter '_filter' has too many tests")));
    }
    FilterNode test;
    FHIR_TRY_VOID(ParsePath(level, &test));
    if (!SkipSpace()) return Fail(Bad("expected an operator behind the name"));
    test.offset = at_;
    const std::size_t start = at_;
    const auto op = FindFilterOperator(TakeName());
    if (!op) {
      at_ = start;
      return Fail(Bad("expected an operator (eq, ne, co, …)"));
    }
    test.op = *op;
    if (!SkipSpace()) return Fail(Bad("expected a value behind the operator"));
    FHIR_TRY_VOID(ParseValue(&test.value));
    if (test.depth > kMaxFilterDepth) return Fail(TooDeep());
    return test;
  }

  Result<void> ParsePath(std::size_t level, FilterNode* test) {
    std::size_t inner = 0;
    do {
      FilterStep step;
      step.offset = at_;
      step.name = TakeName();
      if (step.name.empty()) return Fail(Bad("expected the name of a search parameter"));
      if (Take(':')) {
        step.type = TakeName();
        if (step.type.empty()) return Fail(Bad("expected a resource type behind ':'"));
      }
      if (Take('[')) {
        FHIR_TRY(filter, ParseFilter(level + 1));
        if (!Take(']')) return Fail(Bad("expected 'and', 'or' or ']'"));
        if (Peek() != '.') return Fail(Bad("expected '.' and a name behind ']'"));
        inner = std::max(inner, filter.depth);
        step.filter.push_back(std::move(filter));
      }
      test->path.push_back(std::move(step));
      if (test->path.size() + inner > kMaxFilterDepth) return Fail(TooDeep());
    } while (Take('.'));
    test->depth = test->path.size() + inner;
    return {};
  }

  Result<void> ParseValue(std::string* value) {
    if (Peek() == '"') return ParseString(value);
    const std::size_t start = at_;
    while (at_ < text_.size() && Peek() != ')' && Peek() != ']' &&
           SpaceSize(text_.substr(at_)) == 0) {
      ++at_;
    }
    *value = text_.substr(start, at_ - start);
    if (value->empty()) return Fail(Bad("expected a value"));
    return {};
  }

  Result<void> ParseString(std::string* value) {
    std::size_t end = at_ + 1;
    while (end < text_.size() && text_[end] != '"') end += text_[end] == '\\' ? 2 : 1;
    if (end >= text_.size()) return Fail(Bad("the string does not end"));
    const auto document = json::Document::Parse(text_.substr(at_, end + 1 - at_));
    if (!document) return Fail(Bad("this is not a JSON string"));
    *value = document->Root().StringOrEmpty();
    if (value->find('\0') != std::string::npos) return Fail(Bad("the string contains NUL"));
    if (value->empty()) return Fail(Bad("the string is empty"));
    at_ = end + 1;
    const bool is_end = at_ == text_.size() || Peek() == ')' || Peek() == ']';
    if (!is_end && SpaceSize(text_.substr(at_)) == 0) {
      return Fail(Bad("expected white space behind the string"));
    }
    return {};
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t tests_ = 0;
};

}  // namespace

Result<FilterNode> ParseFilter(std::string_view text) {
  return Parser(text).ParseAll();
}

Error AtPlace(std::string_view text, std::size_t offset, Error error) {
  // Characters, not bytes: what a reader counts.
  const auto place = 1 + std::ranges::count_if(text.substr(0, offset),
                                               [](char c) { return (c & '\xC0') != '\x80'; });
  for (Issue& issue : error.issues) {
    issue.diagnostics += " (at character " + std::to_string(place) + ")";
  }
  return error;
}

}  // namespace fhir::search
