// server/middleware/media_type.h
//
// Media types as Accept and Content-Type write them (RFC 9110 8.3.1, 12.5.1),
// as far as a server of one format needs them.
//
// Thread-safety: pure functions.
#pragma once

#include <string>
#include <string_view>

namespace server {

struct MediaType {
  std::string name;               // "application/fhir+json", in lower case.
  std::string charset;            // In lower case; empty: not given.
  std::string_view fhir_version;  // Empty: not given.
  bool refused = false;           // q=0.
};

// Reads `type;parameter=value…`. Never fails: what cannot be understood has a name nobody knows.
MediaType ParseMediaType(std::string_view text);

// application/fhir+json, application/json and the older spellings, of FHIR 4.0 if a version is
// named.
bool IsJson(const MediaType& type);

// Whether an Accept field allows JSON; an empty one does.
bool AcceptsJson(std::string_view accept);

}  // namespace server
