#include "storage/commit/group_batch.h"

#include <algorithm>
#include <numeric>
#include <string>
#include <tuple>
#include <utility>

#include "fhir/base/bytes.h"
#include "storage/key_layout.h"
#include "storage/resource.h"

namespace storage {
namespace {

// Positions in `versions`, ordered.
template <class IsBefore>
std::vector<std::size_t> OrderBy(const std::vector<NewVersion>& versions, IsBefore is_before) {
  std::vector<std::size_t> order(versions.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return is_before(versions[a], versions[b]); });
  return order;
}

void PutTransactions(const Overlay& overlay, rocks::Batch* batch) {
  std::uint64_t t = overlay.Committed().T();
  std::string value;
  for (const std::int64_t instant_ms : overlay.Instants()) {
    value.clear();
    fhir::AppendU64(&value, static_cast<std::uint64_t>(instant_ms));
    batch->Put(Family::kTransaction, TransactionKey(++t), value);
  }
}

// Versions come in the order of their (t, n) already.
void PutResources(const Overlay& overlay, rocks::Batch* batch) {
  std::string header;
  for (const NewVersion& version : overlay.Versions()) {
    const Write& write = *version.write;
    const bool is_deletion = version.record.operation == Operation::kDelete;
    header.clear();
    AppendResourceHeader(&header, write.type, write.id, version.record.version, version.instant_ms,
                         version.record.operation, is_deletion ? nullptr : &write.form);
    batch->Put(Family::kResource, ResourceKey({version.record.t, version.record.n}), header,
               is_deletion ? std::string_view() : std::string_view(write.form.json));
  }
}

void PutDocuments(const Overlay& overlay, rocks::Batch* batch) {
  const std::vector<NewVersion>& versions = overlay.Versions();
  const auto order = OrderBy(versions, [](const NewVersion& a, const NewVersion& b) {
    return std::tie(a.type, a.record.document) < std::tie(b.type, b.record.document);
  });
  std::string value;
  for (const std::size_t i : order) {
    value.clear();
    AppendDocumentValue(&value, versions[i].record, versions[i].write->id);
    batch->Put(Family::kDocument, DocumentKey(versions[i].type, versions[i].record.document),
               value);
  }
}

void PutVersions(const Overlay& overlay, rocks::Batch* batch) {
  const std::vector<NewVersion>& versions = overlay.Versions();
  // As the keys: an id ends with NUL, and newer versions come first.
  const auto order = OrderBy(versions, [](const NewVersion& a, const NewVersion& b) {
    return std::tie(a.type, a.write->id, b.record.version) <
           std::tie(b.type, b.write->id, a.record.version);
  });
  std::string value;
  for (const std::size_t i : order) {
    value.clear();
    AppendVersionValue(&value, versions[i].record);
    batch->Put(Family::kVersion,
               VersionKey(versions[i].type, versions[i].write->id, versions[i].record.version),
               value);
  }
}

void PutEnded(const Overlay& overlay, rocks::Batch* batch) {
  std::vector<EndedDocument> ended = overlay.Ended();
  std::sort(ended.begin(), ended.end(), [](const EndedDocument& a, const EndedDocument& b) {
    return std::tie(a.type, a.t, a.document) < std::tie(b.type, b.t, b.document);
  });
  for (const EndedDocument& document : ended) {
    batch->Put(Family::kEnded, EndedKey(document.type, document.t, document.document), {});
  }
}

void MergeLive(const std::vector<LiveChange>& changes, rocks::Batch* batch) {
  std::string operand;
  for (const LiveChange& change : changes) {
    operand.clear();
    AppendLiveDelta(&operand, change.delta);
    batch->Merge(Family::kLive, LiveKey(change.type, change.chunk), operand);
  }
}

// Behind the group's own postings, one of which may replace a key as it was committed.
void MergeBuilt(const Overlay& overlay, rocks::Batch* batch) {
  for (const BuildStep* step : overlay.Steps()) {
    for (const auto& [key, operand] : step->postings) batch->Merge(Family::kPosting, key, operand);
  }
}

}  // namespace

fhir::Result<void> FillBatch(const Overlay& overlay, const std::vector<LiveChange>& live_changes,
                             PostingRuns* postings, rocks::Batch* batch) {
  PutTransactions(overlay, batch);
  PutResources(overlay, batch);
  PutDocuments(overlay, batch);
  PutVersions(overlay, batch);
  PutEnded(overlay, batch);
  MergeLive(live_changes, batch);
  FHIR_TRY_VOID(postings->Write(overlay, batch));
  MergeBuilt(overlay, batch);
  return {};
}

}  // namespace storage
