#include "server/routing/capabilities.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "fhir/base/time.h"
#include "fhir/definitions/definitions.h"
#include "fhir/json/writer.h"
#include "server/interactions/interaction.h"
#include "server/operations/operation.h"

namespace server {
namespace {

using fhir::json::Writer;

// The base's URL follows it.
constexpr std::string_view kDescription = R"("description":"Kiln FHIR server")";

void WriteCode(std::string_view code, Writer* writer) {
  writer->BeginObject().Member("code").String(code).EndObject();
}

void WriteInteractions(bool of_system, Writer* writer) {
  for (const Interaction* interaction : Interactions()) {
    if (interaction->listed_as.empty() || IsOfSystem(*interaction) != of_system) continue;
    WriteCode(interaction->listed_as, writer);
  }
}

void WriteConditionals(Writer* writer) {
  const bool can_update = FindInteraction(Verb::kPut, PathShape::kType) != nullptr;
  const bool can_delete = FindInteraction(Verb::kDelete, PathShape::kType) != nullptr;
  writer->Member("conditionalCreate").Bool(true);
  writer->Member("conditionalRead").String("full-support");
  writer->Member("conditionalUpdate").Bool(can_update);
  writer->Member("conditionalDelete").String(can_delete ? "single" : "not-supported");
}

void WriteReferencePolicy(const Context& context, Writer* writer) {
  writer->Member("referencePolicy").BeginArray().String("literal").String("local");
  if (context.referential_integrity) writer->String("enforced");
  writer->EndArray();
}

void WriteSearchParameter(const fhir::search::SearchParameter& parameter, Writer* writer) {
  writer->BeginObject();
  writer->Member("name").String(parameter.code);
  if (!parameter.url.empty()) writer->Member("definition").String(parameter.url);
  writer->Member("type").String(fhir::definitions::ToString(parameter.type));
  writer->EndObject();
}

void WriteSearchParameters(const Context& context, std::string_view type, Writer* writer) {
  writer->Member("searchParam").BeginArray();
  for (const fhir::search::SearchParameter& parameter : context.registry->ParametersOf(type)) {
    WriteSearchParameter(parameter, writer);
  }
  writer->EndArray();
}

void WriteIncludes(const Context& context, std::string_view type, Writer* writer) {
  writer->Member("searchInclude").BeginArray().String("*");
  for (const auto& parameter : context.registry->ParametersOf(type)) {
    if (parameter.type != fhir::search::SearchType::kReference) continue;
    writer->String(std::string(type) + ":" + parameter.code);
  }
  writer->EndArray();
}

// What may refer to the type.
void WriteReverseIncludes(const Context& context, std::string_view type, Writer* writer) {
  writer->Member("searchRevInclude").BeginArray().String("*");
  for (const fhir::definitions::Type& source : fhir::definitions::Types()) {
    for (const auto& parameter : context.registry->ParametersOf(source.name)) {
      const auto& targets = parameter.targets;
      if (std::ranges::find(targets, type) == targets.end()) continue;
      writer->String(std::string(source.name) + ":" + parameter.code);
    }
  }
  writer->EndArray();
}

// R4 names their definitions Patient -> patient, RelatedPerson -> relatedPerson.
void WriteCompartments(Writer* writer) {
  writer->Member("compartment").BeginArray();
  std::string_view last;
  for (const auto& member : fhir::definitions::CompartmentMembers()) {
    if (member.compartment == last) continue;
    last = member.compartment;
    std::string url = "http://hl7.org/fhir/CompartmentDefinition/" + std::string(last);
    url[url.size() - last.size()] = static_cast<char>(last.front() - 'A' + 'a');
    writer->String(url);
  }
  writer->EndArray();
}

void WriteOperations(std::string_view type, Writer* writer) {
  bool is_open = false;
  for (const Operation* operation : Operations()) {
    if (operation->resource_type != type) continue;
    if (!is_open) writer->Member("operation").BeginArray();
    is_open = true;
    writer->BeginObject();
    writer->Member("name").String(operation->code);
    writer->Member("definition").String(operation->definition);
    writer->EndObject();
  }
  if (is_open) writer->EndArray();
}

void WriteResource(const Context& context, std::string_view type, Writer* writer) {
  writer->BeginObject();
  writer->Member("type").String(type);
  writer->Member("interaction").BeginArray();
  WriteInteractions(/*of_system=*/false, writer);
  writer->EndArray();
  writer->Member("versioning").String("versioned-update");
  writer->Member("readHistory").Bool(true);
  writer->Member("updateCreate").Bool(true);
  WriteConditionals(writer);
  WriteReferencePolicy(context, writer);
  WriteIncludes(context, type, writer);
  WriteReverseIncludes(context, type, writer);
  WriteSearchParameters(context, type, writer);
  WriteOperations(type, writer);
  writer->EndObject();
}

// Whether every type has the parameter: only then a search over all types takes it.
bool IsCommon(const Context& context, std::string_view code) {
  return std::ranges::all_of(fhir::definitions::Types(), [&](const fhir::definitions::Type& type) {
    return type.kind != fhir::definitions::TypeKind::kResource ||
           context.registry->Find(type.name, code) != nullptr;
  });
}

// Those of a search over all types; _filter and _type are no parameters of a type.
void WriteCommonSearchParameters(const Context& context, Writer* writer) {
  writer->Member("searchParam").BeginArray();
  for (const std::string_view name : {"_filter", "_type"}) {
    writer->BeginObject();
    writer->Member("name").String(name).Member("type").String("special");
    writer->EndObject();
  }
  // Any type does: a common parameter is among its own.
  for (const auto& parameter : context.registry->ParametersOf("Basic")) {
    if (IsCommon(context, parameter.code)) WriteSearchParameter(parameter, writer);
  }
  writer->EndArray();
}

void WriteRest(const Context& context, Writer* writer) {
  writer->Member("rest").BeginArray().BeginObject();
  writer->Member("mode").String("server");
  writer->Member("resource").BeginArray();
  for (const fhir::definitions::Type& type : fhir::definitions::Types()) {
    if (type.kind == fhir::definitions::TypeKind::kResource) {
      WriteResource(context, type.name, writer);
    }
  }
  writer->EndArray();
  writer->Member("interaction").BeginArray();
  WriteCode("transaction", writer);
  WriteCode("batch", writer);
  WriteInteractions(/*of_system=*/true, writer);
  writer->EndArray();
  WriteCommonSearchParameters(context, writer);
  WriteOperations({}, writer);
  WriteCompartments(writer);
  writer->EndObject().EndArray();
}

Reply Answer(const Request& request, const Context& context) {
  // Shared by all replies for as long as the process runs.
  static const auto statement =
      std::make_shared<const std::string>(CapabilityStatement(context, request.received_ms));
  // But for the base, which may be another for each Host.
  static const std::size_t url = statement->find(kDescription) + kDescription.size();
  std::string member = ",\"url\":";
  Writer(&member).String(request.base_url);
  Reply reply;
  reply.body.AppendShared(std::string_view(*statement).substr(0, url), statement);
  reply.body.Append(std::move(member));
  reply.body.AppendShared(std::string_view(*statement).substr(url), statement);
  return reply;
}

fhir::Result<Reply> Capabilities(const Request& request, const PathParameters&,
                                 const Context& context) {
  return Answer(request, context);
}

std::optional<Reply> TryCapabilities(const Request& request, const PathParameters&,
                                     const Context& context) {
  return Answer(request, context);
}

}  // namespace

std::string CapabilityStatement(const Context& context, std::int64_t date_ms) {
  std::string out;
  Writer writer(&out);
  writer.BeginObject();
  writer.Member("resourceType").String("CapabilityStatement");
  writer.Member("status").String("active");
  writer.Member("date").String(fhir::FormatInstant(date_ms));
  writer.Member("kind").String("instance");
  writer.Member("software").BeginObject().Member("name").String("Kiln");
  if (!context.version.empty()) writer.Member("version").String(context.version);
  writer.EndObject();
  writer.Member("implementation").Raw("{" + std::string(kDescription) + "}");
  writer.Member("fhirVersion").String("4.0.1");
  writer.Member("format").BeginArray().String("application/fhir+json").String("json").EndArray();
  writer.Member("patchFormat").BeginArray().String("application/json-patch+json").EndArray();
  WriteRest(context, &writer);
  writer.EndObject();
  return out;
}

const Handler& CapabilitiesHandler() {
  static constexpr Handler kHandler = {
      .code = "capabilities", .read = &Capabilities, .try_read = &TryCapabilities};
  return kHandler;
}

}  // namespace server
