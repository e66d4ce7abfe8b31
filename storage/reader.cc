#include "storage/reader.h"

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

namespace storage {
namespace {

// A step costs a tenth of a seek or less.
constexpr int kMaxSteps = 6;

fhir::Error Damaged(std::string_view family) {
  return fhir::Internal("a value in " + std::string(family) + " is damaged");
}

std::vector<std::size_t> AscendingOrder(std::span<const Position> positions) {
  std::vector<std::size_t> order(positions.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return positions[a] < positions[b]; });
  return order;
}

fhir::Result<bool> VisitValue(std::string_view value, std::size_t index, ResourceView* view,
                              const VisitResource& visit) {
  if (!ParseResource(value, view)) return fhir::Fail(Damaged("resource"));
  return visit(index, *view);
}

}  // namespace

VersionFinder::VersionFinder(const Snapshot* snapshot) : snapshot_(snapshot) {}

fhir::Result<std::optional<VersionRecord>> VersionFinder::Find(TypeNumber type,
                                                               std::string_view id) {
  if (!versions_) {
    versions_ = snapshot_->Database().NewIterator(
        Family::kVersion, {.at = snapshot_->At(), .upper_bound = {}, .one_version_prefix = true});
  }
  const std::string prefix = VersionPrefix(type, id);
  const std::string newest = VersionKey(type, id, ~std::uint64_t{0});
  for (versions_.Seek(newest); versions_.Valid(); versions_.Next()) {
    const std::string_view key = versions_.Key();
    if (!key.starts_with(prefix)) break;
    VersionRecord record;
    if (!ParseVersionValue(versions_.Value(), VersionOfKey(key), &record)) {
      return fhir::Fail(Damaged("version"));
    }
    if (record.t <= snapshot_->T()) return record;
  }
  FHIR_TRY_VOID(versions_.Check());
  return std::nullopt;
}

fhir::Result<std::optional<VersionRecord>> VersionFinder::FindLive(TypeNumber type,
                                                                   std::string_view id) {
  FHIR_TRY(found, Find(type, id));
  if (found && found->operation == Operation::kDelete) return std::nullopt;
  return found;
}

AscendingReader::AscendingReader(const rocks::Database& database, Family family,
                                 const rocks::ReadPoint* at)
    : iterator_(database.NewIterator(family, {.at = at, .upper_bound = {}})) {}

fhir::Result<std::string_view> AscendingReader::Read(std::string_view key) {
  if (is_placed_) {
    for (int i = 0; i < kMaxSteps && iterator_.Valid() && iterator_.Key() < key; ++i) {
      iterator_.Next();
    }
  }
  if (!is_placed_ || !iterator_.Valid() || iterator_.Key() < key) iterator_.Seek(key);
  is_placed_ = true;
  if (iterator_.Valid() && iterator_.Key() == key) return iterator_.Value();
  FHIR_TRY_VOID(iterator_.Check());
  return fhir::Fail(fhir::Internal("a key that another one points to is missing"));
}

DocumentReader::DocumentReader(const Snapshot& snapshot, TypeNumber type)
    : type_(type), reader_(snapshot.Database(), Family::kDocument, snapshot.At()) {}

fhir::Result<DocumentFacts> DocumentReader::Read(std::uint64_t document) {
  FHIR_TRY(value, reader_.Read(DocumentKey(type_, document)));
  DocumentFacts facts;
  if (!ParseDocumentValue(value, document, &facts)) return fhir::Fail(Damaged("document"));
  return facts;
}

fhir::Result<std::optional<VersionRecord>> FindVersion(const Snapshot& snapshot, TypeNumber type,
                                                       std::string_view id, std::uint64_t version) {
  rocks::PinnedValue value;
  FHIR_TRY(found, snapshot.Database().Get(Family::kVersion, VersionKey(type, id, version), &value,
                                          snapshot.At()));
  if (!found) return std::nullopt;
  VersionRecord record;
  if (!ParseVersionValue(value.View(), version, &record)) return fhir::Fail(Damaged("version"));
  if (record.t > snapshot.T()) return std::nullopt;
  return record;
}

fhir::Result<std::vector<VersionRecord>> ReadHistory(const Snapshot& snapshot, TypeNumber type,
                                                     std::string_view id) {
  std::vector<VersionRecord> history;
  rocks::Iterator versions = snapshot.Database().NewIterator(
      Family::kVersion, {.at = snapshot.At(), .upper_bound = {}, .one_version_prefix = true});
  const std::string prefix = VersionPrefix(type, id);
  for (versions.Seek(VersionKey(type, id, ~std::uint64_t{0})); versions.Valid(); versions.Next()) {
    if (!versions.Key().starts_with(prefix)) break;
    VersionRecord record;
    if (!ParseVersionValue(versions.Value(), VersionOfKey(versions.Key()), &record)) {
      return fhir::Fail(Damaged("version"));
    }
    if (record.t <= snapshot.T()) history.push_back(record);
  }
  FHIR_TRY_VOID(versions.Check());
  return history;
}

fhir::Result<void> ReadResourceValue(const rocks::Database& database, Position position,
                                     const rocks::ReadPoint* at, rocks::PinnedValue* value) {
  FHIR_TRY(found, database.Get(Family::kResource, ResourceKey(position), value, at));
  if (!found) {
    return fhir::Fail(fhir::Internal("resource " + std::to_string(position.t) + "," +
                                     std::to_string(position.n) + " is missing"));
  }
  return {};
}

fhir::Result<void> ReadPositions(const rocks::Database& database, const rocks::ReadPoint* at,
                                 std::span<const Position> positions, bool in_order,
                                 const VisitResource& visit) {
  ResourceView view;
  const bool ascending = std::is_sorted(positions.begin(), positions.end());
  if (positions.size() == 1 || (in_order && !ascending)) {
    rocks::PinnedValue value;
    for (std::size_t i = 0; i < positions.size(); ++i) {
      FHIR_TRY_VOID(ReadResourceValue(database, positions[i], at, &value));
      FHIR_TRY(goes_on, VisitValue(value.View(), i, &view, visit));
      if (!goes_on) break;
    }
    return {};
  }
  if (positions.empty()) return {};
  AscendingReader reader(database, Family::kResource, at);
  for (const std::size_t i : AscendingOrder(positions)) {
    FHIR_TRY(value, reader.Read(ResourceKey(positions[i])));
    FHIR_TRY(goes_on, VisitValue(value, i, &view, visit));
    if (!goes_on) break;
  }
  return {};
}

fhir::Result<std::vector<Position>> FindPositions(const Snapshot& snapshot, TypeNumber type,
                                                  std::span<const std::uint64_t> documents) {
  std::vector<std::size_t> order(documents.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (!std::is_sorted(documents.begin(), documents.end())) {
    std::sort(order.begin(), order.end(),
              [&](std::size_t a, std::size_t b) { return documents[a] < documents[b]; });
  }
  std::vector<Position> positions(documents.size());
  DocumentReader reader(snapshot, type);
  for (const std::size_t i : order) {
    FHIR_TRY(facts, reader.Read(documents[i]));
    positions[i] = {facts.record.t, facts.record.n};
  }
  return positions;
}

}  // namespace storage
