// server/interactions/write_parameters.h
//
// The parameters of writes that are not conditional.
#pragma once

#include <string_view>

#include "fhir/base/result.h"
#include "server/runtime/request.h"

namespace server {

// Writes know no parameter but _format and _pretty; empty ones ask nothing. `query` is that of
// `request`, or of an entry of its bundle. Errors: Invalid, naming the parameter, unless the client
// wants it ignored (Prefer: handling=lenient).
fhir::Result<void> CheckWriteParameters(const Request& request, std::string_view query);

}  // namespace server
