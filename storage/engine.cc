#include "storage/engine.h"

#include <utility>

#include "fhir/definitions/definitions.h"
#include "storage/history.h"
#include "storage/posting/chunk_set.h"
#include "storage/query/estimate.h"
#include "storage/query/explain.h"
#include "storage/query/search.h"
#include "storage/reader.h"
#include "storage/recovery.h"

namespace storage {
namespace {

constexpr std::size_t kMib = std::size_t{1} << 20;

std::vector<std::string> ResourceTypes() {
  std::vector<std::string> names;
  for (const fhir::definitions::Type& type : fhir::definitions::Types()) {
    if (type.kind == fhir::definitions::TypeKind::kResource) names.emplace_back(type.name);
  }
  return names;
}

std::string NameOf(std::string_view type, std::string_view id) {
  return std::string(type) + "/" + std::string(id);
}

fhir::Error NoSuchResource(std::string_view type, std::string_view id) {
  return fhir::NotFound("There is no " + NameOf(type, id) + ".");
}

}  // namespace

fhir::Result<std::unique_ptr<Store>> Store::Open(
    const StoreOptions& options, const fhir::search::Registry* registry,
    const std::function<void(const std::string&)>& log) {
  // The caller's, who keeps it.
  const fhir::search::RegistryPtr shared(registry, [](const fhir::search::Registry*) {});
  return Open(options, [&](const std::vector<std::string>&) { return shared; }, log);
}

fhir::Result<std::unique_ptr<Store>> Store::Open(
    const StoreOptions& options, const MakeRegistry& make_registry,
    const std::function<void(const std::string&)>& log) {
  return Engine::Open(options, make_registry, log);
}

fhir::Result<std::unique_ptr<Engine>> Engine::Open(const StoreOptions& options,
                                                   const MakeRegistry& make_registry,
                                                   const Log& log) {
  std::unique_ptr<Engine> engine(new Engine());
  FHIR_TRY_VOID(engine->OpenDatabase(options));
  FHIR_TRY(own, engine->ReadAll("SearchParameter"));
  FHIR_TRY(registry, make_registry(own));
  const std::vector<IndexName> names = NamesOf(*registry);
  FHIR_TRY_VOID(engine->LoadIndexes(std::move(registry), names));
  engine->StartCommitting(options, log);
  return engine;
}

fhir::Result<std::unique_ptr<Engine>> Engine::Open(const StoreOptions& options,
                                                   std::span<const std::string> index_keys,
                                                   const Log& log) {
  std::unique_ptr<Engine> engine(new Engine());
  FHIR_TRY_VOID(engine->OpenDatabase(options));
  std::vector<IndexName> names;
  for (const std::string& key : index_keys) names.push_back({.key = key, .type = {}});
  FHIR_TRY_VOID(engine->LoadIndexes(nullptr, names));
  engine->StartCommitting(options, log);
  return engine;
}

Engine::~Engine() {
  // Not while the commit thread looks at it; what the builder still commits wakes nobody.
  std::unique_ptr<IndexBuilder> builder;
  {
    const std::lock_guard lock(builder_mu_);
    builder = std::move(builder_);
  }
}

fhir::Result<void> Engine::OpenDatabase(const StoreOptions& options) {
  FHIR_TRY(database, rocks::Database::Open({.in_memory = options.in_memory,
                                            .index_dir = options.index_dir,
                                            .resource_dir = options.resource_dir,
                                            .transaction_dir = options.transaction_dir,
                                            .block_cache_mib = options.block_cache_mib,
                                            .scale_factor = options.scale_factor,
                                            .max_background_jobs = options.max_background_jobs}));
  database_ = std::move(database);
  FHIR_TRY_VOID(CheckFormat(database_.get()));
  FHIR_TRY(secret, ReadPageSecret(*database_));
  page_secret_ = secret;
  FHIR_TRY(types, NumberRegistry::LoadTypes(database_.get(), ResourceTypes()));
  numbers_ = types;
  FHIR_TRY(newest, LoadNewest(database_.get(), std::move(types)));
  latest_.Set(std::move(newest));
  return {};
}

fhir::Result<std::vector<std::string>> Engine::ReadAll(std::string_view type) const {
  const SnapshotPtr snapshot = latest_.Get();
  const TypeState& state = *snapshot->Types()[numbers_->FindType(type)];
  std::vector<std::uint64_t> documents;
  for (std::uint32_t chunk = 0; chunk < state.ChunkCount(); ++chunk) {
    if (state.live[chunk] == nullptr) continue;
    AppendDocuments(chunk, *state.live[chunk], &documents);
  }
  std::vector<std::string> all;
  FHIR_TRY_VOID(ReadDocuments(*snapshot, type, documents, /*in_order=*/true,
                              [&](std::size_t, const ResourceView& view) {
                                all.emplace_back(view.json);
                                return true;
                              }));
  return all;
}

fhir::Result<void> Engine::LoadIndexes(fhir::search::RegistryPtr registry,
                                       std::span<const IndexName> names) {
  const SnapshotPtr newest = latest_.Get();
  FHIR_TRY(numbers, NumberRegistry::LoadIndexes(
                        database_.get(), *numbers_, std::move(registry), names, newest->T(),
                        [&](TypeNumber type) { return newest->Types()[type]->next_document; }));
  numbers_ = numbers;
  latest_.Set(std::make_shared<const Snapshot>(database_.get(), std::move(numbers), newest->T(),
                                               newest->InstantMs(), newest->Types()));
  return {};
}

void Engine::StartCommitting(const StoreOptions& options, const Log& log) {
  database_->Describe(log);
  cache_ = std::make_unique<ResourceCache>(options.resource_cache_mib * kMib);
  committer_ = std::make_unique<Committer>(
      CommitterOptions{.max_in_flight = options.max_in_flight_transactions,
                       .referential_integrity = options.referential_integrity},
      database_.get(), &latest_, cache_.get(), log, [this] { WakeBuilder(); });
}

void Engine::StartBuilding(IndexBuildOptions options) {
  const std::lock_guard lock(builder_mu_);
  builder_ = std::make_unique<IndexBuilder>(std::move(options), &latest_, committer_.get());
}

void Engine::WakeBuilder() {
  const std::lock_guard lock(builder_mu_);
  if (builder_ != nullptr) builder_->Wake();
}

SnapshotPtr Engine::Latest() const {
  return latest_.Get();
}

fhir::Result<SnapshotPtr> Engine::At(std::uint64_t t) const {
  SnapshotPtr newest = latest_.Get();
  if (t == newest->T()) return newest;
  if (t > newest->T()) return fhir::Fail(fhir::Invalid("There is no such state of the server."));
  std::int64_t instant_ms = 0;
  if (t != 0) {
    FHIR_TRY(instant, ReadInstant(*database_, t, newest->At()));
    instant_ms = instant;
  }
  return std::make_shared<const Snapshot>(std::move(newest), t, instant_ms);
}

fhir::Result<void> Engine::Submit(std::unique_ptr<Transaction> transaction, CommitCallback done) {
  return committer_->Submit(std::move(transaction), std::move(done));
}

std::shared_ptr<const CachedResource> Engine::TryReadCached(std::string_view type,
                                                            std::string_view id) const {
  return cache_->Find(type, id);
}

fhir::Result<std::shared_ptr<const CachedResource>> Engine::Read(std::string_view type,
                                                                 std::string_view id) const {
  if (auto cached = cache_->Find(type, id)) return cached;
  const SnapshotPtr snapshot = latest_.Get();
  const TypeNumber number = numbers_->FindType(type);
  if (number == 0) return fhir::Fail(NoSuchResource(type, id));
  VersionFinder finder(snapshot.get());
  FHIR_TRY(record, finder.Find(number, id));
  if (!record) return fhir::Fail(NoSuchResource(type, id));
  if (record->operation == Operation::kDelete) {
    return fhir::Fail(fhir::Gone(NameOf(type, id) + " was deleted."));
  }
  FHIR_TRY(resource, ReadRecord(*snapshot, *record));
  cache_->Offer(resource, snapshot->T());
  return resource;
}

fhir::Result<std::shared_ptr<const CachedResource>> Engine::ReadVersion(
    std::string_view type, std::string_view id, std::uint64_t version) const {
  if (auto cached = cache_->Find(type, id); cached && cached->view.version == version) {
    return cached;
  }
  const SnapshotPtr snapshot = latest_.Get();
  const TypeNumber number = numbers_->FindType(type);
  if (number == 0) return fhir::Fail(NoSuchResource(type, id));
  FHIR_TRY(record, FindVersion(*snapshot, number, id, version));
  if (!record) {
    return fhir::Fail(
        fhir::NotFound(NameOf(type, id) + " has no version " + std::to_string(version) + "."));
  }
  if (record->operation == Operation::kDelete) {
    return fhir::Fail(fhir::Gone("Version " + std::to_string(version) + " of " + NameOf(type, id) +
                                 " is its deletion."));
  }
  return ReadRecord(*snapshot, *record);
}

fhir::Result<std::shared_ptr<const CachedResource>> Engine::ReadRecord(
    const Snapshot& snapshot, const VersionRecord& record) const {
  rocks::PinnedValue value;
  FHIR_TRY_VOID(ReadResourceValue(*database_, {record.t, record.n}, snapshot.At(), &value));
  auto resource = MakeCached(value.View());
  if (resource == nullptr) return fhir::Fail(fhir::Internal("a value in resource is damaged"));
  return resource;
}

fhir::Result<std::vector<VersionRecord>> Engine::History(const Snapshot& snapshot,
                                                         std::string_view type,
                                                         std::string_view id) const {
  const TypeNumber number = numbers_->FindType(type);
  if (number == 0) return fhir::Fail(NoSuchResource(type, id));
  FHIR_TRY(history, ReadHistory(snapshot, number, id));
  if (history.empty()) return fhir::Fail(NoSuchResource(type, id));
  return history;
}

fhir::Result<Page> Engine::Search(const Snapshot& snapshot, std::string_view type,
                                  const fhir::search::Expression& where,
                                  std::span<const fhir::search::SortKey> sort,
                                  const PageRequest& request, const Budget& budget) const {
  return FindPage(snapshot, numbers_->FindType(type), where, sort, request, budget);
}

fhir::Result<std::uint64_t> Engine::Count(const Snapshot& snapshot, std::string_view type,
                                          const fhir::search::Expression& where,
                                          const Budget& budget) const {
  return CountMatches(snapshot, numbers_->FindType(type), where, budget);
}

fhir::Result<SearchEstimate> Engine::Estimate(const Snapshot& snapshot, std::string_view type,
                                              const fhir::search::Expression& where,
                                              std::span<const fhir::search::SortKey> sort,
                                              const PageRequest& request,
                                              const Budget& budget) const {
  return EstimateSearch(snapshot, numbers_->FindType(type), where, sort, request, budget);
}

fhir::Result<SearchPlanNodes> Engine::Explain(const Snapshot& snapshot, std::string_view type,
                                              const fhir::search::Expression& where,
                                              const Budget& budget) const {
  return ExplainSearch(snapshot, numbers_->FindType(type), where, budget);
}

fhir::Result<std::vector<std::string>> Engine::FindIds(const Snapshot& snapshot,
                                                       std::string_view type,
                                                       const fhir::search::Expression& where,
                                                       std::size_t limit,
                                                       const Budget& budget) const {
  const TypeNumber number = numbers_->FindType(type);
  std::vector<std::string> ids;
  if (number == 0) return ids;
  FHIR_TRY(documents, FindFirst(snapshot, number, where, limit, nullptr, budget));
  DocumentReader reader(snapshot, number);
  for (const std::uint64_t document : documents) {
    FHIR_TRY(facts, reader.Read(document));
    ids.emplace_back(facts.id);
  }
  return ids;
}

fhir::Result<void> Engine::ReadDocuments(const Snapshot& snapshot, std::string_view type,
                                         std::span<const std::uint64_t> documents, bool in_order,
                                         const Visit& visit) const {
  FHIR_TRY(positions, FindPositions(snapshot, numbers_->FindType(type), documents));
  return ReadPositions(*database_, snapshot.At(), positions, in_order, visit);
}

fhir::Result<void> Engine::ReadVersions(std::span<const VersionRecord> versions,
                                        const Visit& visit) const {
  std::vector<Position> positions;
  positions.reserve(versions.size());
  for (const VersionRecord& version : versions) positions.push_back({version.t, version.n});
  return ReadPositions(*database_, nullptr, positions, /*in_order=*/true, visit);
}

fhir::Result<std::uint64_t> Engine::ReadHistoryPage(const Snapshot& snapshot,
                                                    const HistoryRequest& request,
                                                    const Visit& visit) const {
  TypeNumber type = 0;
  if (!request.type.empty()) {
    type = numbers_->FindType(request.type);
    if (type == 0) return fhir::Fail(fhir::NotFound("There is no type " + request.type + "."));
  }
  return ReadLogBackwards(snapshot, type, request, visit);
}

std::optional<VersionRecord> Engine::FindCurrent(const Snapshot& snapshot, std::string_view type,
                                                 std::string_view id) const {
  const TypeNumber number = numbers_->FindType(type);
  if (number == 0) return std::nullopt;
  VersionFinder finder(&snapshot);
  const auto found = finder.FindLive(number, id);
  return found ? *found : std::nullopt;
}

}  // namespace storage
