#include "tests/random/query_maker.h"

#include <algorithm>

#include "tests/e2e/percent_encode.h"

namespace random_search {

using fhir::definitions::SearchParameterDefinition;
using fhir::definitions::SearchType;
using fhir::json::Value;
using reference::Condition;
using reference::Found;
using Kind = Condition::Kind;

namespace {

bool IsRare(SearchType type) {
  return type == SearchType::kNumber || type == SearchType::kQuantity ||
         type == SearchType::kComposite;
}

}  // namespace

std::string UrlOf(const Query& query) {
  std::string url;
  if (!query.compartment.empty()) url = query.compartment + "/" + query.compartment_id + "/";
  if (query.all_of_compartment) url += "*";
  if (!query.names_types && !query.all_of_compartment) url += query.types.front();
  std::string parameters;
  if (query.names_types) {
    parameters = "&_type=";
    for (const std::string& type : query.types) {
      parameters += (parameters.ends_with('=') ? "" : ",") + type;
    }
  }
  for (const Condition& condition : query.conditions) {
    parameters += "&" + NameOf(condition) + "=";
    const Condition* last = &condition;
    while (!last->next.empty()) last = &last->next.front();
    for (std::size_t i = 0; i < last->values.size(); ++i) {
      parameters += (i == 0 ? "" : ",") + e2e::PercentEncode(last->values[i]);
    }
  }
  for (const reference::Include& include : query.includes) {
    parameters += include.reverse ? "&_revinclude" : "&_include";
    parameters += (include.iterate ? ":iterate=" : "=") + include.type + ":" + include.code;
  }
  if (!query.sort.empty()) {
    parameters += std::string("&_sort=") + (query.descending ? "-" : "") + query.sort;
  }
  if (!parameters.empty()) parameters.front() = '?';
  return url + parameters;
}

QueryMaker::QueryMaker(reference::NaiveStore* store, const TerminologyMaker* terminology,
                       fuzz::Random* random)
    : store_(store), random_(random), values_(terminology, random), types_(store->Types()) {}

const std::vector<QueryMaker::Parameter>& QueryMaker::ParametersOf(const std::string& type) {
  const auto [at, is_new] = parameters_.try_emplace(type);
  if (!is_new) return at->second;
  for (const SearchParameterDefinition& p : fhir::definitions::SearchParameters()) {
    const bool is_here = std::find(p.base.begin(), p.base.end(), type) != p.base.end() ||
                         (p.base[0] == "Resource" && p.code != "_id" && p.code != "_lastUpdated");
    if (is_here && !p.expression.empty() && p.type != SearchType::kSpecial)
      at->second.push_back(&p);
  }
  return at->second;
}

std::size_t QueryMaker::AnyOf(const std::string& type) {
  return random_->Below(store_->Of(type).size());
}

Query QueryMaker::Next() {
  Query query;
  query.kind = "type";
  const std::size_t kind = random_->Below(20);
  if (kind == 0) MakeSystem(&query);
  if (kind == 1 || kind == 2) MakeCompartment(&query);
  // Observations have the most parameters, and most quantities and composites.
  if (query.types.empty()) {
    query.types = {random_->OneIn(5) ? std::string("Observation") : random_->Pick(types_)};
  }
  if (query.types.size() > 1) return query;
  const std::string& type = query.types.front();
  const std::size_t wanted = random_->Below(3) + (query.compartment.empty() ? 1 : 0);
  for (int tries = 0; query.conditions.size() < wanted && tries < 20; ++tries) {
    if (auto condition = MakeCondition(type, AnyOf(type), 0)) {
      query.conditions.push_back(*std::move(condition));
    }
  }
  if (kind == 3 || kind == 4) AddIncludes(&query);
  if (kind == 5 || kind == 6) AddSort(&query);
  return query;
}

// _type=A,B with a parameter that all of them have.
void QueryMaker::MakeSystem(Query* query) {
  static const std::vector<std::string> kCodes = {"patient",  "subject", "encounter",  "status",
                                                  "date",     "code",    "identifier", "_id",
                                                  "_profile", "category"};
  const std::string& code = random_->Pick(kCodes);
  std::vector<std::string> having;
  Parameter first = nullptr;
  for (const std::string& type : types_) {
    const Parameter parameter = reference::FindParameter(type, code);
    if (parameter == nullptr || (first != nullptr && parameter->type != first->type)) continue;
    first = parameter;
    having.push_back(type);
  }
  while (having.size() > 4) {
    having.erase(having.begin() + static_cast<long>(random_->Below(having.size())));
  }
  if (having.size() < 2) return;
  const std::string& type = random_->Pick(having);
  if (code == "_id") {
    Condition condition = Single("_id", "", store_->IdOf(type, AnyOf(type)));
    condition.kind = Kind::kId;
    query->conditions.push_back(std::move(condition));
  } else {
    const auto values = store_->Values(type, code, AnyOf(type));
    if (values.empty()) return;
    const Parameter parameter = reference::FindParameter(type, code);
    const auto examples = reference::ExampleValues(*parameter, random_->Pick(values), type);
    if (examples.empty()) return;
    query->conditions.push_back(Single(code, "", random_->Pick(examples)));
  }
  query->kind = "system";
  query->names_types = true;
  query->types = having;
}

void QueryMaker::MakeCompartment(Query* query) {
  static const std::vector<std::string> kCompartments = {"Patient", "Patient", "Encounter",
                                                         "Practitioner", "Device"};
  const std::string& compartment = random_->Pick(kCompartments);
  if (store_->Of(compartment).empty()) return;
  std::vector<std::string> members;
  for (const std::string& type : types_) {
    // The resource whose compartment it is belongs to it.
    if (type == compartment ||
        fhir::definitions::FindCompartmentMember(compartment, type) != nullptr) {
      members.push_back(type);
    }
  }
  if (members.empty()) return;
  query->kind = "compartment";
  query->compartment = compartment;
  query->compartment_id = store_->IdOf(compartment, AnyOf(compartment));
  query->all_of_compartment = random_->OneIn(8) && members.size() > 1;
  query->types = query->all_of_compartment ? members : std::vector{random_->Pick(members)};
}

void QueryMaker::AddIncludes(Query* query) {
  const std::string& type = query->types.front();
  for (std::size_t wanted = 1 + random_->Below(3), tries = 0;
       query->includes.size() < wanted && tries < 30; ++tries) {
    const bool is_reverse = random_->OneIn(2);
    const bool is_iterate = random_->OneIn(4);
    const std::string source = is_reverse || is_iterate ? random_->Pick(types_) : type;
    const auto reference = FindReference(source, AnyOf(source));
    if (!reference || (is_reverse && !is_iterate && reference->type != type)) continue;
    query->includes.push_back(
        {is_reverse, is_iterate, source, std::string(reference->parameter->code)});
  }
  if (!query->includes.empty()) query->kind = "include";
}

void QueryMaker::AddSort(Query* query) {
  const std::vector<Parameter>& parameters = ParametersOf(query->types.front());
  const Parameter parameter = random_->Pick(parameters);
  if (parameter->type == SearchType::kComposite || reference::IsComputed(*parameter)) return;
  query->kind = "sort";
  query->sort = random_->OneIn(8) ? "_id" : std::string(parameter->code);
  query->descending = random_->OneIn(2);
}

std::optional<QueryMaker::Reference> QueryMaker::FindReference(const std::string& type,
                                                               std::size_t at) {
  std::vector<Reference> all;
  for (const Parameter parameter : ParametersOf(type)) {
    if (parameter->type != SearchType::kReference) continue;
    for (const Found& found : store_->Values(type, std::string(parameter->code), at)) {
      if (!found.value.IsObject()) continue;
      const std::string text(found.value.Find("reference").StringOrEmpty());
      const std::size_t slash = text.find('/');
      if (slash == std::string::npos || text.find('/', slash + 1) != std::string::npos) continue;
      std::string target = text.substr(0, slash);
      if (!Refers(*parameter, target)) continue;
      all.push_back({parameter, std::move(target), text.substr(slash + 1)});
    }
  }
  if (all.empty()) return std::nullopt;
  return random_->Pick(all);
}

std::optional<Condition> QueryMaker::MakeCondition(const std::string& type, std::size_t at,
                                                   int depth) {
  const std::size_t kind = random_->Below(16);
  if (kind == 0) {
    const Parameter parameter = random_->Pick(ParametersOf(type));
    Condition condition =
        Single(std::string(parameter->code), "missing", random_->OneIn(2) ? "true" : "false");
    condition.kind = Kind::kMissing;
    return condition;
  }
  if (kind == 1) {
    Condition condition = Single("_id", "", store_->IdOf(type, at));
    condition.kind = Kind::kId;
    for (std::size_t more = random_->Below(3); more > 0; --more) {
      condition.values.push_back(store_->IdOf(type, AnyOf(type)));
    }
    return condition;
  }
  if (kind == 2) return MakeText(type, at);
  if (kind <= 5 && depth < 3) return MakeChain(type, at, depth);
  if (kind == 6 && depth < 2) return MakeHas(type, depth);
  return MakeValues(type, at);
}

std::optional<Condition> QueryMaker::MakeText(const std::string& type, std::size_t at) {
  const std::set<std::string> words = reference::WordsOf(store_->Of(type)[at]);
  if (words.empty()) return std::nullopt;
  const auto word = [&] { return *std::next(words.begin(), random_->Below(words.size())); };
  std::string value = word();
  if (random_->OneIn(2)) value += " " + word();
  if (!IsPlain(value)) return std::nullopt;
  Condition condition = Single("_text", "", value);
  condition.kind = Kind::kText;
  return condition;
}

std::optional<Condition> QueryMaker::MakeChain(const std::string& type, std::size_t at, int depth) {
  const auto reference = FindReference(type, at);
  if (!reference) return std::nullopt;
  std::size_t target = 0;
  const std::size_t count = store_->Of(reference->type).size();
  while (target < count && store_->IdOf(reference->type, target) != reference->id) ++target;
  if (target == count) return std::nullopt;
  auto next = MakeCondition(reference->type, target, depth + 1);
  if (!next) return std::nullopt;
  Condition chain;
  chain.kind = Kind::kChain;
  chain.code = reference->parameter->code;
  if (!MayLeaveOutType(reference->parameter, reference->type, *next)) chain.type = reference->type;
  chain.next.push_back(*std::move(next));
  return chain;
}

// A chain without type goes through all types: only if the condition means the same in all.
bool QueryMaker::MayLeaveOutType(Parameter reference, const std::string& target,
                                 const Condition& next) const {
  if (next.kind != Kind::kValues || !next.modifier.empty()) return false;
  const Parameter known = reference::FindParameter(target, next.code);
  if (known->type != SearchType::kToken && known->type != SearchType::kString) return false;
  return std::all_of(reference->targets.begin(), reference->targets.end(), [&](std::string_view t) {
    const Parameter other = reference::FindParameter(t, next.code);
    return other == nullptr || other->type == known->type;
  });
}

std::optional<Condition> QueryMaker::MakeHas(const std::string& type, int depth) {
  for (int tries = 0; tries < 30; ++tries) {
    const std::string& source = random_->Pick(types_);
    const std::size_t at = AnyOf(source);
    const auto reference = FindReference(source, at);
    if (!reference || reference->type != type) continue;
    auto next = MakeCondition(source, at, depth + 1);
    if (!next) continue;
    Condition has;
    has.kind = Kind::kHas;
    has.type = source;
    has.code = reference->parameter->code;
    has.next.push_back(*std::move(next));
    return has;
  }
  return std::nullopt;
}

std::optional<Condition> QueryMaker::MakeValues(const std::string& type, std::size_t at) {
  for (int tries = 0; tries < 20; ++tries) {
    Parameter parameter = random_->Pick(ParametersOf(type));
    // Types of which there are few parameters come more often.
    for (int more = random_->OneIn(3) ? 10 : 0; more > 0 && !IsRare(parameter->type); --more) {
      parameter = random_->Pick(ParametersOf(type));
    }
    const auto found = store_->Values(type, std::string(parameter->code), at);
    if (found.empty()) continue;
    if (auto condition = values_.Make(type, *parameter, random_->Pick(found))) return condition;
  }
  return std::nullopt;
}

}  // namespace random_search
