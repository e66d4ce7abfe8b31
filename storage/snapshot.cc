#include "storage/snapshot.h"

#include <map>
#include <string>
#include <utility>

#include "fhir/base/bytes.h"
#include "storage/resource.h"
#include "storage/store.h"

namespace storage {
namespace {

fhir::Result<std::uint64_t> TransactionOfDocument(const Snapshot& snapshot, TypeNumber type,
                                                  std::uint64_t document) {
  rocks::PinnedValue value;
  FHIR_TRY(found, snapshot.Database().Get(Family::kDocument, DocumentKey(type, document), &value,
                                          snapshot.At()));
  DocumentFacts facts;
  if (!found || !ParseDocumentValue(value.View(), document, &facts)) {
    return fhir::Fail(fhir::Internal("document " + std::to_string(document) + " of type " +
                                     std::to_string(type) + " is missing or damaged"));
  }
  return facts.record.t;
}

// Lowest number in [low, high) for which `reaches` holds, or high. `reaches` holds for all above
// one for which it does.
template <class Reaches>
fhir::Result<std::uint64_t> LowerBound(std::uint64_t low, std::uint64_t high, Reaches reaches) {
  while (low < high) {
    const std::uint64_t middle = low + (high - low) / 2;
    FHIR_TRY(reached, reaches(middle));
    if (reached) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

}  // namespace

Snapshot::Snapshot(const rocks::Database* database, std::shared_ptr<const NumberRegistry> numbers,
                   std::uint64_t t, std::int64_t instant_ms, std::vector<TypeStatePtr> types)
    : database_(database),
      numbers_(std::move(numbers)),
      t_(t),
      instant_ms_(instant_ms),
      read_point_(database->Now()),
      types_(std::move(types)) {}

Snapshot::Snapshot(std::shared_ptr<const Snapshot> newest, std::uint64_t t, std::int64_t instant_ms)
    : database_(newest->database_),
      numbers_(newest->numbers_),
      t_(t),
      instant_ms_(instant_ms),
      read_point_(newest->read_point_),
      types_(newest->types_),
      is_past_(true),
      past_(newest->types_.size()) {}

fhir::Result<TypeStatePtr> Snapshot::StateOf(TypeNumber type) const {
  const TypeStatePtr& now = types_[type];
  if (!is_past_ || now->last_t <= t_) return now;
  const std::lock_guard lock(mu_);
  if (past_[type] == nullptr) {
    FHIR_TRY(state, Reconstruct(type, *now));
    past_[type] = std::move(state);
  }
  return past_[type];
}

fhir::Result<TypeStatePtr> Snapshot::Reconstruct(TypeNumber type, const TypeState& now) const {
  FHIR_TRY(watermark, FirstDocumentFrom(type, t_ + 1));
  auto past = std::make_shared<TypeState>();
  past->next_document = watermark;
  if (watermark == 0) return past;
  FHIR_TRY(last_t, TransactionOfDocument(*this, type, watermark - 1));
  past->last_t = last_t;

  const std::uint32_t last_chunk = ChunkOf(watermark - 1);
  past->live.assign(now.live.begin(),
                    now.live.begin() + std::min(last_chunk + 1, now.ChunkCount()));
  past->live.resize(std::size_t{last_chunk} + 1);

  std::map<std::uint32_t, Bitmap> changed;
  const auto chunk_to_change = [&](std::uint32_t chunk) -> Bitmap& {
    const auto [added, is_new] = changed.try_emplace(chunk);
    if (is_new && past->live[chunk] != nullptr) added->second = *past->live[chunk];
    return added->second;
  };
  Bitmap below;
  below.addRange(0, std::uint64_t{LowOf(watermark - 1)} + 1);
  chunk_to_change(last_chunk) &= below;
  // Only one byte string lies above all of the type's: the next type's first.
  rocks::Iterator ended = database_->NewIterator(
      Family::kEnded, {.at = At(), .upper_bound = TypePrefix(static_cast<TypeNumber>(type + 1))});
  for (ended.Seek(EndedKey(type, t_ + 1, 0)); ended.Valid(); ended.Next()) {
    const std::uint64_t document = DocumentOfEndedKey(ended.Key());
    if (document < watermark) chunk_to_change(ChunkOf(document)).add(LowOf(document));
  }
  FHIR_TRY_VOID(ended.Check());

  for (auto& [chunk, documents] : changed) {
    past->live[chunk] = std::make_shared<const Bitmap>(std::move(documents));
  }
  for (const auto& chunk : past->live) {
    if (chunk != nullptr) past->live_count += chunk->cardinality();
  }
  return past;
}

fhir::Result<std::uint64_t> Snapshot::FirstDocumentFrom(TypeNumber type, std::uint64_t t) const {
  if (types_[type]->last_t < t) return types_[type]->next_document;
  return LowerBound(0, types_[type]->next_document,
                    [&](std::uint64_t document) -> fhir::Result<bool> {
                      FHIR_TRY(written_at, TransactionOfDocument(*this, type, document));
                      return written_at >= t;
                    });
}

fhir::Result<std::uint64_t> Snapshot::FirstTransactionFrom(std::int64_t instant_ms) const {
  return LowerBound(1, t_ + 1, [&](std::uint64_t t) -> fhir::Result<bool> {
    FHIR_TRY(instant, ReadInstant(*database_, t, At()));
    return instant >= instant_ms;
  });
}

fhir::Result<std::int64_t> ReadInstant(const rocks::Database& database, std::uint64_t t,
                                       const rocks::ReadPoint* at) {
  rocks::PinnedValue value;
  FHIR_TRY(found, database.Get(Family::kTransaction, TransactionKey(t), &value, at));
  if (!found || value.View().size() != 8) {
    return fhir::Fail(
        fhir::Internal("transaction " + std::to_string(t) + " is missing or damaged"));
  }
  return static_cast<std::int64_t>(fhir::ReadU64(value.View().data()));
}

std::uint64_t TransactionOf(const Snapshot& snapshot) {
  return snapshot.T();
}

std::int64_t InstantOf(const Snapshot& snapshot) {
  return snapshot.InstantMs();
}

std::uint64_t CountOf(const Snapshot& snapshot, std::string_view type) {
  const TypeNumber number = snapshot.Numbers().FindType(type);
  if (number == 0) return 0;
  const fhir::Result<TypeStatePtr> state = snapshot.StateOf(number);
  return state ? (*state)->live_count : 0;
}

}  // namespace storage
