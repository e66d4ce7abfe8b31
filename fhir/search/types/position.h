// fhir/search/types/position.h
//
// Positions on the earth as index values (types/position.cc says what the bytes are).
#pragma once

#include <optional>
#include <string_view>

#include "fhir/base/geography.h"
#include "fhir/json/document.h"

namespace fhir::search {

// What a Location.position says. Nothing if it is no place on the earth.
std::optional<GeoPoint> PointOf(const json::Value& position);

// True if `value` is a position that is not farther from the centre than the radius.
bool IsWithin(const Circle& circle, std::string_view value);

}  // namespace fhir::search
