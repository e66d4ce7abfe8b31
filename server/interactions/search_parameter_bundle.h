// server/interactions/search_parameter_bundle.h
//
// The file that DB_SEARCH_PARAM_BUNDLE names: a Bundle of SearchParameters that
// are in force while the server runs. They are not stored as resources.
#pragma once

#include <string>
#include <vector>

#include "fhir/base/result.h"
#include "fhir/search/own_parameter.h"

namespace server {

// The active ones; nothing for an empty path. Blocking: reads the file.
// Errors: Invalid, one line that names the file and, where it is one's fault, the entry.
fhir::Result<std::vector<fhir::search::OwnParameter>> ReadSearchParameterBundle(
    const std::string& path);

}  // namespace server
