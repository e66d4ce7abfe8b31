// server/interactions/read.cc -- GET [type]/[id] and GET [type]/[id]/_history/[version]
// (R4 3.1.0.1).
#include <charconv>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "fhir/search/query.h"
#include "server/interactions/interaction.h"
#include "server/interactions/preference.h"
#include "server/interactions/resource_answer.h"
#include "server/interactions/shape.h"

namespace server {
namespace {

using CachedPtr = std::shared_ptr<const storage::CachedResource>;

fhir::Result<fhir::search::Summary> ParseSummary(std::string_view value) {
  using fhir::search::Summary;
  if (value == "false") return Summary::kFalse;
  if (value == "true") return Summary::kTrue;
  if (value == "text") return Summary::kText;
  if (value == "data") return Summary::kData;
  return fhir::Fail(fhir::Invalid("_summary of a read is true, text, data or false"));
}

void AppendItems(std::string_view list, std::vector<std::string>* items) {
  while (!list.empty()) {
    const std::size_t comma = list.find(',');
    if (comma != 0) items->emplace_back(list.substr(0, comma));
    if (comma == std::string_view::npos) return;
    list.remove_prefix(comma + 1);
  }
}

// The parameters that a read may have (R4 3.1.0.1.6). _pretty is accepted and changes nothing:
// answers are compact.
fhir::Result<Shape> ReadShape(const Request& request) {
  FHIR_TRY(parameters, fhir::search::DecodeParameters(request.query));
  auto summary = fhir::search::Summary::kFalse;
  std::vector<std::string> elements;
  for (const auto& [name, value] : parameters) {
    if (name == "_format" || name == "_pretty") continue;
    if (name == "_elements") {
      AppendItems(value, &elements);
    } else if (name == "_summary") {
      FHIR_TRY(parsed, ParseSummary(value));
      summary = parsed;
    } else if (!ParsePreference(request.headers.prefer).lenient) {
      return fhir::Fail(fhir::Invalid("a read has no parameter " + name));
    }
  }
  return Shape::Of(summary, std::move(elements));
}

Reply AnswerShaped(const RequestHeaders& headers, const Shape& shape, CachedPtr resource) {
  if (shape.IsWhole()) return AnswerRead(headers, std::move(resource));
  Reply reply;
  SetVersion(resource->view.version, resource->view.instant_ms, &reply);
  std::string json;
  shape.Append(&json, resource->view);
  reply.body.Append(std::move(json));
  return reply;
}

// 410, with the version that the deletion made.
Reply AnswerGone(const fhir::Error& error, const Context& context, const PathParameters& path) {
  Reply reply = ReplyOf(error);
  const auto history = context.store->History(*context.store->Latest(), path.type, path.id);
  if (history && !history->empty() && history->front().operation == storage::Operation::kDelete) {
    reply.etag = ETagOf(history->front().version);
  }
  return reply;
}

fhir::Result<Reply> Read(const Request& request, const PathParameters& path,
                         const Context& context) {
  FHIR_TRY(shape, ReadShape(request));
  fhir::Result<CachedPtr> resource = context.store->Read(path.type, path.id);
  if (resource) return AnswerShaped(request.headers, shape, *std::move(resource));
  if (resource.error().http_status == 410) return AnswerGone(resource.error(), context, path);
  return fhir::Fail(std::move(resource).error());
}

std::optional<Reply> TryRead(const Request& request, const PathParameters& path,
                             const Context& context) {
  if (!request.query.empty()) return std::nullopt;
  CachedPtr resource = context.store->TryReadCached(path.type, path.id);
  if (resource == nullptr) return std::nullopt;
  return AnswerRead(request.headers, std::move(resource));
}

fhir::Result<Reply> Vread(const Request& request, const PathParameters& path,
                          const Context& context) {
  FHIR_TRY(shape, ReadShape(request));
  std::uint64_t version = 0;
  const std::string_view text = path.version;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), version);
  if (error != std::errc() || end != text.data() + text.size()) {
    return fhir::Fail(fhir::NotFound("versions are numbers from 1"));
  }
  FHIR_TRY(resource, context.store->ReadVersion(path.type, path.id, version));
  return AnswerShaped(request.headers, shape, std::move(resource));
}

}  // namespace

extern const Interaction kRead;
const Interaction kRead = {.verb = Verb::kGet,
                           .shape = PathShape::kInstance,
                           .handler = {.code = "read", .read = &Read, .try_read = &TryRead},
                           .listed_as = "read"};

extern const Interaction kVread;
const Interaction kVread = {.verb = Verb::kGet,
                            .shape = PathShape::kVersion,
                            .handler = {.code = "vread", .read = &Vread},
                            .listed_as = "vread"};

}  // namespace server
