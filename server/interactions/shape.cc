#include "server/interactions/shape.h"

#include <algorithm>
#include <array>
#include <utility>

#include "fhir/base/check.h"
#include "fhir/base/time.h"
#include "fhir/definitions/definitions.h"
#include "fhir/json/document.h"
#include "fhir/model/stored_form.h"
#include "fhir/model/subset.h"

namespace server {
namespace {

using fhir::search::Summary;

constexpr std::array<std::string_view, 1> kText = {"text"};

fhir::Result<Summary> ParseSummary(std::string_view value) {
  if (value == "false") return Summary::kFalse;
  if (value == "true") return Summary::kTrue;
  if (value == "text") return Summary::kText;
  if (value == "data") return Summary::kData;
  if (value == "count") return Summary::kCount;
  return fhir::Fail(fhir::Invalid("_summary is true, text, data, count or false", "_summary"));
}

// A choice goes by its name ("value") and by that of each member ("valueQuantity").
bool HasElement(std::string_view type, std::string_view name) {
  const auto is_named = [name](const fhir::definitions::Element& element) {
    return element.name == name || (!element.choice.empty() && element.choice == name);
  };
  return name == "resourceType" ||
         std::ranges::any_of(fhir::definitions::ElementsOf(fhir::definitions::FindType(type)),
                             is_named);
}

void AppendItems(std::string_view list, std::vector<std::string>* items) {
  while (!list.empty()) {
    const std::size_t comma = list.find(',');
    if (comma != 0) items->emplace_back(list.substr(0, comma));
    if (comma == std::string_view::npos) return;
    list.remove_prefix(comma + 1);
  }
}

}  // namespace

fhir::Result<Shape> Shape::Of(std::string_view type, Summary summary,
                              std::vector<std::string> elements) {
  if (summary != Summary::kFalse && !elements.empty()) {
    return fhir::Fail(fhir::Invalid("_summary and _elements exclude each other"));
  }
  for (const std::string& element : elements) {
    if (type.empty() || HasElement(type, element)) continue;
    return fhir::Fail(fhir::Invalid(
        "parameter '_elements': " + std::string(type) + " has no element '" + element + "'",
        "_elements"));
  }
  Shape shape;
  shape.summary_ = summary;
  shape.elements_ = std::move(elements);
  return shape;
}

void Shape::Append(std::string* out, const storage::ResourceView& view) const {
  const std::string last_updated = fhir::FormatInstant(view.instant_ms);
  if (IsWhole()) {
    fhir::model::AppendResource(out, view.json, view.meta_offset, view.version, last_updated);
    return;
  }
  std::string whole;
  fhir::model::AppendResource(&whole, view.json, view.meta_offset, view.version, last_updated);
  // What was sent had kMaxNodes at most, and a few are added to it.
  const fhir::Result<fhir::json::Document> document =
      fhir::json::Document::Parse(whole, 2 * fhir::json::kMaxNodes);
  FHIR_CHECK(document.has_value(), "a stored resource is JSON");
  switch (summary_) {
    case Summary::kFalse: {
      const std::vector<std::string_view> elements(elements_.begin(), elements_.end());
      fhir::model::AppendElements(out, document->Root(), elements);
      return;
    }
    case Summary::kText: fhir::model::AppendElements(out, document->Root(), kText); return;
    case Summary::kData: fhir::model::AppendWithout(out, document->Root(), kText); return;
    case Summary::kTrue: fhir::model::AppendSummary(out, document->Root()); return;
    case Summary::kCount: return;  // Shows no resources.
  }
}

fhir::Result<bool> ReadShapeParameter(std::string_view name, std::string_view value,
                                      ShapeParameters* parameters) {
  if (name == "_elements") {
    AppendItems(value, &parameters->elements);
    return true;
  }
  if (name != "_summary") return false;
  FHIR_TRY(summary, ParseSummary(value));
  parameters->summary = summary;
  return true;
}

}  // namespace server
