// server/interactions/preference.h
//
// The Prefer header (RFC 7240; R4 3.1.0.1.8, 3.1.1.1.2). What is unknown in it is ignored, as the
// RFC demands.
#pragma once

#include <cstdint>
#include <string_view>

namespace server {

struct Preference {
  enum class Return : std::uint8_t { kUnsaid, kMinimal, kRepresentation, kOperationOutcome };

  Return answer = Return::kUnsaid;
  bool lenient = false;
};

Preference ParsePreference(std::string_view header);

}  // namespace server
