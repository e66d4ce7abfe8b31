// tests/conformance/search/element_tree.h
//
// A resource that is built element by element along the paths of search parameters.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fhir/definitions/definitions.h"
#include "fhir/json/document.h"
#include "fhir/search/path.h"

namespace conformance {

class ElementTree {
 public:
  ElementTree() = default;

  // Puts `json` where `steps` lead from an element of type `type`; arrays get one item, and where()
  // conditions come true. An object is merged with what is there.
  void Put(fhir::definitions::TypeId type, std::span<const fhir::search::Step> steps,
           std::string_view json);

  std::string Json() const;

 private:
  void Merge(const fhir::json::Value& value);
  ElementTree& Enter(fhir::definitions::TypeId type, const fhir::search::Step& step);

  std::string scalar_;  // JSON; empty: an object or an array.
  bool is_array_ = false;
  std::vector<ElementTree> items_;
  std::map<std::string, ElementTree, std::less<>> members_;
};

}  // namespace conformance
