#include "fhir/search/parameter_parser.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <utility>

#include "fhir/search/escape.h"
#include "fhir/search/types/date.h"
#include "fhir/search/types/reference.h"
#include "fhir/validation/structure.h"

namespace fhir::search {
namespace {

constexpr std::string_view kHasPrefix = "_has:";
constexpr int kMaxDepth = 16;               // Steps of one chain.
constexpr std::size_t kMaxSteps = 2'000;    // Of all chains, in all types that they may go through.
constexpr std::size_t kMaxRanges = 20'000;  // Of all values, in all indexes.

std::string Quoted(std::string_view text) {
  return "'" + std::string(text) + "'";
}

bool Contains(const std::vector<std::string>& list, std::string_view item) {
  return std::find(list.begin(), list.end(), item) != list.end();
}

Error TooManyValues() {
  return TooCostly("the search has too many values");
}

Expression LastUpdated(std::int64_t from_us, std::int64_t to_us) {
  Expression expression;
  expression.kind = Expression::Kind::kLastUpdated;
  expression.from_us = from_us;
  expression.to_us = to_us;
  return expression;
}

// A version's instant is a point: the rules of types/date.cc for a range of no width.
Expression LastUpdated(const DateText& date) {
  constexpr std::int64_t kMin = std::numeric_limits<std::int64_t>::min();
  constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
  const auto [low, high] = date.range;
  switch (date.prefix) {
    case Prefix::kEq:
    case Prefix::kAp: return LastUpdated(low, high);
    case Prefix::kNe: return Expression::Not(LastUpdated(low, high));
    case Prefix::kGt:
    case Prefix::kSa: return LastUpdated(high, kMax);
    case Prefix::kGe: return LastUpdated(low, kMax);
    case Prefix::kLt:
    case Prefix::kEb: return LastUpdated(kMin, low);
    case Prefix::kLe: return LastUpdated(kMin, high);
  }
  return Expression::None();
}

// Chains follow references; canonicals name no resource by type and id.
bool CanBeFollowed(const SearchParameter& parameter, const Registry& registry) {
  return std::all_of(parameter.indexes.begin(), parameter.indexes.end(), [&](IndexId index) {
    const std::vector<Step>& steps = registry.IndexAt(index).path.steps;
    if (steps.empty()) return false;
    const std::string_view type = definitions::GetType(steps.back().type).name;
    return type != "canonical" && type != "uri";
  });
}

}  // namespace

Result<Expression> ParameterParser::Parse(std::string_view type, std::string_view name,
                                          std::string_view text) {
  name_ = name;
  text_ = text;
  unknown_ = false;
  return ParseStep(type, name, 0);
}

Result<Expression> ParameterParser::ParseStep(std::string_view type, std::string_view name,
                                              int depth) {
  if (depth > kMaxDepth || ++steps_ > kMaxSteps) {
    return Fail(TooCostly("parameter " + Quoted(name_) +
                          " can go too many ways; name the types of its references"));
  }
  if (name.starts_with(kHasPrefix)) return ParseHas(type, name, depth);
  const std::size_t dot = name.find('.');
  const std::string_view head = name.substr(0, dot);
  const std::size_t colon = head.find(':');
  Name parts;
  parts.code = head.substr(0, colon);
  if (colon != std::string_view::npos) {
    parts.modifier = head.substr(colon + 1);
    if (parts.modifier.empty()) return Fail(BadName("the modifier is empty"));
  }
  if (dot != std::string_view::npos) return ParseChain(type, parts, name.substr(dot + 1), depth);
  const SearchParameter* parameter = registry_.Find(type, parts.code);
  if (parameter == nullptr) return Fail(Unknown(type, parts.code));
  return ParseValues(*parameter, parts.modifier);
}

// _has:Observation:patient:code
Result<Expression> ParameterParser::ParseHas(std::string_view type, std::string_view name,
                                             int depth) {
  name.remove_prefix(kHasPrefix.size());
  const std::size_t first = name.find(':');
  const std::size_t second = first == std::string_view::npos ? first : name.find(':', first + 1);
  if (second == std::string_view::npos)
    return Fail(BadName("not of the form _has:type:reference:parameter"));
  const std::string_view source = name.substr(0, first);
  if (!definitions::IsResourceType(source)) {
    return Fail(BadName(Quoted(source) + " is not a resource type"));
  }
  const std::string_view code = name.substr(first + 1, second - first - 1);
  FHIR_TRY(reference, FindReference(source, code));
  if (!Contains(reference->targets, type)) {
    return Fail(BadName(Quoted(code) + " does not refer to " + std::string(type)));
  }
  FHIR_TRY(child, ParseStep(source, name.substr(second + 1), depth + 1));
  Expression has;
  has.kind = Expression::Kind::kHas;
  has.type = source;
  has.references = reference->indexes;
  has.children.push_back(std::move(child));
  return has;
}

Result<Expression> ParameterParser::ParseChain(std::string_view type, const Name& head,
                                               std::string_view rest, int depth) {
  FHIR_TRY(reference, FindReference(type, head.code));
  if (!head.modifier.empty() && !Contains(reference->targets, head.modifier)) {
    return Fail(BadName(Quoted(head.code) + " does not refer to " + Quoted(head.modifier)));
  }
  std::vector<std::string_view> targets;
  for (const std::string& target : reference->targets) {
    if (head.modifier.empty() || head.modifier == target) targets.push_back(target);
  }
  return ParseTargets(*reference, targets, rest, depth);
}

// A chain that names no type goes through all that have the next parameter.
Result<Expression> ParameterParser::ParseTargets(const SearchParameter& parameter,
                                                 const std::vector<std::string_view>& targets,
                                                 std::string_view rest, int depth) {
  std::vector<Expression> ways;
  Result<Expression> failure = Fail(BadName("the chain goes nowhere"));
  for (const std::string_view target : targets) {
    unknown_ = false;
    auto child = ParseStep(target, rest, depth + 1);
    if (!child) {
      if (!unknown_) return child;
      failure = std::move(child);
      continue;
    }
    Expression chain;
    chain.kind = Expression::Kind::kChain;
    chain.type = target;
    chain.references = parameter.indexes;
    chain.children.push_back(*std::move(child));
    ways.push_back(std::move(chain));
  }
  if (ways.empty()) return failure;
  unknown_ = false;
  return Expression::Or(std::move(ways));
}

Result<const SearchParameter*> ParameterParser::FindReference(std::string_view type,
                                                              std::string_view code) {
  const SearchParameter* parameter = registry_.Find(type, code);
  if (parameter == nullptr) return Fail(Unknown(type, code));
  if (parameter->type != SearchType::kReference) {
    return Fail(BadName(Quoted(code) + " is not a reference"));
  }
  if (!CanBeFollowed(*parameter, registry_)) {
    return Fail(NotSupported("parameter " + Quoted(name_) + ": " + Quoted(code) +
                             " holds canonical URLs, which chains do not follow"));
  }
  return parameter;
}

Result<Expression> ParameterParser::ParseValues(const SearchParameter& parameter,
                                                std::string_view modifier) {
  if (parameter.code == "_list") {
    if (!modifier.empty()) return Fail(BadModifier(parameter, modifier));
    return ParseList();
  }
  if (modifier == "missing") return ParseMissing(parameter);
  FHIR_TRY_VOID(CheckModifier(parameter, modifier));
  auto matches = parameter.code == "_id"            ? ParseId()
                 : parameter.code == "_lastUpdated" ? ParseLastUpdated()
                                                    : ParseAlternatives(parameter, modifier);
  const bool is_negated = modifier == "not" || modifier == "not-in";
  if (matches && is_negated) return Expression::Not(*std::move(matches));
  return matches;
}

Result<void> ParameterParser::CheckModifier(const SearchParameter& parameter,
                                            std::string_view modifier) const {
  if (modifier.empty()) return {};
  if (parameter.rules == nullptr) {
    if (parameter.code == "_id" && modifier == "not") return {};
    return Fail(BadModifier(parameter, modifier));
  }
  const SearchTypeSpec& rules = *parameter.rules;
  const auto fits = [&](IndexId index) {
    const Path& path = registry_.IndexAt(index).path;
    return !path.steps.empty() && rules.modifier_fits(modifier, path.steps.back());
  };
  for (const std::string_view known : rules.modifiers) {
    if (modifier == known) {
      if (rules.modifier_fits == nullptr) return {};
      if (std::any_of(parameter.indexes.begin(), parameter.indexes.end(), fits)) return {};
      return Fail(BadModifier(parameter, modifier));
    }
    if (known != "[type]" || !definitions::IsResourceType(modifier)) continue;
    if (Contains(parameter.targets, modifier)) return {};
    return Fail(BadName(Quoted(parameter.code) + " does not refer to " + Quoted(modifier)));
  }
  return Fail(BadModifier(parameter, modifier));
}

Result<Expression> ParameterParser::ParseAlternatives(const SearchParameter& parameter,
                                                      std::string_view modifier) {
  FHIR_TRY(alternatives, Alternatives());
  std::vector<ValueRange> any;
  std::vector<Expression> ways;
  for (const std::string_view text : alternatives) {
    FHIR_TRY(ranges, ParseAlternative(parameter, modifier, text));
    if (!parameter.rules->needs_every_range) {
      std::move(ranges.begin(), ranges.end(), std::back_inserter(any));
      continue;
    }
    std::vector<Expression> all;
    for (ValueRange& range : ranges) all.push_back(Expression::Values({std::move(range)}));
    ways.push_back(Expression::And(std::move(all)));
  }
  if (!ways.empty()) return Expression::Or(std::move(ways));
  return Expression::Values(std::move(any));
}

// The ranges of one alternative, in each index of the parameter.
Result<std::vector<ValueRange>> ParameterParser::ParseAlternative(const SearchParameter& parameter,
                                                                  std::string_view modifier,
                                                                  std::string_view text) {
  SearchValue value = ValueOf(text);
  value.modifier = modifier;
  value.targets = parameter.targets;
  value.only_type = parameter.only_type;
  value.components = parameter.components;
  FHIR_TRY(ranges, parameter.rules->parse(value));
  ranges_ += ranges.size() * parameter.indexes.size();
  if (ranges_ > kMaxRanges) return Fail(TooManyValues());
  std::vector<ValueRange> all;
  all.reserve(ranges.size() * parameter.indexes.size());
  for (const IndexId index : parameter.indexes) {
    for (const ValueRange& range : ranges) {
      all.push_back(range);
      all.back().index = index;
    }
  }
  return all;
}

Result<Expression> ParameterParser::ParseMissing(const SearchParameter& parameter) {
  if (text_ != "true" && text_ != "false") return Fail(Bad("is not true or false"));
  Expression present;  // _id and _lastUpdated: all.
  std::vector<ValueRange> ranges;
  for (const IndexId index : parameter.indexes) {
    ValueRange range;
    // The index holds references to other types too.
    if (!parameter.only_type.empty()) {
      range = PrefixRange(LocalReferencePrefix(parameter.only_type));
    }
    range.index = index;
    ranges.push_back(std::move(range));
  }
  if (!ranges.empty()) present = Expression::Values(std::move(ranges));
  if (text_ == "false") return present;
  return Expression::Not(std::move(present));
}

Result<Expression> ParameterParser::ParseId() {
  FHIR_TRY(alternatives, Alternatives());
  ranges_ += alternatives.size();
  if (ranges_ > kMaxRanges) return Fail(TooManyValues());
  std::vector<std::string> ids;
  for (const std::string_view text : alternatives) {
    if (!validation::IsId(text)) return Fail(BadValue(ValueOf(text), "is not an id"));
    ids.emplace_back(text);
  }
  return Expression::Ids(std::move(ids));
}

// The resources that the entries of List/x refer to.
Result<Expression> ParameterParser::ParseList() {
  FHIR_TRY(ids, Alternatives());
  const SearchParameter* items = registry_.Find("List", "item");
  Expression has;
  has.kind = Expression::Kind::kHas;
  has.type = "List";
  has.references = items->indexes;
  Expression lists;
  lists.kind = Expression::Kind::kIds;
  for (const std::string_view id : ids) {
    if (id.starts_with('$')) {
      return Fail(NotSupported("parameter " + Quoted(name_) + ": the functional list " +
                               Quoted(id) + " is not supported"));
    }
    if (!validation::IsId(id)) return Fail(BadValue(ValueOf(id), "is not the id of a List"));
    lists.ids.emplace_back(id);
  }
  has.children.push_back(std::move(lists));
  return has;
}

Result<Expression> ParameterParser::ParseLastUpdated() {
  FHIR_TRY(alternatives, Alternatives());
  ranges_ += alternatives.size();
  if (ranges_ > kMaxRanges) return Fail(TooManyValues());
  std::vector<Expression> any;
  for (const std::string_view text : alternatives) {
    FHIR_TRY(date, ParseDateText(ValueOf(text)));
    any.push_back(LastUpdated(date));
  }
  return Expression::Or(std::move(any));
}

Result<std::vector<std::string_view>> ParameterParser::Alternatives() const {
  std::vector<std::string_view> parts = SplitUnescaped(text_, ',');
  std::erase_if(parts, [](std::string_view part) { return part.empty(); });
  if (parts.empty()) return Fail(Bad("has no value"));
  if (parts.size() > kMaxRanges) return Fail(TooManyValues());
  return parts;
}

SearchValue ParameterParser::ValueOf(std::string_view text) const {
  SearchValue value;
  value.name = name_;
  value.text = text;
  value.zone = &options_.zone;
  value.base_url = options_.base_url;
  value.now_us = options_.now_us;
  value.terminology = options_.terminology;
  return value;
}

Error ParameterParser::BadName(std::string_view problem) const {
  return Invalid("parameter " + Quoted(name_) + ": " + std::string(problem), std::string(name_));
}

Error ParameterParser::Bad(std::string_view problem) const {
  return BadValue(ValueOf(text_), problem);
}

Error ParameterParser::BadModifier(const SearchParameter& parameter,
                                   std::string_view modifier) const {
  return NotSupported("parameter " + Quoted(name_) + ": the " +
                      std::string(definitions::ToString(parameter.type)) + " parameter " +
                      Quoted(parameter.code) + " has no modifier ':" + std::string(modifier) +
                      "' here");
}

Error ParameterParser::Unknown(std::string_view type, std::string_view code) {
  unknown_ = true;
  if (code == "_content") {
    return NotSupported("parameter " + Quoted(name_) +
                        " is not supported unless the setting DB_CONTENT_INDEX is true");
  }
  std::string text = std::string(type) + " has no search parameter " + Quoted(code);
  if (name_ != code) text += " (in " + Quoted(name_) + ")";
  // Lenient handling drops the text, perhaps of thousands of names.
  const std::string nearest = options_.lenient ? "" : NearestName(registry_, type, code);
  if (!nearest.empty()) text += "; did you mean " + Quoted(nearest) + "?";
  return NotSupported(std::move(text));
}

}  // namespace fhir::search
