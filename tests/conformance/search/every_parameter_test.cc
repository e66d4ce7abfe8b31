// Every search parameter that the CapabilityStatement lists, by every path to its elements: a
// resource that has the element is found by its value and not by another, and :missing tells it
// from one that has not.
#include <map>
#include <string>
#include <vector>

#include <gmock/gmock.h>

#include "fhir/search/registry.h"
#include "fhir/search/types/search_type.h"
#include "tests/conformance/search/element_tree.h"
#include "tests/conformance/search/sample_values.h"
#include "tests/e2e/percent_encode.h"
#include "tests/integration/server/in_process_server.h"
#include "tests/reference/naive_search.h"

namespace conformance {
namespace {

using fhir::definitions::SearchType;
using fhir::json::Value;
using fhir::search::IndexSpec;
using fhir::search::SearchParameter;
using testing::Contains;
using testing::Not;

namespace definitions = fhir::definitions;

// One resource, made for one path of one parameter.
struct Probe {
  const SearchParameter* parameter = nullptr;
  std::string path;
  std::string id;
  std::string json;
  // Both empty: the element has no values, and is only there. The first: it is missing.
  std::string found_by;
  std::string missed_by;
};

std::string_view TypeName(definitions::TypeId type) {
  return definitions::GetType(type).name;
}

const definitions::SearchParameterDefinition& DefinitionOf(const SearchParameter& parameter) {
  for (const auto& definition : definitions::SearchParameters()) {
    if (definition.url == parameter.url) return definition;
  }
  ADD_FAILURE() << parameter.url;
  return definitions::SearchParameters().front();
}

// Makes the probes of one resource type.
class ProbeMaker {
 public:
  ProbeMaker(const fhir::search::Registry& registry, std::string_view type)
      : registry_(registry), type_(type), type_id_(definitions::FindType(type)) {}

  void AddProbes(const SearchParameter& parameter) {
    const std::size_t before = probes.size();
    for (const fhir::search::IndexId index : parameter.indexes) {
      AddProbes(parameter, registry_.IndexAt(index));
    }
    std::size_t with_values = 0;
    for (std::size_t i = before; i < probes.size(); ++i) {
      with_values += probes[i].found_by.empty() ? 0 : 1;
    }
    EXPECT_GT(with_values, 0U) << "no resource could be made for " << type_ << "?"
                               << parameter.code;
  }

  std::vector<Probe> probes;

 private:
  void AddProbes(const SearchParameter& parameter, const IndexSpec& spec) {
    if (spec.path.exists_and_true) return AddExistence(parameter, spec);
    if (parameter.type == SearchType::kComposite) return AddTuples(parameter, spec);
    const std::string_view element = TypeName(spec.path.steps.back().type);
    const std::string_view target =
        parameter.targets.empty() ? std::string_view("Patient") : parameter.targets.front();
    ElementTree tree;
    if (const auto json = ElementWithoutValues(parameter.type, element)) {
      tree.Put(type_id_, spec.path.steps, *json);
      return Add(parameter, spec, tree, {});
    }
    const auto sample = SampleOf(parameter.type, element, target);
    ASSERT_TRUE(sample.has_value()) << spec.key << " yields " << element;
    tree.Put(type_id_, spec.path.steps, sample->json);
    Add(parameter, spec, tree, *sample);
    if (!parameter.only_type.empty()) AddOfOtherType(parameter, spec);
  }

  // where(resolve() is Patient): a reference to something else is none of the parameter's.
  void AddOfOtherType(const SearchParameter& parameter, const IndexSpec& spec) {
    const std::string_view other = parameter.only_type == "Device" ? "Patient" : "Device";
    ElementTree tree;
    tree.Put(type_id_, spec.path.steps, SampleOf(SearchType::kReference, "Reference", other)->json);
    Add(parameter, spec, tree, {"", "", std::string(other) + "/target"});
  }

  // "X.exists() and X != false"
  void AddExistence(const SearchParameter& parameter, const IndexSpec& spec) {
    for (const definitions::Element& element : definitions::ElementsOf(type_id_)) {
      if (element.choice != spec.path.steps.back().name) continue;
      fhir::search::Step step = spec.path.steps.back();
      step.name = element.name;
      step.type = element.type;
      const bool is_boolean = TypeName(element.type) == "boolean";
      ElementTree tree;
      tree.Put(type_id_, std::vector{step}, is_boolean ? "true" : R"("2003-04-05")");
      Add(parameter, spec, tree, {"", "true", "false"});
    }
  }

  void AddTuples(const SearchParameter& parameter, const IndexSpec& spec) {
    std::size_t ways = 1;
    for (const auto& component : spec.components) {
      ways = std::max(ways, component.paths.size());
    }
    for (std::size_t way = 0; way < ways; ++way) {
      Sample tuple;
      ElementTree tree;
      for (std::size_t i = 0; i < spec.components.size(); ++i) {
        const auto& component = spec.components[i];
        const fhir::search::Path& path = component.paths[way % component.paths.size()];
        const auto& targets = parameter.components[i].targets;
        const auto sample = SampleOf(component.type, TypeName(path.steps.back().type),
                                     targets.empty() ? "Patient" : targets.front());
        ASSERT_TRUE(sample.has_value()) << spec.key << " " << path.text;
        std::vector<fhir::search::Step> steps;
        if (!path.from_resource) steps = spec.path.steps;
        steps.insert(steps.end(), path.steps.begin(), path.steps.end());
        tree.Put(type_id_, steps, sample->json);
        if (i > 0) tuple.found_by += '$', tuple.missed_by += '$';
        tuple.found_by += sample->found_by;
        // One component that differs is enough.
        tuple.missed_by += i == way % spec.components.size() ? sample->missed_by : sample->found_by;
      }
      Add(parameter, spec, tree, tuple);
    }
  }

  void Add(const SearchParameter& parameter, const IndexSpec& spec, ElementTree& tree,
           const Sample& sample) {
    const std::string id = "probe-" + std::to_string(probes.size());
    tree.Put(type_id_, {},
             R"({"resourceType":")" + std::string(type_) + R"(","id":")" + id + "\"}");
    probes.push_back({&parameter, spec.key, id, tree.Json(), sample.found_by, sample.missed_by});
    const bool is_missing = sample.found_by.empty() && !sample.missed_by.empty();
    CheckByPublishedExpression(parameter, probes.back(), is_missing);
  }

  // The paths are the server's own; the published expression has to lead to the element too.
  void CheckByPublishedExpression(const SearchParameter& parameter, const Probe& probe,
                                  bool is_missing) {
    const auto& definition = DefinitionOf(parameter);
    if (definition.expression.empty()) return;  // _text
    const auto document = fhir::json::Document::Parse(probe.json);
    ASSERT_TRUE(document.has_value()) << probe.json;
    EXPECT_EQ(reference::Evaluate(definition.expression, document->Root(), type_).empty(),
              is_missing)
        << definition.expression << " in " << probe.json;
  }

  const fhir::search::Registry& registry_;
  const std::string_view type_;
  const definitions::TypeId type_id_;
};

class EveryParameterTest : public server::InProcessServer {
 protected:
  std::vector<std::string> Found(std::string_view type, const std::string& name,
                                 const std::string& value) {
    const std::string query = std::string(type) + "?" + name + "=" + e2e::PercentEncode(value) +
                              "&_count=10000&_elements=id";
    const server::Answer answer = Get(query);
    EXPECT_EQ(answer.Status(), 200) << query << ": " << answer.body;
    std::vector<std::string> ids;
    for (const std::string& entry : answer.Entries()) ids.push_back(entry.substr(type.size() + 1));
    return ids;
  }

  void Store(const std::vector<std::string>& resources, const std::vector<std::string>& urls) {
    std::string bundle = R"({"resourceType":"Bundle","type":"transaction","entry":[)";
    for (std::size_t i = 0; i < resources.size(); ++i) {
      bundle += (i == 0 ? R"({"resource":)" : R"(,{"resource":)") + resources[i] +
                R"(,"request":{"method":"PUT","url":")" + urls[i] + "\"}}";
    }
    const server::Answer answer = Post("", bundle + "]}");
    ASSERT_EQ(answer.Status(), 200) << answer.body;
  }

  // Type/target and Type/bare, with nothing in them.
  void StoreTargets(const std::vector<std::string>& types) {
    std::vector<std::string> resources;
    std::vector<std::string> urls;
    for (const std::string& type : types) {
      for (const char* id : {"target", "bare"}) {
        resources.push_back(R"({"resourceType":")" + type + R"(","id":")" + id + "\"}");
        urls.push_back(type + "/" + id);
      }
    }
    Store(resources, urls);
  }

  void Check(std::string_view type, const Probe& probe) {
    SCOPED_TRACE(std::string(type) + "?" + probe.parameter->code + " by " + probe.path + ": " +
                 probe.json);
    const std::string& code = probe.parameter->code;
    const bool has_value = !probe.found_by.empty();
    if (has_value) {
      const auto found = Found(type, code, probe.found_by);
      EXPECT_THAT(found, Contains(probe.id)) << probe.found_by;
      EXPECT_THAT(found, Not(Contains("bare")));
    }
    if (!probe.missed_by.empty()) {
      EXPECT_THAT(Found(type, code, probe.missed_by), Not(Contains(probe.id))) << probe.missed_by;
    }
    const bool is_missing = !has_value && !probe.missed_by.empty();
    const auto missing = Found(type, code + ":missing", "true");
    const auto present = Found(type, code + ":missing", "false");
    EXPECT_THAT(is_missing ? present : missing, Not(Contains(probe.id)));
    EXPECT_THAT(is_missing ? missing : present, Contains(probe.id));
    // A boolean that is computed is always there.
    const bool is_computed = probe.found_by == "true" && code == "deceased";
    EXPECT_THAT(is_computed ? present : missing, Contains("bare"));
  }

  // _id, _lastUpdated and _list, which no element holds.
  void CheckWithoutElement(std::string_view type, const SearchParameter& parameter) {
    const std::map<std::string_view, std::pair<std::string, std::string>> values = {
        {"_id", {"bare", "bar"}},
        {"_lastUpdated", {"2026-12-01", "2026-11-30"}},
        {"_list", {std::string(type), "bare"}}};
    ASSERT_TRUE(values.contains(parameter.code)) << parameter.code;
    const auto& [found_by, missed_by] = values.at(parameter.code);
    EXPECT_THAT(Found(type, parameter.code, found_by), Contains("bare")) << parameter.code;
    EXPECT_THAT(Found(type, parameter.code, missed_by), Not(Contains("bare"))) << parameter.code;
    if (parameter.code == "_list") return;  // It has no modifiers.
    EXPECT_THAT(Found(type, parameter.code + ":missing", "false"), Contains("bare"));
    EXPECT_THAT(Found(type, parameter.code + ":missing", "true"), testing::IsEmpty());
  }

  // List/<type> has <type>/bare in it.
  void StoreList(const std::string& type) {
    const std::string id = type;
    Store({R"({"resourceType":"List","id":")" + id + R"(","entry":[{"item":{"reference":")" + type +
           R"(/bare"}}]})"},
          {"List/" + id});
  }
};

TEST_F(EveryParameterTest, FindsWhatHasTheElementAndNothingElse) {
  const server::Answer metadata = Get("metadata");
  std::map<std::string, std::vector<std::string>> listed;
  for (const Value resource : metadata.At("rest", "0", "resource").Children()) {
    auto& codes = listed[std::string(resource.Find("type").Text())];
    for (const Value parameter : resource.Find("searchParam").Children()) {
      codes.emplace_back(parameter.Find("name").Text());
    }
  }
  ASSERT_EQ(listed.size(), 146U);
  const storage::SnapshotPtr snapshot = context_.store->Latest();
  const fhir::search::Registry& registry = storage::RegistryOf(*snapshot);
  std::vector<std::string> types;
  for (const auto& [type, codes] : listed) types.push_back(type);
  StoreTargets(types);
  std::size_t parameters = 0;
  std::size_t probes = 0;
  for (const auto& [type, codes] : listed) {
    StoreList(type);
    ProbeMaker maker(registry, type);
    for (const std::string& code : codes) {
      const SearchParameter* parameter = registry.Find(type, code);
      ASSERT_NE(parameter, nullptr) << type << " " << code;
      ++parameters;
      if (parameter->rules == nullptr) {
        CheckWithoutElement(type, *parameter);
      } else {
        maker.AddProbes(*parameter);
      }
    }
    std::vector<std::string> resources;
    std::vector<std::string> urls;
    for (const Probe& probe : maker.probes) {
      resources.push_back(probe.json);
      urls.push_back(type + "/" + probe.id);
    }
    Store(resources, urls);
    for (const Probe& probe : maker.probes) Check(type, probe);
    probes += maker.probes.size();
  }
  std::cout << parameters << " parameters of " << listed.size() << " types, " << probes
            << " resources\n";
}

}  // namespace
}  // namespace conformance
