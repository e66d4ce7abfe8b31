#include "server/interactions/distance.h"

#include <algorithm>
#include <cstdio>
#include <limits>

#include "fhir/json/document.h"
#include "fhir/json/writer.h"
#include "fhir/search/types/position.h"

namespace server {
namespace {

using fhir::search::Expression;

// To the metre: 12.345
std::string Kilometres(double metres) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3f", metres / 1000);
  return text;
}

void AddCentres(const Expression& where, std::vector<fhir::GeoPoint>* centres) {
  for (const fhir::search::ValueRange& range : where.values) {
    if (range.circle) centres->push_back(range.circle->centre);
  }
  // Not through chains: those measure other resources.
  if (where.kind != Expression::Kind::kAnd && where.kind != Expression::Kind::kOr) return;
  for (const Expression& child : where.children) AddCentres(child, centres);
}

}  // namespace

std::vector<fhir::GeoPoint> CentresOf(const Expression& where) {
  std::vector<fhir::GeoPoint> centres;
  AddCentres(where, &centres);
  return centres;
}

std::string DistanceExtension(std::span<const fhir::GeoPoint> centres,
                              const storage::ResourceView& view) {
  if (centres.empty()) return {};
  const auto document = fhir::json::Document::Parse(view.json);
  if (!document) return {};
  const auto point = fhir::search::PointOf(document->Root().Find("position"));
  if (!point) return {};
  double nearest_m = std::numeric_limits<double>::infinity();
  for (const fhir::GeoPoint& centre : centres) {
    nearest_m = std::min(nearest_m, fhir::DistanceM(centre, *point));
  }
  std::string extension;
  fhir::json::Writer writer(&extension);
  writer.BeginObject();
  writer.Member("url").String("http://hl7.org/fhir/StructureDefinition/location-distance");
  writer.Member("valueDistance").BeginObject();
  writer.Member("value").Raw(Kilometres(nearest_m));
  writer.Member("unit").String("km");
  writer.Member("system").String("http://unitsofmeasure.org");
  writer.Member("code").String("km");
  writer.EndObject().EndObject();
  return extension;
}

}  // namespace server
