// fhir/search/extraction_plan.h
//
// The paths of all indexes of one resource type, merged into a tree of member
// names, so that one walk over a resource serves them all and members that no
// index reads are not entered.
//
// Owner: Registry. Thread-safety: immutable once built.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "fhir/json/document.h"
#include "fhir/search/registry.h"
#include "fhir/search/types/composite.h"
#include "fhir/search/types/search_type.h"

namespace fhir::search {

class ExtractionPlan {
 public:
  ExtractionPlan() : nodes_(1) {}

  // `spec` outlives the plan and does not move.
  void Add(const IndexSpec& spec, IndexId index);

  // Adds the values of all indexes but the evaluated ones.
  void Extract(const json::Value& resource, ValueSink* sink) const;

  bool HasEvaluated() const { return !evaluated_.empty(); }
  // Adds those. `stored`: the resource as it is stored, so that it does not matter when it is read.
  // Errors: Unprocessable, if an expression fails or costs too much.
  Result<void> ExtractEvaluated(const json::Value& stored, ValueSink* sink) const;

 private:
  struct Leaf {
    IndexId index;
    Encoder encode;  // Null: only presence.
    std::string_view system;
  };
  struct Tuples {
    IndexId index;
    TupleEncoder encoder;
  };
  struct Edge {
    const Step* step;
    std::uint32_t node;  // Position in nodes_.
  };
  struct Node {
    std::vector<Edge> edges;  // Sorted by name.
    std::vector<Leaf> leaves;
    std::vector<Tuples> tuples;
  };
  // "exists() and != false": true if a member of these names is there and is not false.
  struct Existence {
    IndexId index;
    std::vector<std::string_view> members;
  };

  // The node behind `step`, made if there is none.
  std::uint32_t Follow(std::uint32_t node, const Step& step);
  void AddExistence(const IndexSpec& spec, IndexId index);

  static void AddLeaves(const Node& node, const json::Value& value, ValueSink* sink);
  void Walk(const Node& node, const json::Value& object, const json::Value& resource,
            ValueSink* sink) const;
  void Enter(const Edge& edge, const json::Value& member, const json::Value& resource,
             ValueSink* sink) const;
  void Visit(const Edge& edge, const json::Value& value, const json::Value& resource,
             ValueSink* sink) const;

  std::vector<Node> nodes_;  // The first is the resource.
  std::vector<Existence> existences_;
  struct Evaluated {
    IndexId index;
    const IndexSpec* spec;
  };
  std::vector<Evaluated> evaluated_;
};

}  // namespace fhir::search
