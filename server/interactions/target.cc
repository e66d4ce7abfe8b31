#include "server/interactions/target.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "fhir/definitions/definitions.h"
#include "fhir/validation/structure.h"

namespace server {
namespace {

constexpr std::size_t kMaxSegments = 4;
constexpr std::size_t kMaxNameSize = 64;

// Splits at '/'. Nothing if there are more than kMaxSegments.
std::optional<std::size_t> Split(std::string_view path,
                                 std::array<std::string_view, kMaxSegments>* segments) {
  if (path.starts_with('/')) path.remove_prefix(1);
  if (path.ends_with('/')) path.remove_suffix(1);
  if (path.empty()) return 0;
  for (std::size_t count = 0; count < kMaxSegments; ++count) {
    const std::size_t slash = path.find('/');
    (*segments)[count] = path.substr(0, slash);
    if (slash == std::string_view::npos) return count + 1;
    path.remove_prefix(slash + 1);
  }
  return std::nullopt;
}

char Lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

// Levenshtein, without regard to case.
std::size_t Distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0]++;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = diagonal + (Lower(a[i]) == Lower(b[j]) ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row.back();
}

fhir::Error UnknownType(std::string_view name) {
  // What a client sent is echoed only if it could be a name at all.
  const bool is_name = name.size() <= kMaxNameSize && std::ranges::all_of(name, [](char c) {
                         return c > ' ' && c < '\x7f' && c != '"';
                       });
  if (!is_name) return fhir::NotFound("no such path");
  std::string_view nearest;
  std::size_t nearest_distance = name.size() / 2 + 1;
  for (const fhir::definitions::Type& type : fhir::definitions::Types()) {
    if (type.kind != fhir::definitions::TypeKind::kResource) continue;
    const std::size_t distance = Distance(name, type.name);
    if (distance < nearest_distance) {
      nearest = type.name;
      nearest_distance = distance;
    }
  }
  std::string text = "unknown resource type " + std::string(name);
  if (!nearest.empty()) text += "; did you mean " + std::string(nearest) + "?";
  return fhir::NotFound(std::move(text));
}

Target OfOneSegment(std::string_view segment) {
  if (segment == "metadata") return {PathShape::kMetadata, {}, {}};
  if (segment == "_search") return {PathShape::kSystemSearch, {}, {}};
  if (segment == "_history") return {PathShape::kSystemHistory, {}, {}};
  if (segment.starts_with('$')) return {PathShape::kSystemOperation, {}, segment.substr(1)};
  return {PathShape::kType, {.type = segment}, {}};
}

Target OfTwoSegments(std::string_view type, std::string_view segment) {
  if (segment == "_search") return {PathShape::kTypeSearch, {.type = type}, {}};
  if (segment == "_history") return {PathShape::kTypeHistory, {.type = type}, {}};
  if (segment.starts_with('$')) {
    return {PathShape::kTypeOperation, {.type = type}, segment.substr(1)};
  }
  return {PathShape::kInstance, {.type = type, .id = segment}, {}};
}

fhir::Result<void> CheckCompartment(const PathParameters& path) {
  const bool is_known = std::ranges::any_of(
      fhir::definitions::CompartmentMembers(),
      [&](const fhir::definitions::CompartmentMember& m) { return m.compartment == path.type; });
  if (!is_known) return fhir::Fail(fhir::NotFound("no such path"));
  if (path.member == "*") return {};
  if (!fhir::definitions::IsResourceType(path.member)) {
    return fhir::Fail(UnknownType(path.member));
  }
  if (path.member == path.type ||
      fhir::definitions::FindCompartmentMember(path.type, path.member) != nullptr) {
    return {};
  }
  return fhir::Fail(fhir::NotFound(std::string(path.member) + " is in no compartment of type " +
                                   std::string(path.type)));
}

}  // namespace

fhir::Result<Target> ParseTarget(std::string_view path) {
  std::array<std::string_view, kMaxSegments> part;
  const std::optional<std::size_t> count = Split(path, &part);
  if (!count) return fhir::Fail(fhir::NotFound("no such path"));
  if (*count == 0) return Target{};

  Target target;
  if (*count == 1) {
    target = OfOneSegment(part[0]);
    if (target.shape != PathShape::kType) return target;
  } else if (*count == 2) {
    target = OfTwoSegments(part[0], part[1]);
  } else if (*count == 3 && part[2] == "_history") {
    target = {PathShape::kInstanceHistory, {.type = part[0], .id = part[1]}, {}};
  } else if (*count == 3 && part[2].starts_with('$')) {
    target = {PathShape::kInstanceOperation, {.type = part[0], .id = part[1]}, part[2].substr(1)};
  } else if (*count == 3) {
    target = {PathShape::kCompartment, {.type = part[0], .id = part[1], .member = part[2]}, {}};
  } else if (part[3] == "_search") {
    target = {
        PathShape::kCompartmentSearch, {.type = part[0], .id = part[1], .member = part[2]}, {}};
  } else if (part[2] == "_history") {
    target = {PathShape::kVersion, {.type = part[0], .id = part[1], .version = part[3]}, {}};
  } else {
    return fhir::Fail(fhir::NotFound("no such path"));
  }
  if (!fhir::definitions::IsResourceType(target.parameters.type)) {
    return fhir::Fail(UnknownType(target.parameters.type));
  }
  if (!target.parameters.member.empty()) FHIR_TRY_VOID(CheckCompartment(target.parameters));
  if (!target.parameters.id.empty() && !fhir::validation::IsId(target.parameters.id)) {
    return fhir::Fail(fhir::NotFound("an id has 1 to 64 characters of A-Z, a-z, 0-9, '-' and '.'"));
  }
  return target;
}

}  // namespace server
