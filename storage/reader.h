// storage/reader.h
//
// Versions and documents by key, at a snapshot. Knows nothing of searches.
//
// Blocking: all of it reads the disk.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "fhir/base/result.h"
#include "storage/resource.h"
#include "storage/rocks/database.h"
#include "storage/snapshot.h"

namespace storage {

// Newest versions of many resources, one after the other; sorted by type and id it is cheapest.
// Owner: one request. Does not outlive the snapshot. Thread-safety: single-owner.
class VersionFinder {
 public:
  explicit VersionFinder(const Snapshot* snapshot);
  // Deletions too. Nothing if the resource never existed.
  fhir::Result<std::optional<VersionRecord>> Find(TypeNumber type, std::string_view id);
  // Nothing if it does not exist or was deleted.
  fhir::Result<std::optional<VersionRecord>> FindLive(TypeNumber type, std::string_view id);

 private:
  const Snapshot* snapshot_;
  rocks::Iterator versions_;
};

// Reads keys that ascend, by stepping where they are near each other and seeking where not.
// Thread-safety: single-owner.
class AscendingReader {
 public:
  AscendingReader(const rocks::Database& database, Family family, const rocks::ReadPoint* at);
  // The value of `key`, valid until the next call. Errors: Internal if it is missing.
  // REQUIRES: `key` is at or above the last one.
  fhir::Result<std::string_view> Read(std::string_view key);

 private:
  rocks::Iterator iterator_;
  bool is_placed_ = false;
};

// Facts of documents of one type, ascending. `id` is valid until the next call.
class DocumentReader {
 public:
  DocumentReader(const Snapshot& snapshot, TypeNumber type);
  fhir::Result<DocumentFacts> Read(std::uint64_t document);

 private:
  TypeNumber type_;
  AscendingReader reader_;
};

// The version with this number. Nothing if there is none at the snapshot.
fhir::Result<std::optional<VersionRecord>> FindVersion(const Snapshot& snapshot, TypeNumber type,
                                                       std::string_view id, std::uint64_t version);
// All versions at the snapshot, newest first.
fhir::Result<std::vector<VersionRecord>> ReadHistory(const Snapshot& snapshot, TypeNumber type,
                                                     std::string_view id);

// Reads one value of `resource`. Errors: Internal if it is missing.
fhir::Result<void> ReadResourceValue(const rocks::Database& database, Position position,
                                     const rocks::ReadPoint* at, rocks::PinnedValue* value);

using VisitResource = std::function<bool(std::size_t, const ResourceView&)>;
// Calls visit(index in `positions`, view) for each until it returns false. Unless `in_order`, in
// the order of the disk.
fhir::Result<void> ReadPositions(const rocks::Database& database, const rocks::ReadPoint* at,
                                 std::span<const Position> positions, bool in_order,
                                 const VisitResource& visit);

// Where documents are, in the order given.
fhir::Result<std::vector<Position>> FindPositions(const Snapshot& snapshot, TypeNumber type,
                                                  std::span<const std::uint64_t> documents);

}  // namespace storage
