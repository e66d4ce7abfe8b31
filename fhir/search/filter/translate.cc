#include "fhir/search/filter/translate.h"

#include <algorithm>
#include <array>
#include <utility>

#include "fhir/search/escape.h"
#include "fhir/search/parameter_expressions.h"
#include "fhir/search/parameter_parser.h"
#include "fhir/search/types/date.h"
#include "fhir/validation/structure.h"

namespace fhir::search {
namespace {

using Kind = FilterNode::Kind;

constexpr std::size_t kMaxSteps = 2'000;  // Of all tests, in all types that chains may go through.
constexpr std::size_t kMaxRanges = 20'000;  // Of all values, in all indexes.

std::string Quoted(std::string_view text) {
  return "'" + std::string(text) + "'";
}

// "For convenience": R4 3.1.3.2. The value with the system in place of the code that stands for it.
std::string WithSystem(const std::string& text) {
  static constexpr std::pair<std::string_view, std::string_view> kSystems[] = {
      {"loinc", "http://loinc.org"},
      {"snomed", "http://snomed.info/sct"},
      {"rxnorm", "http://www.nlm.nih.gov/research/umls/rxnorm"},
      {"ucum", "http://unitsofmeasure.org"}};
  for (const auto& [code, system] : kSystems) {
    const std::string named = "|" + std::string(code) + "|";
    if (text.starts_with(named.substr(1))) return std::string(system) + text.substr(code.size());
    // Of a quantity the number comes first.
    const std::size_t bar = text.find('|');
    if (bar == std::string::npos || !text.substr(bar).starts_with(named)) continue;
    return text.substr(0, bar + 1) + std::string(system) + text.substr(bar + 1 + code.size());
  }
  return text;
}

// The value as the search type's rules read it: only tokens and quantities keep the format of the
// search parameter, with its '|' and escapes.
std::string SearchText(SearchType type, const FilterNode& test) {
  if (test.op == FilterOperator::kIn || test.op == FilterOperator::kNi) return Escape(test.value);
  const bool has_parts = type == SearchType::kToken || type == SearchType::kQuantity;
  const std::string text = has_parts ? WithSystem(test.value) : Escape(test.value);
  return IsPrefixOperator(test.op) && FindSearchType(type)->has_prefixes
             ? std::string(CodeOf(test.op)) + text
             : text;
}

// The modifier that asks the same of a token; empty: none.
std::string_view ModifierOf(FilterOperator op) {
  if (op == FilterOperator::kIn || op == FilterOperator::kNi) return "in";
  if (op == FilterOperator::kSs) return "below";
  return op == FilterOperator::kSb ? "above" : "";
}

}  // namespace

Result<Expression> FilterTranslator::Translate(std::string_view type, std::string_view text) {
  text_ = text;
  unknown_ = false;
  FHIR_TRY(filter, ParseFilter(text));
  auto expression = TranslateNode(type, filter);
  if (expression || !unknown_) return expression;
  const std::string nearest = NearestName(registry_, unknown_type_, unknown_name_);
  if (nearest.empty()) return expression;
  Error error = std::move(expression).error();
  error.issues.front().diagnostics += "; did you mean " + Quoted(nearest) + "?";
  return Fail(std::move(error));
}

Result<Expression> FilterTranslator::TranslateNode(std::string_view type, const FilterNode& node) {
  if (node.kind == Kind::kTest) return TranslateTest(type, node);
  std::vector<Expression> children;
  for (const FilterNode& child : node.children) {
    FHIR_TRY(expression, TranslateNode(type, child));
    children.push_back(std::move(expression));
  }
  if (node.kind == Kind::kNot) return Expression::Not(std::move(children.front()));
  return node.kind == Kind::kAnd ? Expression::And(std::move(children))
                                 : Expression::Or(std::move(children));
}

// What is asked of the whole set of values, and not of one of them, is a negation: it holds where
// the path leads nowhere too.
Result<Expression> FilterTranslator::TranslateTest(std::string_view type, const FilterNode& test) {
  const bool is_presence = test.op == FilterOperator::kPr;
  if (is_presence && test.value != "true" && test.value != "false") {
    return Fail(Refused(test.offset, "'pr' needs true or false"));
  }
  FHIR_TRY(found, Follow(type, test, 0));
  const bool is_negated = test.op == FilterOperator::kNi || (is_presence && test.value == "false");
  return is_negated ? Expression::Not(std::move(found)) : std::move(found);
}

Result<Expression> FilterTranslator::Follow(std::string_view type, const FilterNode& test,
                                            std::size_t at) {
  const FilterStep& step = test.path[at];
  FHIR_TRY_VOID(CountStep(step));
  const SearchParameter* parameter = registry_.Find(type, step.name);
  if (parameter == nullptr) return Fail(Unknown(type, step));
  if (at + 1 == test.path.size()) {
    if (!step.type.empty()) {
      return Fail(Refused(step.offset, Quoted(step.type) + " behind ':' needs a chain"));
    }
    return TranslateValue(*parameter, test);
  }
  FHIR_TRY(targets, TargetsOf(*parameter, step));
  std::vector<Expression> ways;
  Result<Expression> failure = Fail(Refused(step.offset, "the chain goes nowhere"));
  for (const std::string_view target : targets) {
    unknown_ = false;
    auto child = FollowTo(target, test, at);
    if (!child) {
      if (!unknown_) return child;
      failure = std::move(child);
      continue;
    }
    Expression chain;
    chain.kind = Expression::Kind::kChain;
    chain.type = target;
    chain.references = parameter->indexes;
    chain.children.push_back(*std::move(child));
    ways.push_back(std::move(chain));
  }
  if (ways.empty()) return failure;
  unknown_ = false;
  return Expression::Or(std::move(ways));
}

// The resources of `target` that path[at] may lead to: they fulfil its brackets, and what follows.
Result<Expression> FilterTranslator::FollowTo(std::string_view target, const FilterNode& test,
                                              std::size_t at) {
  std::vector<Expression> both;
  for (const FilterNode& filter : test.path[at].filter) {
    FHIR_TRY(inner, TranslateNode(target, filter));
    both.push_back(std::move(inner));
  }
  FHIR_TRY(rest, Follow(target, test, at + 1));
  both.push_back(std::move(rest));
  return Expression::And(std::move(both));
}

// A chain that names no type goes through all that have the next parameter.
Result<std::vector<std::string_view>> FilterTranslator::TargetsOf(const SearchParameter& parameter,
                                                                  const FilterStep& step) const {
  if (parameter.type != SearchType::kReference) {
    return Fail(Refused(step.offset, Quoted(step.name) + " is not a reference"));
  }
  if (!CanBeFollowed(registry_, parameter)) {
    return Fail(Refused(step.offset,
                        Quoted(step.name) + " holds canonical URLs, which chains do not follow"));
  }
  std::vector<std::string_view> targets;
  for (const std::string& target : parameter.targets) {
    if (step.type.empty() || step.type == target) targets.push_back(target);
  }
  if (targets.empty()) {
    return Fail(
        Refused(step.offset, Quoted(step.name) + " does not refer to " + Quoted(step.type)));
  }
  return targets;
}

Result<Expression> FilterTranslator::TranslateValue(const SearchParameter& parameter,
                                                    const FilterNode& test) {
  if (parameter.code == "_list") {
    return Fail(Refused(test.offset, "'_list' is not supported in a filter"));
  }
  if (test.op == FilterOperator::kPr) return PresenceOf(parameter);
  if (parameter.code == "_id") return TranslateId(test);
  if (parameter.code == "_lastUpdated") return TranslateLastUpdated(test);
  FHIR_TRY_VOID(CheckOperator(parameter, test));
  auto ranges = RangesOf(parameter, test);
  if (!ranges) return Fail(AtPlace(text_, test.offset, std::move(ranges).error()));
  ranges_ += ranges->size() * parameter.indexes.size();
  if (ranges_ > kMaxRanges) {
    return Fail(AtPlace(text_, test.offset, TooCostly("the search has too many values")));
  }
  std::vector<ValueRange> all;
  all.reserve(ranges->size() * parameter.indexes.size());
  for (const IndexId index : parameter.indexes) {
    for (const ValueRange& range : *ranges) {
      all.push_back(range);
      all.back().index = index;
    }
  }
  return Expression::Values(std::move(all));
}

// Ids are case-sensitive (R4 2.24.0.1).
Result<Expression> FilterTranslator::TranslateId(const FilterNode& test) const {
  static constexpr FilterOperator kOperators[] = {FilterOperator::kEq, FilterOperator::kNe};
  if (test.op != FilterOperator::kEq && test.op != FilterOperator::kNe) {
    return Fail(NoOperator(*registry_.Find("Patient", "_id"), kOperators, test));
  }
  if (!validation::IsId(test.value)) {
    return Fail(AtPlace(text_, test.offset, BadValue(ValueOf(test.value), "is not an id")));
  }
  Expression ids = Expression::Ids({test.value});
  return test.op == FilterOperator::kEq ? std::move(ids) : Expression::Not(std::move(ids));
}

// An instant is a point: what overlaps it contains it.
Result<Expression> FilterTranslator::TranslateLastUpdated(const FilterNode& test) const {
  static constexpr auto kOperators = [] {
    std::array<FilterOperator, std::size(kPrefixOperators) + 1> all{};
    *std::ranges::copy(kPrefixOperators, all.begin()).out = FilterOperator::kPo;
    return all;
  }();
  if (std::ranges::find(kOperators, test.op) == kOperators.end()) {
    return Fail(NoOperator(*registry_.Find("Patient", "_lastUpdated"), kOperators, test));
  }
  const bool is_overlap = test.op == FilterOperator::kPo;
  const std::string text =
      std::string(CodeOf(is_overlap ? FilterOperator::kEq : test.op)) + Escape(test.value);
  auto date = ParseDateText(ValueOf(text));
  if (!date) return Fail(AtPlace(text_, test.offset, std::move(date).error()));
  return LastUpdatedIn(*date);
}

Result<void> FilterTranslator::CheckOperator(const SearchParameter& parameter,
                                             const FilterNode& test) const {
  const auto& operators = parameter.rules->operators;
  if (std::ranges::find(operators, test.op) == operators.end()) {
    return Fail(NoOperator(parameter, operators, test));
  }
  const std::string_view modifier = ModifierOf(test.op);
  if (modifier.empty() || ModifierFits(registry_, parameter, modifier)) return {};
  return Fail(Refused(test.offset, Quoted(parameter.code) + " has no concepts that " +
                                       Quoted(CodeOf(test.op)) + " could ask for"));
}

Result<std::vector<ValueRange>> FilterTranslator::RangesOf(const SearchParameter& parameter,
                                                           const FilterNode& test) const {
  const std::string text = SearchText(parameter.type, test);
  SearchValue value = ValueOf(text);
  value.modifier = ModifierOf(test.op);
  value.targets = parameter.targets;
  value.only_type = parameter.only_type;
  const SearchTypeSpec& rules = *parameter.rules;
  const bool is_parsed = rules.compare == nullptr || !value.modifier.empty() ||
                         (rules.has_prefixes && IsPrefixOperator(test.op));
  return is_parsed ? rules.parse(value) : rules.compare(test.op, value);
}

Result<void> FilterTranslator::CountStep(const FilterStep& step) {
  if (++steps_ <= kMaxSteps) return {};
  return Fail(AtPlace(text_, step.offset,
                      TooCostly("parameter '_filter' can go too many ways; name the types of its "
                                "references")));
}

SearchValue FilterTranslator::ValueOf(std::string_view text) const {
  SearchValue value;
  value.name = "_filter";
  value.text = text;
  value.zone = &options_.zone;
  value.base_url = options_.base_url;
  value.now_us = options_.now_us;
  value.terminology = options_.terminology;
  return value;
}

Error FilterTranslator::Unknown(std::string_view type, const FilterStep& step) {
  unknown_ = true;
  unknown_type_ = type;
  unknown_name_ = step.name;
  return Refused(step.offset, std::string(type) + " has no search parameter " + Quoted(step.name));
}

Error FilterTranslator::Refused(std::size_t offset, const std::string& problem) const {
  return AtPlace(text_, offset, NotSupported("parameter '_filter': " + problem));
}

Error FilterTranslator::NoOperator(const SearchParameter& parameter,
                                   std::span<const FilterOperator> operators,
                                   const FilterNode& test) const {
  std::string text = "the " + std::string(definitions::ToString(parameter.type)) + " parameter " +
                     Quoted(parameter.code) + " has no operator " + Quoted(CodeOf(test.op)) +
                     "; it has pr";
  for (const FilterOperator op : operators) text.append(" ").append(CodeOf(op));
  return Refused(test.offset, text);
}

}  // namespace fhir::search
