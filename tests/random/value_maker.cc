#include "tests/random/value_maker.h"

#include <algorithm>

#include "fhir/base/text.h"

namespace random_search {

using fhir::definitions::SearchParameterDefinition;
using fhir::definitions::SearchType;
using fhir::json::Value;
using reference::Condition;
using reference::Found;

namespace {

// A Coding or a CodeableConcept, which may be asked for concepts.
bool HasConcepts(const Value& v) {
  return v.IsObject() &&
         (!v.Find("coding").IsNone() || (!v.Find("code").IsNone() && v.Find("value").IsNone()));
}

}  // namespace

constexpr std::string_view kPlain =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 ";

bool IsPlain(std::string_view text) {
  return text.find_first_not_of(kPlain) == std::string_view::npos &&
         text.find_first_not_of(' ') != std::string_view::npos;
}

bool Refers(const SearchParameterDefinition& parameter, const std::string& target) {
  return std::find(parameter.targets.begin(), parameter.targets.end(), target) !=
         parameter.targets.end();
}

Condition Single(std::string code, std::string modifier, std::string value) {
  Condition condition;
  condition.code = std::move(code);
  condition.modifier = std::move(modifier);
  condition.values = {std::move(value)};
  return condition;
}

std::optional<Condition> ValueMaker::Make(const std::string& type,
                                          const SearchParameterDefinition& parameter,
                                          const Found& found) {
  if (parameter.type == SearchType::kToken && random_->OneIn(2)) {
    if (auto condition = VaryToken(parameter, found)) return condition;
  }
  const Value identifier =
      parameter.type == SearchType::kReference ? found.value.Find("identifier") : Value();
  if (!identifier.IsNone() && random_->OneIn(2)) {
    const auto [system, value] = reference::TokensOf(identifier).at(0);
    return Single(std::string(parameter.code), "identifier",
                  random_->OneIn(3) ? value : system + "|" + value);
  }
  auto examples = reference::ExampleValues(parameter, found, type);
  // A second bar would be a third part; what has no letters cannot be searched for.
  std::erase_if(examples, [&](const std::string& example) {
    const auto bars = std::count(example.begin(), example.end(), '|');
    return (parameter.type == SearchType::kToken && bars > 1) ||
           (parameter.type == SearchType::kString && fhir::FoldText(example).empty());
  });
  if (examples.empty()) return std::nullopt;
  return Vary(parameter, found, std::move(examples));
}

std::optional<Condition> ValueMaker::VaryToken(const SearchParameterDefinition& parameter,
                                               const Found& found) {
  const std::string code(parameter.code);
  if (random_->OneIn(2) && HasConcepts(found.value)) {
    if (auto condition = VaryConcepts(found)) {
      condition->code = code;
      return condition;
    }
  }
  const std::vector<std::string> typed = reference::TypedIdentifiers(found.value);
  if (!typed.empty() && random_->OneIn(2)) {
    const std::string& value = random_->Pick(typed);
    const bool is_whole = value.find("||") == std::string::npos && value.front() != '|' &&
                          value.find_first_of(",$\\") == std::string::npos;
    if (is_whole) return Single(code, "of-type", value);
  }
  const std::vector<std::string> texts = reference::TokenTexts(found.value);
  if (texts.empty()) return std::nullopt;
  std::string text = random_->Pick(texts);
  text.resize(1 + random_->Below(text.size()));
  if (!IsPlain(text)) return std::nullopt;
  return Single(code, "text", text);
}

std::optional<Condition> ValueMaker::VaryConcepts(const Found& found) {
  const auto tokens = reference::TokensOf(found.value);
  if (tokens.empty()) return std::nullopt;
  const auto& [system, code] = random_->Pick(tokens);
  if (random_->OneIn(2)) {
    const auto& sets = terminology_->ValueSetsOf(system);
    if (sets.empty()) return std::nullopt;
    auto set = std::next(sets.begin(), random_->Below(sets.size()));
    for (int tries = 0; tries < 4 && !set->second->contains({system, code}); ++tries) {
      set = std::next(sets.begin(), random_->Below(sets.size()));
    }
    Condition condition = Single("", random_->OneIn(3) ? "not-in" : "in", set->first);
    condition.concepts = set->second;
    return condition;
  }
  const bool is_below = random_->OneIn(2);
  const auto meaning =
      is_below ? terminology_->Below(system, code) : terminology_->Above(system, code);
  if (meaning == nullptr || code.find('|') != std::string::npos) return std::nullopt;
  Condition condition = Single("", is_below ? "below" : "above", system + "|" + code);
  condition.concepts = meaning;
  return condition;
}

void ValueMaker::VaryString(Condition* condition) {
  static const std::vector<std::string> kModifiers = {"", "exact", "contains"};
  condition->modifier = random_->Pick(kModifiers);
  std::string& value = condition->values.front();
  if (condition->modifier == "exact" || value.size() < 4) return;
  const std::string part = value.substr(condition->modifier == "contains" ? 1 : 0, 3);
  if (IsPlain(value) && IsPlain(part)) value = part;
}

Condition ValueMaker::Vary(const SearchParameterDefinition& parameter, const Found& found,
                           std::vector<std::string> examples) {
  static const std::vector<std::string> kPrefixes = {"",   "eq", "ne", "gt", "lt",
                                                     "ge", "le", "sa", "eb"};
  Condition condition = Single(std::string(parameter.code), "", random_->Pick(examples));
  std::string& value = condition.values.front();
  switch (parameter.type) {
    case SearchType::kDate:
      if (value.size() > 4 && random_->OneIn(2)) {
        static const std::vector<std::size_t> kSizes = {4, 7, 10};
        value.resize(std::min(value.size(), random_->Pick(kSizes)));
      }
      value = random_->Pick(kPrefixes) + value;
      break;
    case SearchType::kNumber:
    case SearchType::kQuantity:
      value =
          (value.find('|') == std::string::npos && random_->OneIn(8) ? "ap"
                                                                     : random_->Pick(kPrefixes)) +
          value;
      break;
    case SearchType::kString: VaryString(&condition); break;
    case SearchType::kToken:
      if (random_->OneIn(6)) condition.modifier = "not";
      if (random_->OneIn(3)) condition.values.push_back(random_->Pick(examples));
      break;
    case SearchType::kReference: {
      const std::size_t slash = value.find('/');
      if (!found.value.IsObject() || slash == std::string::npos || !random_->OneIn(4)) break;
      if (!Refers(parameter, value.substr(0, slash))) break;
      condition.modifier = value.substr(0, slash);
      value.erase(0, slash + 1);
      break;
    }
    case SearchType::kUri:
      if (value.starts_with("urn:") || random_->OneIn(2)) break;
      condition.modifier = random_->OneIn(2) ? "below" : "above";
      if (condition.modifier == "below") value.resize(std::min(value.size(), value.rfind('/')));
      if (condition.modifier == "above") value += "/more";
      break;
    case SearchType::kComposite: {
      const std::size_t last = value.rfind('$') + 1;
      if (last < value.size() && value[last] >= '0' && value[last] <= '9' &&
          parameter.code.find("quantity") != std::string_view::npos) {
        value.insert(last, random_->Pick(kPrefixes));
      }
      break;
    }
    case SearchType::kSpecial: break;
  }
  return condition;
}

}  // namespace random_search
