#include "server/interactions/write_parameters.h"

#include "fhir/search/query.h"
#include "server/interactions/preference.h"

namespace server {

fhir::Result<void> CheckWriteParameters(const Request& request, std::string_view query) {
  if (query.empty() || ParsePreference(request.headers.prefer).lenient) return {};
  FHIR_TRY(parameters, fhir::search::DecodeParameters(query));
  for (const auto& [name, value] : parameters) {
    if (name == "_format" || name == "_pretty" || value.empty()) continue;
    return fhir::Fail(fhir::Invalid("this write has no parameter " + name, name));
  }
  return {};
}

}  // namespace server
