// fhir/base/base64.h
//
// Base64 as FHIR's base64Binary has it (RFC 4648 4; white space anywhere).
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace fhir {

// Nothing for a text that is no base64.
std::optional<std::string> DecodeBase64(std::string_view text);

}  // namespace fhir
