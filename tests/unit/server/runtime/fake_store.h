// tests/unit/server/runtime/fake_store.h
//
// A store that only commits, and answers as the test says, from a thread of its
// own as the real one does.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <thread>
#include <vector>

#include "storage/store.h"

namespace server {

class FakeStore : public storage::Store {
 public:
  // What becomes of the n-th submitted transaction (from 0).
  std::function<storage::CommitResult::Status(int)> outcome = [](int) {
    return storage::CommitResult::Status::kCommitted;
  };
  bool busy = false;
  std::atomic<int> submitted = 0;

  ~FakeStore() override {
    for (std::thread& thread : commits_) thread.join();
  }

  fhir::Result<void> Submit(std::unique_ptr<storage::Transaction>,
                            storage::CommitCallback done) override {
    if (busy) return fhir::Fail(fhir::TooBusy("busy"));
    storage::CommitResult result;
    result.status = outcome(submitted++);
    commits_.emplace_back([done = std::move(done), result] { done(result); });
    return {};
  }

  void StartBuilding(storage::IndexBuildOptions) override {}
  storage::SnapshotPtr Latest() const override { return nullptr; }
  fhir::Result<storage::SnapshotPtr> At(std::uint64_t) const override { return Unused(); }
  std::shared_ptr<const storage::CachedResource> TryReadCached(std::string_view,
                                                               std::string_view) const override {
    return nullptr;
  }
  fhir::Result<std::shared_ptr<const storage::CachedResource>> Read(
      std::string_view, std::string_view) const override {
    return Unused();
  }
  fhir::Result<std::shared_ptr<const storage::CachedResource>> ReadVersion(
      std::string_view, std::string_view, std::uint64_t) const override {
    return Unused();
  }
  fhir::Result<std::vector<storage::VersionRecord>> History(const storage::Snapshot&,
                                                            std::string_view,
                                                            std::string_view) const override {
    return Unused();
  }
  fhir::Result<storage::Page> Search(const storage::Snapshot&, std::string_view,
                                     const fhir::search::Expression&,
                                     std::span<const fhir::search::SortKey>,
                                     const storage::PageRequest&,
                                     const storage::Budget&) const override {
    return Unused();
  }
  fhir::Result<std::uint64_t> Count(const storage::Snapshot&, std::string_view,
                                    const fhir::search::Expression&,
                                    const storage::Budget&) const override {
    return Unused();
  }
  fhir::Result<storage::SearchEstimate> Estimate(const storage::Snapshot&, std::string_view,
                                                 const fhir::search::Expression&,
                                                 std::span<const fhir::search::SortKey>,
                                                 const storage::PageRequest&,
                                                 const storage::Budget&) const override {
    return Unused();
  }
  fhir::Result<storage::SearchPlanNodes> Explain(const storage::Snapshot&, std::string_view,
                                                 const fhir::search::Expression&,
                                                 const storage::Budget&) const override {
    return Unused();
  }
  fhir::Result<std::vector<std::string>> FindIds(const storage::Snapshot&, std::string_view,
                                                 const fhir::search::Expression&, std::size_t,
                                                 const storage::Budget&) const override {
    return Unused();
  }
  fhir::Result<void> ReadDocuments(const storage::Snapshot&, std::string_view,
                                   std::span<const std::uint64_t>, bool,
                                   const Visit&) const override {
    return Unused();
  }
  fhir::Result<void> ReadVersions(std::span<const storage::VersionRecord>,
                                  const Visit&) const override {
    return Unused();
  }
  fhir::Result<std::uint64_t> ReadHistoryPage(const storage::Snapshot&,
                                              const storage::HistoryRequest&,
                                              const Visit&) const override {
    return Unused();
  }
  std::optional<storage::VersionRecord> FindCurrent(const storage::Snapshot&, std::string_view,
                                                    std::string_view) const override {
    return std::nullopt;
  }
  std::uint64_t PageSecret() const override { return 0; }

 private:
  static tl::unexpected<fhir::Error> Unused() { return fhir::Fail(fhir::Internal("fake")); }

  std::vector<std::thread> commits_;  // Submit is called by one thread in these tests.
};

}  // namespace server
