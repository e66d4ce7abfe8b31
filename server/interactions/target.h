// server/interactions/target.h
//
// What a request's path names, by its form alone: [type]/[id]/_history/[version]
// and the like. Knows which resource types exist, not which requests are served.
#pragma once

#include <cstdint>
#include <string_view>

#include "fhir/base/result.h"
#include "server/routing/handler.h"

namespace server {

enum class PathShape : std::uint8_t {
  kBase,               // ""
  kMetadata,           // metadata
  kSystemSearch,       // _search
  kSystemHistory,      // _history
  kSystemOperation,    // $x
  kType,               // Patient
  kTypeSearch,         // Patient/_search
  kTypeHistory,        // Patient/_history
  kTypeOperation,      // Patient/$x
  kInstance,           // Patient/x
  kInstanceHistory,    // Patient/x/_history
  kInstanceOperation,  // Patient/x/$x
  kVersion,            // Patient/x/_history/1
  kCompartment,        // Patient/x/Observation, Patient/x/*
  kCompartmentSearch,  // Patient/x/Observation/_search
};

// True for what a GET searches.
constexpr bool IsSearch(PathShape shape) {
  return shape == PathShape::kBase || shape == PathShape::kType || shape == PathShape::kCompartment;
}

struct Target {
  PathShape shape = PathShape::kBase;
  PathParameters parameters;
  std::string_view operation;  // Without '$'.
};

// `path` as in Request::path; one slash at its end is ignored, and one at its beginning.
// Errors: NotFound, for a path of no such form, an unknown type (naming the nearest), an illegal
// id, or a compartment that R4 does not have or that no resources of the type belong to.
fhir::Result<Target> ParseTarget(std::string_view path);

}  // namespace server
