// fhir/base/geography.h
//
// Places on the earth, taken as a sphere: distances are right to half a percent.
//
// Thread-safety: free functions and values.
#pragma once

namespace fhir {

// Degrees; north and east are positive.
struct GeoPoint {
  double latitude = 0;
  double longitude = 0;
};

struct Circle {
  GeoPoint centre;
  double radius_m = 0;
};

// Along the surface (haversine), in metres.
double DistanceM(const GeoPoint& a, const GeoPoint& b);

// How many degrees of latitude are that long.
double DegreesOfLatitude(double length_m);

}  // namespace fhir
