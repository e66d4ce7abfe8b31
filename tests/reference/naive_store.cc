#include "tests/reference/naive_store.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "fhir/base/check.h"
#include "fhir/base/text.h"
#include "fhir/base/time.h"
#include "fhir/json/writer.h"

namespace reference {

using fhir::definitions::SearchParameterDefinition;
using fhir::definitions::SearchType;
using fhir::json::Value;

namespace {

constexpr std::size_t kNone = static_cast<std::size_t>(-1);

std::string ReferenceIn(const Value& value) {
  return value.IsObject() ? std::string(value.Find("reference").StringOrEmpty()) : std::string();
}

void AddTexts(const Value& value, std::vector<std::string>* out) {
  if (value.IsString()) return out->push_back(fhir::FoldText(value.Text()));
  if (value.IsArray()) {
    for (const Value item : value.Children()) AddTexts(item, out);
  }
}

// Big-endian, with the sign turned: bytes in the order of the numbers.
std::string Ordered(std::uint64_t bits) {
  std::string key;
  for (int shift = 56; shift >= 0; shift -= 8) key += static_cast<char>(bits >> shift & 255);
  return key;
}

std::string OrderedNumber(const std::string& text) {
  const double number = std::strtod(text.c_str(), nullptr);
  std::uint64_t bits = 0;
  static_assert(sizeof(bits) == sizeof(number));
  std::memcpy(&bits, &number, sizeof(bits));
  const std::uint64_t sign = std::uint64_t{1} << 63;
  return Ordered((bits & sign) != 0 ? ~bits : bits | sign);
}

std::vector<std::string> SortKeysOf(SearchType type, const Value& v) {
  std::vector<std::string> keys;
  switch (type) {
    case SearchType::kToken:
      if (!v.IsObject()) keys.emplace_back(v.Text());
      for (const auto& [system, code] : TokensOf(v)) keys.push_back(code);
      break;
    case SearchType::kString:
      AddTexts(v, &keys);
      if (v.IsObject()) {
        for (const char* part : {"family", "given", "prefix", "suffix", "text", "line", "city",
                                 "district", "state", "postalCode", "country"}) {
          if (const Value member = v.Find(part); !member.IsNone()) AddTexts(member, &keys);
        }
      }
      break;
    case SearchType::kDate: {
      const Value start = v.IsObject() ? v.Find("start") : v;
      const auto range = fhir::ParseDateTime(start.StringOrEmpty(), fhir::TimeZone::Utc());
      if (range) {
        keys.push_back(Ordered(static_cast<std::uint64_t>(range->low_us) ^ std::uint64_t{1} << 63));
      } else if (v.IsObject() && !v.Find("end").IsNone()) {
        keys.push_back(Ordered(0));  // Since ever.
      }
      break;
    }
    case SearchType::kNumber:
      if (!v.IsObject()) keys.push_back(OrderedNumber(std::string(v.Text())));
      break;
    case SearchType::kQuantity:
      if (v.IsObject() && !v.Find("value").IsNone()) {
        keys.push_back(OrderedNumber(std::string(v.Find("value").Text())));
      }
      break;
    case SearchType::kReference:
      if (const std::string text = ReferenceIn(v); !text.empty() && text[0] != '#') {
        keys.push_back(text);
      }
      break;
    case SearchType::kUri: keys.emplace_back(v.Text()); break;
    case SearchType::kComposite:
    case SearchType::kSpecial: break;
  }
  std::erase_if(keys, [](const std::string& key) { return key.empty(); });
  return keys;
}

}  // namespace

std::string NameOf(const Condition& condition) {
  const std::string modifier = condition.modifier.empty() ? "" : ":" + condition.modifier;
  switch (condition.kind) {
    case Condition::Kind::kValues:
    case Condition::Kind::kMissing:
    case Condition::Kind::kId:
    case Condition::Kind::kText: return condition.code + modifier;
    case Condition::Kind::kChain:
      return condition.code + (condition.type.empty() ? "" : ":" + condition.type) + "." +
             NameOf(condition.next.front());
    case Condition::Kind::kHas:
      return "_has:" + condition.type + ":" + condition.code + ":" + NameOf(condition.next.front());
  }
  return {};
}

std::string ValueOf(const Condition& condition) {
  if (!condition.next.empty()) return ValueOf(condition.next.front());
  std::string joined;
  for (const std::string& value : condition.values) joined += (joined.empty() ? "" : ",") + value;
  return joined;
}

void NaiveStore::Add(fhir::json::Document page) {
  pages_.push_back(std::make_unique<fhir::json::Document>(std::move(page)));
  const Value entries = pages_.back()->Root().Find("entry");
  if (entries.IsNone()) return;
  for (const Value entry : entries.Children()) {
    const Value resource = entry.Find("resource");
    OfType& of_type = types_[std::string(resource.Find("resourceType").Text())];
    const std::string id(resource.Find("id").Text());
    of_type.by_id[id] = of_type.resources.size();
    of_type.ids.push_back(id);
    of_type.resources.push_back(resource);
  }
}

std::vector<std::string> NaiveStore::Types() const {
  std::vector<std::string> types;
  for (const auto& [type, of_type] : types_) types.push_back(type);
  return types;
}

const std::vector<Value>& NaiveStore::Of(const std::string& type) const {
  static const std::vector<Value> kEmpty;
  const auto found = types_.find(type);
  return found == types_.end() ? kEmpty : found->second.resources;
}

const std::string& NaiveStore::IdOf(const std::string& type, std::size_t at) const {
  return types_.at(type).ids[at];
}

const NaiveStore::Column& NaiveStore::ColumnOf(const std::string& type, const std::string& code) {
  OfType& of_type = types_[type];
  const auto [at, is_new] = of_type.columns.try_emplace(code);
  Column& column = at->second;
  if (!is_new) return column;
  const SearchParameterDefinition* parameter = FindParameter(type, code);
  FHIR_CHECK(parameter != nullptr, "the parameter is one of the type");
  std::unordered_map<std::string, std::uint32_t> known;
  for (const Value& resource : of_type.resources) {
    std::vector<std::uint32_t>& values = column.of_resource.emplace_back();
    for (Found& found : Evaluate(parameter->expression, resource, type)) {
      std::string text = found.choice_type + " ";
      fhir::json::AppendValue(&text, found.value);
      const auto [number, is_first] =
          known.try_emplace(std::move(text), static_cast<std::uint32_t>(column.values.size()));
      if (is_first) column.values.push_back(std::move(found));
      values.push_back(number->second);
    }
  }
  return column;
}

std::vector<Found> NaiveStore::Values(const std::string& type, const std::string& code,
                                      std::size_t at) {
  const Column& column = ColumnOf(type, code);
  std::vector<Found> values;
  for (const std::uint32_t number : column.of_resource[at]) values.push_back(column.values[number]);
  return values;
}

NaiveStore::Matches NaiveStore::Where(const std::string& type, const Column& column,
                                      const std::function<bool(const Found&)>& holds) const {
  std::vector<std::uint8_t> of_value;
  of_value.reserve(column.values.size());
  for (const Found& found : column.values) of_value.push_back(holds(found) ? 1 : 0);
  Matches matches(Of(type).size());
  for (std::size_t i = 0; i < matches.size(); ++i) {
    for (const std::uint32_t number : column.of_resource[i]) matches[i] |= of_value[number];
  }
  return matches;
}

NaiveStore::Matches NaiveStore::Find(const std::string& type, const Condition& condition) {
  switch (condition.kind) {
    case Condition::Kind::kValues: return FindValues(type, condition);
    case Condition::Kind::kMissing: {
      const SearchParameterDefinition& parameter = *FindParameter(type, condition.code);
      Matches present(Of(type).size(), 1);
      if (!IsComputed(parameter)) {
        present = Where(type, ColumnOf(type, condition.code), [&](const Found& found) {
          return parameter.type != SearchType::kComposite || IsWhole(parameter, found.value, type);
        });
      }
      if (condition.values.front() == "false") return present;
      for (std::uint8_t& one : present) one ^= 1;
      return present;
    }
    case Condition::Kind::kId: {
      Matches matches(Of(type).size());
      for (const std::string& id : condition.values) {
        const auto found = types_[type].by_id.find(id);
        if (found != types_[type].by_id.end()) matches[found->second] = 1;
      }
      return matches;
    }
    case Condition::Kind::kText: return FindText(type, condition);
    case Condition::Kind::kChain: return FindChain(type, condition);
    case Condition::Kind::kHas: return FindHas(type, condition);
  }
  return {};
}

NaiveStore::Matches NaiveStore::FindValues(const std::string& type, const Condition& condition) {
  const Criterion criterion{FindParameter(type, condition.code), condition.modifier,
                            condition.values, condition.concepts.get()};
  if (IsComputed(*criterion.parameter)) {
    Matches matches;
    for (const Value& resource : Of(type)) {
      matches.push_back(reference::Matches(criterion, resource, type) ? 1 : 0);
    }
    return matches;
  }
  Matches matches = Where(type, ColumnOf(type, condition.code), [&](const Found& found) {
    return ValueMatches(criterion, found.value, type);
  });
  if (IsNegated(criterion)) {
    for (std::uint8_t& match : matches) match ^= 1;
  }
  return matches;
}

// Each value is words that must all be there.
NaiveStore::Matches NaiveStore::FindText(const std::string& type, const Condition& condition) {
  OfType& of_type = types_[type];
  if (of_type.words.empty()) {
    for (const Value& resource : of_type.resources) of_type.words.push_back(WordsOf(resource));
  }
  Matches matches(of_type.resources.size());
  for (const std::string& value : condition.values) {
    for (std::size_t i = 0; i < matches.size(); ++i) {
      bool has_all = true;
      const std::string folded = fhir::FoldText(value);
      std::string_view rest = folded;
      for (std::string_view word = fhir::TakeWord(&rest); !word.empty();
           word = fhir::TakeWord(&rest)) {
        has_all = has_all && of_type.words[i].contains(std::string(word));
      }
      matches[i] |= has_all ? 1 : 0;
    }
  }
  return matches;
}

NaiveStore::Matches NaiveStore::FindChain(const std::string& type, const Condition& condition) {
  // What the chain goes on with, by type, as far as it is asked for.
  std::map<std::string, Matches> of_target;
  const Condition& next = condition.next.front();
  return Where(type, ColumnOf(type, condition.code), [&](const Found& found) {
    const std::string text = ReferenceIn(found.value);
    const std::size_t slash = text.find('/');
    if (slash == std::string::npos) return false;
    const std::string target = text.substr(0, slash);
    if (!condition.type.empty() && target != condition.type) return false;
    const bool may_go_on =
        next.kind == Condition::Kind::kHas || FindParameter(target, next.code) != nullptr;
    if (!types_.contains(target) || !may_go_on) return false;
    const auto at = types_[target].by_id.find(text.substr(slash + 1));
    if (at == types_[target].by_id.end()) return false;
    if (!of_target.contains(target)) of_target[target] = Find(target, next);
    return of_target[target][at->second] != 0;
  });
}

NaiveStore::Matches NaiveStore::FindHas(const std::string& type, const Condition& condition) {
  Matches matches(Of(type).size());
  const Matches sources = Find(condition.type, condition.next.front());
  const Column& column = ColumnOf(condition.type, condition.code);
  for (std::size_t i = 0; i < sources.size(); ++i) {
    if (sources[i] == 0) continue;
    for (const std::uint32_t number : column.of_resource[i]) {
      const std::string text = ReferenceIn(column.values[number].value);
      if (!text.starts_with(type + "/")) continue;
      const auto at = types_[type].by_id.find(text.substr(type.size() + 1));
      if (at != types_[type].by_id.end()) matches[at->second] = 1;
    }
  }
  return matches;
}

NaiveStore::Matches NaiveStore::InCompartment(const std::string& compartment, const std::string& id,
                                              const std::string& type) {
  Matches matches(Of(type).size());
  const auto* member = fhir::definitions::FindCompartmentMember(compartment, type);
  const std::string reference = compartment + "/" + id;
  if (member != nullptr) {
    for (const std::string_view code : member->parameters) {
      if (FindParameter(type, code) == nullptr) continue;
      const Matches by_code = Where(type, ColumnOf(type, std::string(code)), [&](const Found& f) {
        return ReferenceIn(f.value) == reference;
      });
      for (std::size_t i = 0; i < matches.size(); ++i) matches[i] |= by_code[i];
    }
  }
  if (type == compartment && types_[type].by_id.contains(id)) matches[types_[type].by_id[id]] = 1;
  return matches;
}

std::set<std::string> NaiveStore::IncludedBy(const std::set<std::string>& matches,
                                             const std::vector<Include>& includes) {
  std::set<std::string> all = matches;
  std::set<std::string> round = matches;
  for (bool is_first = true; !round.empty(); is_first = false) {
    std::set<std::string> next;
    for (const Include& include : includes) {
      if (!is_first && !include.iterate) continue;
      const Column& column = ColumnOf(include.type, include.code);
      for (std::size_t i = 0; i < column.of_resource.size(); ++i) {
        const std::string from = include.type + "/" + types_[include.type].ids[i];
        if (!include.reverse && !round.contains(from)) continue;
        for (const std::uint32_t number : column.of_resource[i]) {
          const std::string to = ReferenceIn(column.values[number].value);
          const std::string& start = include.reverse ? to : from;
          const std::string& end = include.reverse ? from : to;
          const std::size_t slash = end.find('/');
          if (!round.contains(start) || slash == std::string::npos) continue;
          const auto type = types_.find(end.substr(0, slash));
          if (type == types_.end() || !type->second.by_id.contains(end.substr(slash + 1))) continue;
          if (all.insert(end).second) next.insert(end);
        }
      }
    }
    round = std::move(next);
  }
  for (const std::string& match : matches) all.erase(match);
  return all;
}

std::optional<std::string> NaiveStore::SortKey(const std::string& type, const std::string& code,
                                               bool descending, const std::string& id) {
  const std::size_t at = types_[type].by_id.contains(id) ? types_[type].by_id[id] : kNone;
  if (code == "_id") return id;
  const SearchParameterDefinition* parameter = FindParameter(type, code);
  std::optional<std::string> key;
  for (const Found& found : Values(type, code, at)) {
    for (std::string& one : SortKeysOf(parameter->type, found.value)) {
      if (!key || (descending ? one > *key : one < *key)) key = std::move(one);
    }
  }
  return key;
}

}  // namespace reference
