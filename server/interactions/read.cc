// server/interactions/read.cc -- GET [type]/[id] and GET [type]/[id]/_history/[version]
// (R4 3.1.0.1).
#include <charconv>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "fhir/search/query.h"
#include "server/interactions/interaction.h"
#include "server/interactions/preference.h"
#include "server/interactions/resource_answer.h"
#include "server/interactions/shape.h"

namespace server {
namespace {

using CachedPtr = std::shared_ptr<const storage::CachedResource>;

// The parameters that a read may have (R4 3.1.0.1.6).
fhir::Result<Shape> ReadShape(const Request& request, std::string_view type) {
  if (request.query.empty()) return Shape();
  FHIR_TRY(parameters, fhir::search::DecodeParameters(request.query));
  ShapeParameters shape;
  for (const auto& [name, value] : parameters) {
    if (name == "_format" || name == "_pretty" || value.empty()) continue;
    FHIR_TRY(is_shape, ReadShapeParameter(name, value, &shape));
    if (!is_shape && !ParsePreference(request.headers.prefer).lenient) {
      return fhir::Fail(fhir::Invalid("a read has no parameter " + name, name));
    }
  }
  if (shape.summary == fhir::search::Summary::kCount) {
    return fhir::Fail(fhir::Invalid("a read has nothing to count", "_summary"));
  }
  return Shape::Of(type, shape.summary, std::move(shape.elements));
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
  FHIR_TRY(shape, ReadShape(request, path.type));
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
  FHIR_TRY(shape, ReadShape(request, path.type));
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
