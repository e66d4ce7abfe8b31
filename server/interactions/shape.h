// server/interactions/shape.h
//
// How much of each resource an answer shows: _elements and _summary.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "fhir/base/result.h"
#include "fhir/search/query.h"
#include "storage/store.h"

namespace server {

class Shape {
 public:
  Shape() = default;  // Whole resources.
  // Of resources of `type`; empty where there may be several types, and then any element may be
  // named. Errors: Invalid for both at once, and for an element that the type does not have.
  static fhir::Result<Shape> Of(std::string_view type, fhir::search::Summary summary,
                                std::vector<std::string> elements);

  bool IsWhole() const { return summary_ == fhir::search::Summary::kFalse && elements_.empty(); }

  // Appends the resource as a client sees it.
  void Append(std::string* out, const storage::ResourceView& view) const;

 private:
  fhir::search::Summary summary_ = fhir::search::Summary::kFalse;
  std::vector<std::string> elements_;
};

// _summary and _elements of a request that is no search; those are parsed by fhir/search.
struct ShapeParameters {
  fhir::search::Summary summary = fhir::search::Summary::kFalse;
  std::vector<std::string> elements;
};

// False if `name` is neither of the two. Errors: Invalid, naming _summary.
fhir::Result<bool> ReadShapeParameter(std::string_view name, std::string_view value,
                                      ShapeParameters* parameters);

}  // namespace server
