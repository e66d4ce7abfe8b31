// server/http/target.h
//
// The request target and the Host field: where a request goes, below the base or
// beside it. Knows nothing of sockets.
//
// Thread-safety: pure functions.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "fhir/base/result.h"

namespace server {

// Views into the target.
struct TargetParts {
  std::string_view authority;  // Of the absolute form (RFC 9112 3.2.2); otherwise empty.
  std::string_view path;       // Still encoded; "*" for OPTIONS *.
  std::string_view query;      // Without '?'.
};
TargetParts SplitTarget(std::string_view target);

// What follows `context_path` in an encoded path, without the slashes around it: "Patient/x", ""
// for the base itself; nothing if the path lies elsewhere.
std::optional<std::string_view> BelowContext(std::string_view path, std::string_view context_path);

// Percent-decodes `path` into `*out`. Errors: Invalid, if an escape is broken or stands for a
// control character or a slash.
fhir::Result<void> DecodePath(std::string_view path, std::string* out);

// Whether a Host field may go into links: a name or address, with or without port.
bool IsHost(std::string_view host);

}  // namespace server
