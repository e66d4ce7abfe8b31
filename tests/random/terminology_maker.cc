#include "tests/random/terminology_maker.h"

#include <algorithm>

#include "fhir/json/writer.h"

namespace random_search {
namespace {

std::string Quoted(const std::string& text) {
  std::string quoted;
  fhir::json::AppendString(&quoted, text);
  return quoted;
}

}  // namespace

TerminologyMaker::TerminologyMaker(reference::NaiveStore* store, fuzz::Random* random) {
  std::map<std::string, std::set<std::string>> codes;
  for (const std::string& type : store->Types()) {
    if (reference::FindParameter(type, "code") == nullptr) continue;
    for (std::size_t i = 0; i < store->Of(type).size(); ++i) {
      for (const reference::Found& found : store->Values(type, "code", i)) {
        for (const auto& [system, code] : reference::TokensOf(found.value)) {
          if (!system.empty() && !code.empty()) codes[system].insert(code);
        }
      }
    }
  }
  for (const auto& [url, set] : codes) {
    System& system = systems_[url];
    system.codes.assign(set.begin(), set.end());
    AddCodeSystem(url, system);
    AddValueSets(url, &system, random);
  }
}

std::string TerminologyMaker::ConceptJson(const System& system, std::size_t at) const {
  std::string json = R"({"code":)" + Quoted(system.codes[at]);
  for (std::size_t child = at * kWidth + 1;
       child <= at * kWidth + kWidth && child < system.codes.size(); ++child) {
    json += child == at * kWidth + 1 ? R"(,"concept":[)" : ",";
    json += ConceptJson(system, child);
  }
  return json + (at * kWidth + 1 < system.codes.size() ? "]}" : "}");
}

void TerminologyMaker::AddCodeSystem(const std::string& url, const System& system) {
  resources_.push_back(R"({"resourceType":"CodeSystem","url":)" + Quoted(url) +
                       R"(,"status":"active","content":"complete","concept":[)" +
                       ConceptJson(system, 0) + "]}");
}

void TerminologyMaker::AddValueSets(const std::string& url, System* system, fuzz::Random* random) {
  std::string last;
  for (int i = 0; i < 8; ++i) {
    reference::Concepts concepts;
    const std::string value_set = "http://sets.example/" + std::to_string(resources_.size());
    std::string include;
    const std::size_t root = random->Below(system->codes.size());
    if (i % 4 == 0 || last.empty()) {
      for (const std::string& code : system->codes) {
        if (!random->OneIn(4)) continue;
        concepts.emplace(url, code);
        include += (include.empty() ? "" : ",") + (R"({"code":)" + Quoted(code) + "}");
      }
      include = R"({"system":)" + Quoted(url) +
                (include.empty() ? "" : R"(,"concept":[)" + include + "]") + "}";
      if (concepts.empty()) {
        for (const std::string& code : system->codes) concepts.emplace(url, code);
      }
    } else if (i % 4 == 1) {
      AddBelow(url, *system, root, &concepts);
      include = R"({"system":)" + Quoted(url) +
                R"(,"filter":[{"property":"concept","op":"is-a","value":)" +
                Quoted(system->codes[root]) + "}]}";
    } else {
      concepts = *system->value_sets.at(last);
      concepts.erase({url, system->codes[root]});
      include = R"({"valueSet":[)" + Quoted(last) + R"(]}],"exclude":[{"system":)" + Quoted(url) +
                R"(,"concept":[{"code":)" + Quoted(system->codes[root]) + "}]}";
    }
    resources_.push_back(R"({"resourceType":"ValueSet","status":"active","url":)" +
                         Quoted(value_set) + R"(,"compose":{"include":[)" + include + "]}}");
    system->value_sets[value_set] =
        std::make_shared<const reference::Concepts>(std::move(concepts));
    last = value_set;
  }
}

void TerminologyMaker::AddBelow(const std::string& url, const System& system, std::size_t at,
                                reference::Concepts* concepts) {
  if (at >= system.codes.size()) return;
  concepts->emplace(url, system.codes[at]);
  for (std::size_t i = 1; i <= kWidth; ++i) AddBelow(url, system, at * kWidth + i, concepts);
}

const TerminologyMaker::System* TerminologyMaker::Find(const std::string& url,
                                                       const std::string& code,
                                                       std::size_t* at) const {
  const auto system = systems_.find(url);
  if (system == systems_.end()) return nullptr;
  const std::vector<std::string>& codes = system->second.codes;
  const auto found = std::lower_bound(codes.begin(), codes.end(), code);
  if (found == codes.end() || *found != code) return nullptr;
  *at = static_cast<std::size_t>(found - codes.begin());
  return &system->second;
}

const std::map<std::string, TerminologyMaker::Meaning>& TerminologyMaker::ValueSetsOf(
    const std::string& system) const {
  static const std::map<std::string, Meaning> kNone;
  const auto found = systems_.find(system);
  return found == systems_.end() ? kNone : found->second.value_sets;
}

TerminologyMaker::Meaning TerminologyMaker::Below(const std::string& system,
                                                  const std::string& code) const {
  std::size_t at = 0;
  const System* found = Find(system, code, &at);
  if (found == nullptr) return nullptr;
  reference::Concepts concepts;
  AddBelow(system, *found, at, &concepts);
  return std::make_shared<const reference::Concepts>(std::move(concepts));
}

TerminologyMaker::Meaning TerminologyMaker::Above(const std::string& system,
                                                  const std::string& code) const {
  std::size_t at = 0;
  const System* found = Find(system, code, &at);
  if (found == nullptr) return nullptr;
  reference::Concepts concepts = {{system, code}};
  while (at > 0) {
    at = (at - 1) / kWidth;
    concepts.emplace(system, found->codes[at]);
  }
  return std::make_shared<const reference::Concepts>(std::move(concepts));
}

}  // namespace random_search
