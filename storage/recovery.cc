#include "storage/recovery.h"

#include <random>
#include <string>
#include <utility>
#include <vector>

#include "fhir/base/bytes.h"
#include "storage/posting/live_delta.h"
#include "storage/resource.h"

namespace storage {
namespace {

fhir::Result<void> LoadLive(const rocks::Database& database, std::vector<TypeState>* types) {
  rocks::Iterator live = database.NewIterator(Family::kLive, {});
  for (live.SeekToFirst(); live.Valid(); live.Next()) {
    const TypeNumber type = TypeOfKey(live.Key());
    LiveDelta set;
    if (type >= types->size() || !ParseLiveDelta(live.Value(), &set)) {
      return fhir::Fail(fhir::Internal("a value in live is damaged"));
    }
    TypeState& state = (*types)[type];
    const std::uint32_t chunk = ChunkOfKey(live.Key());
    state.live.resize(std::size_t{chunk} + 1);
    state.live_count += set.added.cardinality();
    state.live[chunk] = std::make_shared<const Bitmap>(std::move(set.added));
  }
  return live.Check();
}

// The last document of a type says how many there are, and when it was last written.
fhir::Result<void> LoadWatermark(const rocks::Database& database, TypeNumber type,
                                 TypeState* state) {
  rocks::Iterator documents = database.NewIterator(
      Family::kDocument,
      {.at = nullptr, .upper_bound = TypePrefix(static_cast<TypeNumber>(type + 1))});
  documents.SeekToLast();
  FHIR_TRY_VOID(documents.Check());
  if (!documents.Valid() || TypeOfKey(documents.Key()) != type) return {};
  const std::uint64_t document = DocumentOfKey(documents.Key());
  DocumentFacts facts;
  if (!ParseDocumentValue(documents.Value(), document, &facts)) {
    return fhir::Fail(fhir::Internal("a value in document is damaged"));
  }
  state->next_document = document + 1;
  state->last_t = facts.record.t;
  state->live.resize(std::size_t{ChunkOf(document)} + 1);
  return {};
}

}  // namespace

fhir::Result<void> CheckFormat(rocks::Database* database) {
  rocks::PinnedValue value;
  FHIR_TRY(found, database->Get(Family::kDefault, kFormatName, &value));
  if (found) {
    const std::uint32_t format = value.View().size() == 4 ? fhir::ReadU32(value.View().data()) : 0;
    if (format == kFormatVersion) return {};
    return fhir::Fail(fhir::Internal("The database has format " + std::to_string(format) +
                                     ", this version of the server reads " +
                                     std::to_string(kFormatVersion) +
                                     ": open it with the version that wrote it."));
  }
  rocks::Batch batch(database);
  std::string format;
  fhir::AppendU32(&format, kFormatVersion);
  batch.Put(Family::kDefault, kFormatName, format);
  std::random_device random;
  std::string secret;
  fhir::AppendU32(&secret, random());
  fhir::AppendU32(&secret, random());
  batch.Put(Family::kDefault, kPageSecretName, secret);
  return database->WriteSynced(&batch);
}

fhir::Result<std::uint64_t> ReadPageSecret(const rocks::Database& database) {
  rocks::PinnedValue value;
  FHIR_TRY(found, database.Get(Family::kDefault, kPageSecretName, &value));
  if (!found || value.View().size() != 8) {
    return fhir::Fail(fhir::Internal("the database has no page secret"));
  }
  return fhir::ReadU64(value.View().data());
}

fhir::Result<std::uint64_t> ReadLastTransaction(const rocks::Database& database) {
  rocks::Iterator transactions = database.NewIterator(Family::kTransaction, {});
  transactions.SeekToLast();
  FHIR_TRY_VOID(transactions.Check());
  if (!transactions.Valid()) return 0;
  return fhir::ReadU64(transactions.Key().data());
}

fhir::Result<std::shared_ptr<const Snapshot>> LoadNewest(
    const rocks::Database* database, std::shared_ptr<const NumberRegistry> numbers) {
  std::vector<TypeState> types(std::size_t{numbers->LastType()} + 1);
  FHIR_TRY_VOID(LoadLive(*database, &types));
  std::vector<TypeStatePtr> states = {std::make_shared<const TypeState>()};
  for (TypeNumber type = 1; type <= numbers->LastType(); ++type) {
    FHIR_TRY_VOID(LoadWatermark(*database, type, &types[type]));
    states.push_back(std::make_shared<const TypeState>(std::move(types[type])));
  }
  FHIR_TRY(t, ReadLastTransaction(*database));
  std::int64_t instant_ms = 0;
  if (t != 0) {
    FHIR_TRY(last_instant, ReadInstant(*database, t, nullptr));
    instant_ms = last_instant;
  }
  return std::make_shared<const Snapshot>(database, std::move(numbers), t, instant_ms,
                                          std::move(states));
}

}  // namespace storage
