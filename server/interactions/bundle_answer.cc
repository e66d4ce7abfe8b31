#include "server/interactions/bundle_answer.h"

#include <memory>
#include <utility>

#include "fhir/base/time.h"
#include "fhir/json/writer.h"
#include "server/interactions/resource_answer.h"

namespace server {
namespace {

constexpr std::size_t kTypicalEntrySize = 2048;

}  // namespace

BundleEntries::BundleEntries(std::string_view base_url) {
  fhir::json::AppendString(&escaped_base_, base_url);
  escaped_base_.pop_back();  // The closing quote: a path follows.
}

void BundleEntries::Clear() {
  bytes_.clear();
  slots_.clear();
  in_order_ = true;
}

void BundleEntries::Reserve(std::size_t count) {
  slots_.reserve(slots_.size() + count);
  bytes_.reserve(bytes_.size() + count * kTypicalEntrySize);
}

void BundleEntries::Begin(std::size_t position) {
  if (position >= slots_.size()) {
    slots_.resize(position + 1);
  } else {
    in_order_ = false;
  }
  position_ = position;
  slots_[position].offset = bytes_.size();
  // The comma is left out for the entry that comes first.
  bytes_.push_back(',');
}

void BundleEntries::End() {
  slots_[position_].size = bytes_.size() - slots_[position_].offset;
}

void BundleEntries::AppendFullUrl(std::string_view type, std::string_view id) {
  bytes_.append("{\"fullUrl\":").append(escaped_base_);
  bytes_.append("/").append(type).append("/").append(id).append("\"");
}

void BundleEntries::AddMatch(std::size_t position, const storage::ResourceView& view,
                             const Shape& shape, std::string_view extension) {
  AddFound(position, view, shape, "match", extension);
}

void BundleEntries::AddIncluded(std::size_t position, const storage::ResourceView& view,
                                const Shape& shape) {
  AddFound(position, view, shape, "include", {});
}

void BundleEntries::AddFound(std::size_t position, const storage::ResourceView& view,
                             const Shape& shape, std::string_view mode,
                             std::string_view extension) {
  Begin(position);
  AppendFullUrl(view.type, view.id);
  bytes_.append(",\"resource\":");
  shape.Append(&bytes_, view);
  bytes_.append(R"(,"search":{)");
  if (!extension.empty()) bytes_.append(R"("extension":[)").append(extension).append("],");
  bytes_.append(R"("mode":")").append(mode).append(R"("}})");
  End();
}

void BundleEntries::AddVersion(std::size_t position, const storage::ResourceView& view,
                               const Shape& shape) {
  struct Words {
    std::string_view method, status;
  };
  const auto words = [&]() -> Words {
    const bool is_first = view.version == 1;
    switch (view.operation) {
      case storage::Operation::kCreate: return {is_first ? "POST" : "PUT", "201 Created"};
      case storage::Operation::kUpdate: return {"PUT", is_first ? "201 Created" : "200 OK"};
      case storage::Operation::kDelete: break;
    }
    return {"DELETE", "204 No Content"};
  }();
  Begin(position);
  AppendFullUrl(view.type, view.id);
  if (view.operation != storage::Operation::kDelete) {
    bytes_.append(",\"resource\":");
    shape.Append(&bytes_, view);
  }
  bytes_.append(R"(,"request":{"method":")").append(words.method);
  bytes_.append(R"(","url":")").append(view.type);
  if (words.method != "POST") bytes_.append("/").append(view.id);
  bytes_.append(R"("},"response":{"status":")").append(words.status);
  bytes_.append(R"(","etag":"W/\")").append(std::to_string(view.version));
  bytes_.append(R"(\"","lastModified":")").append(fhir::FormatInstant(view.instant_ms));
  bytes_.append("\"}}");
  End();
}

void BundleEntries::AddOutcome(std::string_view operation_outcome) {
  Begin(slots_.size());
  bytes_.append("{\"resource\":").append(operation_outcome);
  bytes_.append(R"(,"search":{"mode":"outcome"}})");
  End();
}

void BundleEntries::MoveTo(Body* body) {
  const auto bytes = std::make_shared<const std::string>(std::move(bytes_));
  const std::string_view all = *bytes;
  if (in_order_) {
    if (!all.empty()) body->AppendShared(all.substr(1), bytes);
    return;
  }
  std::size_t comma = 1;
  for (const Slot& slot : slots_) {
    if (slot.size == 0) continue;
    body->AppendShared(all.substr(slot.offset + comma, slot.size - comma), bytes);
    comma = 0;
  }
}

Reply AnswerBundle(std::string_view type, std::optional<std::uint64_t> total,
                   const std::vector<PageLink>& links, BundleEntries* entries) {
  std::string head;
  fhir::json::Writer writer(&head);
  writer.BeginObject().Member("resourceType").String("Bundle").Member("type").String(type);
  if (total) writer.Member("total").Number(static_cast<std::int64_t>(*total));
  if (!links.empty()) WriteLinks(links, &writer);
  Reply reply;
  reply.link = LinkHeader(links);
  Body list;
  if (entries != nullptr) entries->MoveTo(&list);
  if (list.Size() == 0) {  // An empty array would be no FHIR JSON.
    writer.EndObject();
    reply.body.Append(std::move(head));
    return reply;
  }
  head.append(",\"entry\":[");
  reply.body.Append(std::move(head));
  for (const Body::Piece& piece : list.Pieces()) reply.body.AppendShared(piece.bytes, piece.owner);
  reply.body.Append("]}");
  return reply;
}

}  // namespace server
