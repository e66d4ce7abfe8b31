// server/operations/index_status.cc -- SearchParameter/$index-status: the own search parameters in
// force, and how far their indexes are.
#include <memory>
#include <string>

#include "fhir/json/writer.h"
#include "server/operations/operation.h"

namespace server {
namespace {

using fhir::json::Writer;
using fhir::search::OwnParameter;

// What the parameter's indexes of all its types hold together.
storage::IndexingProgress ProgressOf(const storage::Snapshot& snapshot,
                                     const OwnParameter& parameter) {
  std::vector<fhir::search::IndexId> indexes;
  const fhir::search::Registry& registry = storage::RegistryOf(snapshot);
  for (const fhir::definitions::Type& type : fhir::definitions::Types()) {
    const auto* found = registry.Find(type.name, parameter.code);
    if (found == nullptr || found->url != parameter.url) continue;
    indexes.insert(indexes.end(), found->indexes.begin(), found->indexes.end());
  }
  return storage::ProgressOf(snapshot, indexes);
}

void WritePart(std::string_view name, std::string_view type, std::string_view text,
               Writer* writer) {
  writer->BeginObject().Member("name").String(name).Member(type).String(text).EndObject();
}

std::string_view StateOf(const storage::IndexingProgress& progress) {
  if (progress.is_complete) return "complete";
  return progress.problem.empty() ? "building" : "failed";
}

void WriteParameter(const OwnParameter& parameter, const storage::IndexingProgress& progress,
                    Writer* writer) {
  writer->BeginObject().Member("name").String("searchParameter");
  writer->Member("part").BeginArray();
  WritePart("source", "valueString", parameter.source, writer);
  WritePart("url", "valueUri", parameter.url, writer);
  WritePart("code", "valueCode", parameter.code, writer);
  WritePart("state", "valueCode", StateOf(progress), writer);
  writer->BeginObject().Member("name").String("percent");
  writer->Member("valueInteger").Number(progress.Percent()).EndObject();
  if (!progress.problem.empty()) WritePart("problem", "valueString", progress.problem, writer);
  writer->EndArray().EndObject();
}

fhir::Result<Reply> IndexStatus(const Request&, const PathParameters&, const Context& context) {
  const storage::SnapshotPtr snapshot = context.store->Latest();
  std::string body;
  Writer writer(&body);
  writer.BeginObject().Member("resourceType").String("Parameters");
  const auto& own = storage::RegistryOf(*snapshot).Own();
  if (!own.empty()) {
    writer.Member("parameter").BeginArray();
    for (const OwnParameter& parameter : own) {
      WriteParameter(parameter, ProgressOf(*snapshot, parameter), &writer);
    }
    writer.EndArray();
  }
  writer.EndObject();
  Reply reply;
  reply.body.Append(std::move(body));
  return reply;
}

}  // namespace

extern const Operation kIndexStatus;
const Operation kIndexStatus = {.code = "index-status",
                                .definition = "urn:kiln:OperationDefinition:index-status",
                                .resource_type = "SearchParameter",
                                .level = Level::kType,
                                .affects_state = false,
                                .handler = {.code = "index-status", .read = &IndexStatus}};

}  // namespace server
