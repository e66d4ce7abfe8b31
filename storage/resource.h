// storage/resource.h
//
// One version of a resource: where it is, its facts, its bytes; and how these
// are written as values. Never parses JSON.
//
//   resource   format: u8 = 1 | operation: u8 | version | instant: u64, Unix ms
//              | size: u8, type | size: u8, id | meta_offset
//              | count, then for each reference: offset - previous offset, size | json
//   document   t | n | version | operation: u8 | id
//   version    t | n | doc | operation: u8
//
// Integers without a width are varints. The header of `resource` says all that the other column
// families are rebuilt from.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "fhir/model/stored_form.h"
#include "storage/transaction.h"

namespace storage {

// A resource version's place and facts. `document` counts the versions of one type in commit order.
struct VersionRecord {
  std::uint64_t t = 0;
  std::uint32_t n = 0;
  std::uint64_t document = 0;
  std::uint64_t version = 0;
  Operation operation = Operation::kCreate;
};

// One version's bytes, as views that live as long as what they came from.
struct ResourceView {
  std::string_view type;
  std::string_view id;
  std::uint64_t version = 0;
  std::int64_t instant_ms = 0;
  Operation operation = Operation::kCreate;
  std::string_view json;  // Without versionId and lastUpdated; empty for a deletion.
  std::uint32_t meta_offset = 0;
  std::vector<std::string_view> references;  // Its literal references, as in json.
};

// A version with its bytes, shared with the cache. Thread-safety: immutable.
struct CachedResource {
  std::string bytes;  // Owns what `view` points to.
  ResourceView view;
};

// Appends the header of a resource value. `form` is null for a deletion.
void AppendResourceHeader(std::string* out, std::string_view type, std::string_view id,
                          std::uint64_t version, std::int64_t instant_ms, Operation operation,
                          const fhir::model::StoredForm* form);
// Reuses the vector in `view`. False if `value` is not a resource value.
bool ParseResource(std::string_view value, ResourceView* view);

// What `document` says of a version. `id` is a view into the value.
struct DocumentFacts {
  VersionRecord record;
  std::string_view id;
};
void AppendDocumentValue(std::string* out, const VersionRecord& record, std::string_view id);
bool ParseDocumentValue(std::string_view value, std::uint64_t document, DocumentFacts* facts);

void AppendVersionValue(std::string* out, const VersionRecord& record);
bool ParseVersionValue(std::string_view value, std::uint64_t version, VersionRecord* record);

}  // namespace storage
