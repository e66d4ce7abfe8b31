#include "server/interactions/form_body.h"

#include <string>
#include <string_view>
#include <utility>

#include "server/interactions/prepare_write.h"

namespace server {
namespace {

bool IsForm(const Request& request) {
  return request.headers.content_type.starts_with("application/x-www-form-urlencoded");
}

// The value of Parameters.parameter; None if it is not primitive.
fhir::json::Value PrimitiveOf(const fhir::json::Value& parameter) {
  for (const fhir::json::Value member : parameter.Children()) {
    if (!member.Name().starts_with("value")) continue;
    return member.IsObject() ? fhir::json::Value() : member;
  }
  return {};
}

}  // namespace

fhir::Result<void> AddFormBody(const Request& request, fhir::search::Parameters* parameters) {
  std::string_view body = request.body;
  while (body.ends_with('\n') || body.ends_with('\r')) body.remove_suffix(1);
  if (body.empty()) return {};
  if (!IsForm(request)) {
    return fhir::Fail(fhir::UnsupportedMediaType(
        "these parameters are sent as application/x-www-form-urlencoded"));
  }
  FHIR_TRY(sent, fhir::search::DecodeParameters(body));
  for (auto& parameter : sent) parameters->push_back(std::move(parameter));
  return {};
}

fhir::Result<void> AddParametersBody(const Request& request, fhir::search::Parameters* parameters) {
  if (request.body.empty() || IsForm(request)) return AddFormBody(request, parameters);
  FHIR_TRY(parsed, ParseResourceOfType(request.body, "Parameters"));
  const fhir::json::Value list = parsed.Root().Find("parameter");
  if (list.IsNone()) return {};
  for (const fhir::json::Value parameter : list.Children()) {
    const fhir::json::Value value = PrimitiveOf(parameter);
    if (value.IsNone()) {
      return fhir::Fail(
          fhir::Invalid("this operation's parameters are primitive values",
                        fhir::validation::ExpressionOf(parsed.Root(), parameter.Index())));
    }
    parameters->emplace_back(parameter.Find("name").StringOrEmpty(), value.Text());
  }
  return {};
}

}  // namespace server
