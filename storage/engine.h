// storage/engine.h
//
// The Store on RocksDB: opens the database, owns the parts, and hands each call
// to the part that does it.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "storage/cache/resource_cache.h"
#include "storage/commit/committer.h"
#include "storage/maintenance/index_builder.h"
#include "storage/number_registry.h"
#include "storage/rocks/database.h"
#include "storage/snapshot.h"
#include "storage/store.h"

namespace storage {

class Engine final : public Store {
 public:
  ~Engine() override;
  using Log = std::function<void(const std::string&)>;

  static fhir::Result<std::unique_ptr<Engine>> Open(const StoreOptions& options,
                                                    const MakeRegistry& make_registry,
                                                    const Log& log);
  // Without search parameters. `index_keys` by IndexId: IndexSpec::key of each.
  static fhir::Result<std::unique_ptr<Engine>> Open(const StoreOptions& options,
                                                    std::span<const std::string> index_keys,
                                                    const Log& log);

  void StartBuilding(IndexBuildOptions options) override;

  SnapshotPtr Latest() const override;
  fhir::Result<SnapshotPtr> At(std::uint64_t t) const override;
  fhir::Result<void> Submit(std::unique_ptr<Transaction> transaction, CommitCallback done) override;
  std::shared_ptr<const CachedResource> TryReadCached(std::string_view type,
                                                      std::string_view id) const override;
  fhir::Result<std::shared_ptr<const CachedResource>> Read(std::string_view type,
                                                           std::string_view id) const override;
  fhir::Result<std::shared_ptr<const CachedResource>> ReadVersion(
      std::string_view type, std::string_view id, std::uint64_t version) const override;
  fhir::Result<std::vector<VersionRecord>> History(const Snapshot& snapshot, std::string_view type,
                                                   std::string_view id) const override;
  fhir::Result<Page> Search(const Snapshot& snapshot, std::string_view type,
                            const fhir::search::Expression& where,
                            std::span<const fhir::search::SortKey> sort, const PageRequest& request,
                            const Budget& budget) const override;
  fhir::Result<std::uint64_t> Count(const Snapshot& snapshot, std::string_view type,
                                    const fhir::search::Expression& where,
                                    const Budget& budget) const override;
  fhir::Result<SearchEstimate> Estimate(const Snapshot& snapshot, std::string_view type,
                                        const fhir::search::Expression& where,
                                        std::span<const fhir::search::SortKey> sort,
                                        const PageRequest& request,
                                        const Budget& budget) const override;
  fhir::Result<SearchPlanNodes> Explain(const Snapshot& snapshot, std::string_view type,
                                        const fhir::search::Expression& where,
                                        const Budget& budget) const override;
  fhir::Result<std::vector<std::string>> FindIds(const Snapshot& snapshot, std::string_view type,
                                                 const fhir::search::Expression& where,
                                                 std::size_t limit,
                                                 const Budget& budget) const override;
  fhir::Result<void> ReadDocuments(const Snapshot& snapshot, std::string_view type,
                                   std::span<const std::uint64_t> documents, bool in_order,
                                   const Visit& visit) const override;
  fhir::Result<void> ReadVersions(std::span<const VersionRecord> versions,
                                  const Visit& visit) const override;
  fhir::Result<std::uint64_t> ReadHistoryPage(const Snapshot& snapshot,
                                              const HistoryRequest& request,
                                              const Visit& visit) const override;
  std::optional<VersionRecord> FindCurrent(const Snapshot& snapshot, std::string_view type,
                                           std::string_view id) const override;
  std::uint64_t PageSecret() const override { return page_secret_; }

 private:
  Engine() = default;
  fhir::Result<void> OpenDatabase(const StoreOptions& options);
  fhir::Result<std::vector<std::string>> ReadAll(std::string_view type) const;
  fhir::Result<void> LoadIndexes(fhir::search::RegistryPtr registry,
                                 std::span<const IndexName> names);
  void StartCommitting(const StoreOptions& options, const Log& log);
  // Called by the commit thread.
  void WakeBuilder();
  fhir::Result<std::shared_ptr<const CachedResource>> ReadRecord(const Snapshot& snapshot,
                                                                 const VersionRecord& record) const;

  // In order of dependence: the committer stops first, the database closes last.
  std::unique_ptr<rocks::Database> database_;
  std::shared_ptr<const NumberRegistry> numbers_;  // The types, which stay as they are.
  std::unique_ptr<ResourceCache> cache_;
  LatestSnapshot latest_;
  std::uint64_t page_secret_ = 0;
  std::mutex builder_mu_;
  std::unique_ptr<Committer> committer_;
  // Guarded by builder_mu_ while the commit thread runs. Stops before it.
  std::unique_ptr<IndexBuilder> builder_;
};

}  // namespace storage
