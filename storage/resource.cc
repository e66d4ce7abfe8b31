#include "storage/resource.h"

#include "fhir/base/bytes.h"
#include "storage/varint.h"

namespace storage {
namespace {

constexpr char kResourceFormat = 1;

void AppendShort(std::string* out, std::string_view text) {
  out->push_back(static_cast<char>(text.size()));
  out->append(text);
}

bool TakeShort(std::string_view* bytes, std::string_view* text) {
  if (bytes->empty()) return false;
  const std::size_t size = static_cast<unsigned char>(bytes->front());
  if (bytes->size() < 1 + size) return false;
  *text = bytes->substr(1, size);
  bytes->remove_prefix(1 + size);
  return true;
}

bool TakeOperation(std::string_view* bytes, Operation* operation) {
  if (bytes->empty()) return false;
  const auto number = static_cast<unsigned char>(bytes->front());
  bytes->remove_prefix(1);
  *operation = static_cast<Operation>(number);
  return number >= 1 && number <= 3;
}

bool TakeReferences(std::string_view* bytes, std::uint64_t count, std::string_view after,
                    ResourceView* view) {
  // The spans come before the JSON they point into: read them once for their end, once for the
  // views.
  std::string_view rest = after;
  std::uint64_t gap = 0;
  std::uint64_t size = 0;
  for (std::uint64_t i = 0; i < count; ++i) {
    if (!TakeVarint(&rest, &gap) || !TakeVarint(&rest, &size)) return false;
  }
  std::uint64_t offset = 0;
  for (std::uint64_t i = 0; i < count; ++i) {
    TakeVarint(&after, &gap);
    TakeVarint(&after, &size);
    offset += gap;
    if (offset + size > rest.size()) return false;
    view->references.push_back(rest.substr(offset, size));
  }
  *bytes = rest;
  return true;
}

}  // namespace

void AppendResourceHeader(std::string* out, std::string_view type, std::string_view id,
                          std::uint64_t version, std::int64_t instant_ms, Operation operation,
                          const fhir::model::StoredForm* form) {
  out->push_back(kResourceFormat);
  out->push_back(static_cast<char>(operation));
  AppendVarint(out, version);
  fhir::AppendU64(out, static_cast<std::uint64_t>(instant_ms));
  AppendShort(out, type);
  AppendShort(out, id);
  AppendVarint(out, form == nullptr ? 0 : form->meta_offset);
  AppendVarint(out, form == nullptr ? 0 : form->references.size());
  if (form == nullptr) return;
  std::uint32_t previous = 0;
  for (const fhir::model::ReferenceSpan& span : form->references) {
    AppendVarint(out, span.offset - previous);
    AppendVarint(out, span.size);
    previous = span.offset;
  }
}

bool ParseResource(std::string_view value, ResourceView* view) {
  view->references.clear();
  if (value.empty() || value.front() != kResourceFormat) return false;
  value.remove_prefix(1);
  if (!TakeOperation(&value, &view->operation) || !TakeVarint(&value, &view->version)) return false;
  if (value.size() < 8) return false;
  view->instant_ms = static_cast<std::int64_t>(fhir::ReadU64(value.data()));
  value.remove_prefix(8);
  std::uint64_t meta_offset = 0;
  std::uint64_t count = 0;
  if (!TakeShort(&value, &view->type) || !TakeShort(&value, &view->id) ||
      !TakeVarint(&value, &meta_offset) || !TakeVarint(&value, &count) ||
      !TakeReferences(&value, count, value, view)) {
    return false;
  }
  view->meta_offset = static_cast<std::uint32_t>(meta_offset);
  view->json = value;
  return true;
}

void AppendDocumentValue(std::string* out, const VersionRecord& record, std::string_view id) {
  AppendVarint(out, record.t);
  AppendVarint(out, record.n);
  AppendVarint(out, record.version);
  out->push_back(static_cast<char>(record.operation));
  out->append(id);
}

bool ParseDocumentValue(std::string_view value, std::uint64_t document, DocumentFacts* facts) {
  std::uint64_t n = 0;
  if (!TakeVarint(&value, &facts->record.t) || !TakeVarint(&value, &n) ||
      !TakeVarint(&value, &facts->record.version) ||
      !TakeOperation(&value, &facts->record.operation)) {
    return false;
  }
  facts->record.n = static_cast<std::uint32_t>(n);
  facts->record.document = document;
  facts->id = value;
  return true;
}

void AppendVersionValue(std::string* out, const VersionRecord& record) {
  AppendVarint(out, record.t);
  AppendVarint(out, record.n);
  AppendVarint(out, record.document);
  out->push_back(static_cast<char>(record.operation));
}

bool ParseVersionValue(std::string_view value, std::uint64_t version, VersionRecord* record) {
  std::uint64_t n = 0;
  if (!TakeVarint(&value, &record->t) || !TakeVarint(&value, &n) ||
      !TakeVarint(&value, &record->document) || !TakeOperation(&value, &record->operation)) {
    return false;
  }
  record->n = static_cast<std::uint32_t>(n);
  record->version = version;
  return value.empty();
}

}  // namespace storage
