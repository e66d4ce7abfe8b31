#include "server/interactions/search_parameter_bundle.h"

#include <fstream>
#include <optional>
#include <sstream>
#include <utility>

#include "fhir/json/document.h"
#include "fhir/validation/structure.h"

namespace server {
namespace {

using fhir::search::OwnParameter;

fhir::Error Bad(const std::string& path, const std::string& problem) {
  return fhir::Invalid("DB_SEARCH_PARAM_BUNDLE: " + path + ": " + problem);
}

std::string TextOf(const fhir::Issue& issue) {
  return (issue.expression.empty() ? "" : issue.expression + ": ") + issue.diagnostics;
}

fhir::Result<std::optional<OwnParameter>> ReadEntry(const std::string& path,
                                                    const std::string& name,
                                                    const fhir::json::Value& entry) {
  const fhir::json::Value resource = entry.Find("resource");
  if (resource.Find("resourceType").StringOrEmpty() != "SearchParameter") {
    return fhir::Fail(Bad(path, name + " is not a SearchParameter"));
  }
  const std::string id(resource.Find("id").StringOrEmpty());
  const std::string source = id.empty() ? name : name + " (" + id + ")";
  const auto inspection = fhir::validation::InspectResource(resource);
  if (!inspection.issues.empty()) {
    return fhir::Fail(Bad(path, source + ": " + TextOf(inspection.issues.front())));
  }
  auto parameter = fhir::search::ReadOwnParameter(resource, source);
  if (parameter) return *std::move(parameter);
  return fhir::Fail(Bad(path, source + ": " + TextOf(parameter.error().issues.front())));
}

}  // namespace

fhir::Result<std::vector<OwnParameter>> ReadSearchParameterBundle(const std::string& path) {
  std::vector<OwnParameter> parameters;
  if (path.empty()) return parameters;
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  if (file) text << file.rdbuf();
  if (!file || !text) return fhir::Fail(Bad(path, "cannot be read"));
  auto document = fhir::json::Document::Parse(text.str());
  if (!document) return fhir::Fail(Bad(path, TextOf(document.error().issues.front())));
  if (document->Root().Find("resourceType").StringOrEmpty() != "Bundle") {
    return fhir::Fail(Bad(path, "is not a Bundle"));
  }
  const fhir::json::Value entries = document->Root().Find("entry");
  if (entries.IsNone()) return parameters;
  if (!entries.IsArray()) return fhir::Fail(Bad(path, "Bundle.entry is not a list"));
  std::size_t position = 0;
  for (const fhir::json::Value entry : entries.Children()) {
    FHIR_TRY(parameter, ReadEntry(path, "entry[" + std::to_string(position++) + "]", entry));
    if (parameter) parameters.push_back(*std::move(parameter));
  }
  return parameters;
}

}  // namespace server
