// server/interactions/distance.h
//
// How far the matches of Location?near=… are (R4 Location, "Positional Searching").
#pragma once

#include <span>
#include <string>
#include <vector>

#include "fhir/base/geography.h"
#include "fhir/search/expression.h"
#include "storage/resource.h"

namespace server {

// The points that the search measures its matches from; none, if it does not.
std::vector<fhir::GeoPoint> CentresOf(const fhir::search::Expression& where);

// The extension location-distance for a match: kilometres to the nearest centre. Empty, if there is
// no centre or the resource has no position.
std::string DistanceExtension(std::span<const fhir::GeoPoint> centres,
                              const storage::ResourceView& view);

}  // namespace server
