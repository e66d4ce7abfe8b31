// fhir/search/types/position.cc
//
// Positions, found by their distance from a point (Location's near).
//
//   0x01 | latitude | longitude     degrees, 8 bytes each: an IEEE double, all bits flipped if it is
//                                   negative, else the sign bit; so the order of bytes is from south
//                                   to north
//
// A search reads the band of latitudes that its circle covers and measures each position in it.
// Altitudes count for nothing. These bytes are on disk.
#include "fhir/search/types/position.h"

#include <bit>
#include <charconv>
#include <cmath>
#include <utility>

#include "fhir/base/bytes.h"
#include "fhir/search/escape.h"
#include "fhir/search/types/search_type.h"

namespace fhir::search {
namespace {

constexpr char kPositionTag = '\x01';
constexpr std::size_t kPositionBytes = 17;
constexpr std::uint64_t kSignBit = std::uint64_t{1} << 63;
// R4 leaves it to the server what is near if no distance is given.
constexpr double kDefaultRadiusM = 50'000;

void AppendDouble(std::string* out, double number) {
  const auto bits = std::bit_cast<std::uint64_t>(number + 0.0);  // -0 becomes 0.
  AppendU64(out, (bits & kSignBit) != 0 ? ~bits : bits | kSignBit);
}

double ReadDouble(const char* bytes) {
  const std::uint64_t bits = ReadU64(bytes);
  return std::bit_cast<double>((bits & kSignBit) != 0 ? bits & ~kSignBit : ~bits);
}

std::optional<double> ParseDouble(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  if (!std::isfinite(number)) return std::nullopt;
  return number;
}

std::optional<GeoPoint> ParsePoint(std::string_view latitude, std::string_view longitude) {
  const auto north = ParseDouble(latitude);
  const auto east = ParseDouble(longitude);
  if (!north || !east || std::abs(*north) > 90 || std::abs(*east) > 180) return std::nullopt;
  return GeoPoint{*north, *east};
}

struct Unit {
  std::string_view name;
  double metres;
};

// Metres in one of the unit: UCUM's code, or what people write. Nothing: not known.
std::optional<double> MetresOf(std::string_view unit) {
  constexpr Unit kUnits[] = {{"km", 1000},         {"m", 1},          {"cm", 0.01},
                             {"[mi_i]", 1609.344}, {"mi", 1609.344},  {"mile", 1609.344},
                             {"miles", 1609.344},  {"[nmi_i]", 1852}, {"nmi", 1852},
                             {"[yd_i]", 0.9144},   {"yd", 0.9144},    {"[ft_i]", 0.3048},
                             {"ft", 0.3048}};
  for (const Unit& known : kUnits) {
    if (known.name == unit) return known.metres;
  }
  return std::nullopt;
}

void Encode(const ElementView& element, ValueSink* sink) {
  const auto point = PointOf(element.value);
  if (!point) return;
  std::string* out = sink->Begin(kPositionTag);
  AppendDouble(out, point->latitude);
  AppendDouble(out, point->longitude);
  sink->Add();
}

Encoder EncoderFor(definitions::TypeId type) {
  return definitions::GetType(type).name == "Location.position" ? &Encode : nullptr;
}

// "latitude|longitude|distance|units" (R4 Location, near).
Result<Circle> ParseCircle(const SearchValue& value) {
  std::vector<std::string> parts;
  for (const std::string_view part : SplitUnescaped(value.text, '|')) {
    parts.push_back(Unescape(part));
  }
  if (parts.size() < 2 || parts.size() > 4) {
    return Fail(BadValue(value, "is not latitude|longitude|distance|units"));
  }
  parts.resize(4);
  const auto point = ParsePoint(parts[0], parts[1]);
  if (!point) return Fail(BadValue(value, "does not begin with latitude|longitude in degrees"));
  Circle circle{*point, kDefaultRadiusM};
  const auto metres = MetresOf(parts[3].empty() ? "km" : parts[3]);
  if (!metres) return Fail(BadValue(value, "has units that are not known; km, m or mi are"));
  if (parts[2].empty()) return circle;
  const auto distance = ParseDouble(parts[2]);
  if (!distance || *distance < 0) return Fail(BadValue(value, "has a distance that is no number"));
  circle.radius_m = *distance * *metres;
  return circle;
}

Result<std::vector<ValueRange>> Parse(const SearchValue& value) {
  FHIR_TRY(circle, ParseCircle(value));
  // A little more, so that rounding leaves nothing out.
  const double half = DegreesOfLatitude(circle.radius_m) * 1.000001 + 1e-9;
  std::string south(1, kPositionTag);
  AppendDouble(&south, circle.centre.latitude - half);
  std::string north(1, kPositionTag);
  AppendDouble(&north, circle.centre.latitude + half);
  ValueRange range;
  range.from = std::move(south);
  range.to = PrefixEnd(north);
  range.circle = circle;
  return std::vector{std::move(range)};
}

}  // namespace

std::optional<GeoPoint> PointOf(const json::Value& position) {
  const json::Value latitude = position.Find("latitude");
  const json::Value longitude = position.Find("longitude");
  if (latitude.IsNone() || longitude.IsNone()) return std::nullopt;
  return ParsePoint(latitude.Text(), longitude.Text());
}

bool IsWithin(const Circle& circle, std::string_view value) {
  if (value.size() != kPositionBytes) return false;
  const GeoPoint point{ReadDouble(value.data() + 1), ReadDouble(value.data() + 9)};
  return DistanceM(circle.centre, point) <= circle.radius_m;
}

const SearchTypeSpec kPositionType = {.name = "special",
                                      .type = SearchType::kSpecial,
                                      .encoder_for = &EncoderFor,
                                      .parse = &Parse,
                                      .modifiers = {},
                                      .sort_tags = {}};

}  // namespace fhir::search
