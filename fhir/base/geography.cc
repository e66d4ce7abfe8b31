#include "fhir/base/geography.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace fhir {
namespace {

constexpr double kMeanRadiusM = 6'371'008.8;
constexpr double kRadiansPerDegree = std::numbers::pi / 180;

}  // namespace

double DistanceM(const GeoPoint& a, const GeoPoint& b) {
  const double latitude = std::sin((b.latitude - a.latitude) * kRadiansPerDegree / 2);
  const double longitude = std::sin((b.longitude - a.longitude) * kRadiansPerDegree / 2);
  const double h = latitude * latitude + std::cos(a.latitude * kRadiansPerDegree) *
                                             std::cos(b.latitude * kRadiansPerDegree) * longitude *
                                             longitude;
  return 2 * kMeanRadiusM * std::asin(std::sqrt(std::clamp(h, 0.0, 1.0)));
}

double DegreesOfLatitude(double length_m) {
  return length_m / kMeanRadiusM / kRadiansPerDegree;
}

}  // namespace fhir
