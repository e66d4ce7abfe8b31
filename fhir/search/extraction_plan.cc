#include "fhir/search/extraction_plan.h"

#include <algorithm>

#include "fhir/definitions/definitions.h"
#include "fhir/search/evaluated_index.h"
#include "fhir/search/types/token.h"

namespace fhir::search {
namespace {

bool SameStep(const Step& a, const Step& b) {
  return a.name == b.name && a.item == b.item && a.where_name == b.where_name &&
         a.where_value == b.where_value;
}

bool IsNull(const json::Value& value) {
  return value.GetKind() == json::Kind::kNull;
}

}  // namespace

void ExtractionPlan::Add(const IndexSpec& spec, IndexId index) {
  if (spec.evaluated) {
    evaluated_.push_back({index, &spec});
    return;
  }
  if (spec.path.exists_and_true) {
    AddExistence(spec, index);
    return;
  }
  std::uint32_t node = 0;
  for (const Step& step : spec.path.steps) node = Follow(node, step);
  if (spec.type == SearchType::kComposite) {
    nodes_[node].tuples.push_back({index, TupleEncoder(spec)});
    return;
  }
  Leaf leaf{index, nullptr, {}};
  if (spec.path.steps.empty()) {
    leaf.encode = spec.rules->encoder_for(definitions::FindType(spec.resource_type));
  } else {
    leaf.encode = spec.rules->encoder_for(spec.path.steps.back().type);
    leaf.system = spec.path.steps.back().system;
  }
  nodes_[node].leaves.push_back(leaf);
}

std::uint32_t ExtractionPlan::Follow(std::uint32_t node, const Step& step) {
  std::vector<Edge>& edges = nodes_[node].edges;
  for (const Edge& edge : edges) {
    if (SameStep(*edge.step, step)) return edge.node;
  }
  const auto added = static_cast<std::uint32_t>(nodes_.size());
  const auto place =
      std::upper_bound(edges.begin(), edges.end(), step.name,
                       [](const std::string& name, const Edge& e) { return name < e.step->name; });
  edges.insert(place, {&step, added});
  nodes_.emplace_back();
  return added;
}

void ExtractionPlan::AddExistence(const IndexSpec& spec, IndexId index) {
  Existence existence{index, {}};
  const std::string& name = spec.path.steps.front().name;
  for (const definitions::Element& element :
       definitions::ElementsOf(definitions::FindType(spec.resource_type))) {
    if (element.name == name || element.choice == name) existence.members.push_back(element.name);
  }
  existences_.push_back(std::move(existence));
}

void ExtractionPlan::Extract(const json::Value& resource, ValueSink* sink) const {
  const Node& root = nodes_.front();
  for (const Tuples& tuples : root.tuples) {
    tuples.encoder.Encode(resource, resource, tuples.index, sink);
  }
  AddLeaves(root, resource, sink);
  Walk(root, resource, resource, sink);
  for (const Existence& existence : existences_) {
    bool is_true = false;
    for (const std::string_view name : existence.members) {
      const json::Value member = resource.Find(name);
      is_true = is_true || (!member.IsNone() && member.Text() != "false");
    }
    sink->Target(existence.index, /*in_tuple=*/false);
    EncodeFlag(is_true, sink);
  }
}

Result<void> ExtractionPlan::ExtractEvaluated(const json::Value& stored, ValueSink* sink) const {
  for (const Evaluated& evaluated : evaluated_) {
    sink->Target(evaluated.index, /*in_tuple=*/false);
    FHIR_TRY_VOID(EvaluateIndex(*evaluated.spec, stored, sink));
  }
  return {};
}

void ExtractionPlan::AddLeaves(const Node& node, const json::Value& value, ValueSink* sink) {
  for (const Leaf& leaf : node.leaves) {
    sink->Target(leaf.index, /*in_tuple=*/false);
    const std::size_t before = sink->Size();
    if (leaf.encode != nullptr) leaf.encode({value, leaf.system}, sink);
    if (sink->Size() == before) sink->AddRaw(kPresenceValue);
  }
}

void ExtractionPlan::Walk(const Node& node, const json::Value& object, const json::Value& resource,
                          ValueSink* sink) const {
  for (const json::Value member : object.Children()) {
    const std::string_view name = member.Name();
    auto edge = std::lower_bound(
        node.edges.begin(), node.edges.end(), name,
        [](const Edge& e, std::string_view wanted) { return e.step->name < wanted; });
    for (; edge != node.edges.end() && edge->step->name == name; ++edge) {
      Enter(*edge, member, resource, sink);
    }
  }
}

void ExtractionPlan::Enter(const Edge& edge, const json::Value& member, const json::Value& resource,
                           ValueSink* sink) const {
  const int wanted = edge.step->item;
  if (!member.IsArray()) {
    if (wanted <= 0) Visit(edge, member, resource, sink);
    return;
  }
  int item = 0;
  for (const json::Value child : member.Children()) {
    if (wanted < 0 || wanted == item) Visit(edge, child, resource, sink);
    ++item;
  }
}

void ExtractionPlan::Visit(const Edge& edge, const json::Value& value, const json::Value& resource,
                           ValueSink* sink) const {
  if (IsNull(value) || !FulfilsWhere(*edge.step, value)) return;
  const Node& node = nodes_[edge.node];
  AddLeaves(node, value, sink);
  for (const Tuples& tuples : node.tuples) {
    tuples.encoder.Encode(value, resource, tuples.index, sink);
  }
  if (!node.edges.empty() && value.IsObject()) Walk(node, value, resource, sink);
}

}  // namespace fhir::search
