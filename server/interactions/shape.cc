#include "server/interactions/shape.h"

#include <array>
#include <utility>

#include "fhir/base/check.h"
#include "fhir/base/time.h"
#include "fhir/json/document.h"
#include "fhir/model/stored_form.h"
#include "fhir/model/subset.h"

namespace server {
namespace {

using fhir::search::Summary;

constexpr std::array<std::string_view, 1> kText = {"text"};

}  // namespace

fhir::Result<Shape> Shape::Of(Summary summary, std::vector<std::string> elements) {
  if (summary == Summary::kTrue) return fhir::Fail(fhir::NotSupported("_summary=true"));
  if (summary != Summary::kFalse && !elements.empty()) {
    return fhir::Fail(fhir::Invalid("_summary and _elements exclude each other"));
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
    case Summary::kTrue:   // Refused by Of.
    case Summary::kCount:  // Shows no resources.
      return;
  }
}

}  // namespace server
