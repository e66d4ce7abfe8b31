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
};

struct Target {
  PathShape shape = PathShape::kBase;
  PathParameters parameters;
  std::string_view operation;  // Without '$'.
};

// `path` as in Request::path; one slash at its end is ignored, and one at its beginning.
// Errors: NotFound, for a path of no such form, an unknown type (naming the nearest) or an illegal
// id.
fhir::Result<Target> ParseTarget(std::string_view path);

}  // namespace server
