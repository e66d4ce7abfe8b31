#include "server/routing/capabilities.h"

#include <algorithm>
#include <memory>
#include <mutex>
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

// Those that work. One whose index is being built does not yet.
class SearchParameters {
 public:
  explicit SearchParameters(const storage::Snapshot* snapshot) : snapshot_(snapshot) {}

  const fhir::search::Registry& Registry() const { return storage::RegistryOf(*snapshot_); }
  // Calls visit(parameter) for each.
  template <class Visit>
  void ForEach(std::string_view type, const Visit& visit) const {
    for (const auto& parameter : Registry().ParametersOf(type)) {
      if (storage::CheckComplete(*snapshot_, parameter.indexes)) visit(parameter);
    }
  }

 private:
  const storage::Snapshot* snapshot_;
};

void WriteSearchParameters(const SearchParameters& all, std::string_view type, Writer* writer) {
  writer->Member("searchParam").BeginArray();
  all.ForEach(type, [&](const fhir::search::SearchParameter& parameter) {
    WriteSearchParameter(parameter, writer);
  });
  writer->EndArray();
}

void WriteIncludes(const SearchParameters& all, std::string_view type, Writer* writer) {
  writer->Member("searchInclude").BeginArray().String("*");
  all.ForEach(type, [&](const fhir::search::SearchParameter& parameter) {
    if (parameter.type != fhir::search::SearchType::kReference) return;
    writer->String(std::string(type) + ":" + parameter.code);
  });
  writer->EndArray();
}

// What may refer to the type.
void WriteReverseIncludes(const SearchParameters& all, std::string_view type, Writer* writer) {
  writer->Member("searchRevInclude").BeginArray().String("*");
  for (const fhir::definitions::Type& source : fhir::definitions::Types()) {
    all.ForEach(source.name, [&](const fhir::search::SearchParameter& parameter) {
      const auto& targets = parameter.targets;
      if (std::ranges::find(targets, type) == targets.end()) return;
      writer->String(std::string(source.name) + ":" + parameter.code);
    });
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

void WriteResource(const Context& context, const SearchParameters& parameters,
                   std::string_view type, Writer* writer) {
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
  WriteIncludes(parameters, type, writer);
  WriteReverseIncludes(parameters, type, writer);
  WriteSearchParameters(parameters, type, writer);
  WriteOperations(type, writer);
  writer->EndObject();
}

// Whether every type has the parameter: only then a search over all types takes it.
bool IsCommon(const fhir::search::Registry& registry, std::string_view code) {
  return std::ranges::all_of(fhir::definitions::Types(), [&](const fhir::definitions::Type& type) {
    return type.kind != fhir::definitions::TypeKind::kResource ||
           registry.Find(type.name, code) != nullptr;
  });
}

// Those of a search over all types; _filter and _type are no parameters of a type.
void WriteCommonSearchParameters(const SearchParameters& all, Writer* writer) {
  writer->Member("searchParam").BeginArray();
  for (const std::string_view name : {"_filter", "_type"}) {
    writer->BeginObject();
    writer->Member("name").String(name).Member("type").String("special");
    writer->EndObject();
  }
  // Any type does: a common parameter is among its own.
  all.ForEach("Basic", [&](const fhir::search::SearchParameter& parameter) {
    if (IsCommon(all.Registry(), parameter.code)) WriteSearchParameter(parameter, writer);
  });
  writer->EndArray();
}

void WriteRest(const Context& context, const storage::Snapshot& snapshot, Writer* writer) {
  const SearchParameters parameters(&snapshot);
  writer->Member("rest").BeginArray().BeginObject();
  writer->Member("mode").String("server");
  writer->Member("resource").BeginArray();
  for (const fhir::definitions::Type& type : fhir::definitions::Types()) {
    if (type.kind == fhir::definitions::TypeKind::kResource) {
      WriteResource(context, parameters, type.name, writer);
    }
  }
  writer->EndArray();
  writer->Member("interaction").BeginArray();
  WriteCode("transaction", writer);
  WriteCode("batch", writer);
  WriteInteractions(/*of_system=*/true, writer);
  writer->EndArray();
  WriteCommonSearchParameters(parameters, writer);
  WriteOperations({}, writer);
  WriteCompartments(writer);
  writer->EndObject().EndArray();
}

// The statement as it was made last, for as long as the same search parameters work.
// Thread-safety: thread-safe.
class LastStatement {
 public:
  std::shared_ptr<const std::string> Get(const Context& context, std::int64_t date_ms) {
    const storage::SnapshotPtr snapshot = context.store->Latest();
    const fhir::search::RegistryPtr& registry = storage::SharedRegistryOf(*snapshot);
    const std::size_t incomplete = storage::IncompleteIndexesOf(*snapshot);
    const std::lock_guard lock(mu_);
    if (statement_ == nullptr || registry != registry_ || incomplete != incomplete_) {
      statement_ =
          std::make_shared<const std::string>(CapabilityStatement(context, *snapshot, date_ms));
      registry_ = registry;
      incomplete_ = incomplete;
    }
    return statement_;
  }

 private:
  std::mutex mu_;
  // Guarded by mu_:
  std::shared_ptr<const std::string> statement_;  // Shared with the replies.
  fhir::search::RegistryPtr registry_;
  std::size_t incomplete_ = 0;
};

Reply Answer(const Request& request, const Context& context) {
  static LastStatement last;
  const auto statement = last.Get(context, request.received_ms);
  // But for the base, which may be another for each Host.
  const std::size_t url = statement->find(kDescription) + kDescription.size();
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

std::string CapabilityStatement(const Context& context, const storage::Snapshot& snapshot,
                                std::int64_t date_ms) {
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
  WriteRest(context, snapshot, &writer);
  writer.EndObject();
  return out;
}

const Handler& CapabilitiesHandler() {
  static constexpr Handler kHandler = {
      .code = "capabilities", .read = &Capabilities, .try_read = &TryCapabilities};
  return kHandler;
}

}  // namespace server
