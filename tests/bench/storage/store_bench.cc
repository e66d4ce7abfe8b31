// What the store costs, without HTTP and JSON:
//
//   Commit/clients   transactions of two resources with 20 entries each, synced, in a closed loop
//   Ingest           transactions of 1,000 such resources
//   ReadCached, Read a point read from the cache of ready bytes, and without that cache
//   CountHot         a count of a value that 20,000 transactions of one resource wrote
//   CountOne, And, Or  counts over 200,000 documents in four chunks
//   Page             a sorted page of 50
//
// Each workload's answer is checked once before it is timed.
#include <condition_variable>
#include <cstdlib>
#include <mutex>

#include <benchmark/benchmark.h>

#include "fhir/base/check.h"
#include "tests/integration/storage/store_fixture.h"

namespace storage {
namespace {

using fhir::search::Expression;

constexpr std::uint64_t kDocuments = 200'000;

std::unique_ptr<Engine> OpenStore(const StoreOptions& options) {
  auto opened = Engine::Open(options, IndexKeys(), [](const std::string&) {});
  FHIR_CHECK(opened.has_value(), "the store opens");
  return *std::move(opened);
}

// Twenty entries: some that most share, some of its own.
Write MakePatient(std::uint64_t i) {
  std::vector<Entry> entries = {{kCode, i % 2 == 0 ? "even" : "odd"},
                                {kCode, "hundred" + std::to_string(i % 100)},
                                {kBirth, Number(i * 7'919 % 1'000'003)}};
  for (std::uint64_t j = 0; j < 12; ++j) entries.push_back({kCode, "common" + std::to_string(j)});
  for (std::uint64_t j = 0; j < 5; ++j)
    entries.push_back({kName, Text(std::to_string(i * 31 + j))});
  return Put("Patient", "patient-" + std::to_string(i), std::string(1'000, 'x'), entries);
}

void CommitAndWait(Engine* store, std::vector<Write> writes) {
  const auto done = std::make_shared<std::promise<void>>();
  const auto submitted = store->Submit(Of(std::move(writes)), [done](const CommitResult& result) {
    FHIR_CHECK(result.status == CommitResult::Status::kCommitted, "the transaction commits");
    done->set_value();
  });
  FHIR_CHECK(submitted.has_value(), "the transaction is taken");
  done->get_future().wait();
}

// Filled once, in memory, and shared by the reading benchmarks.
Engine* FilledStore(std::size_t resource_cache_mib) {
  static std::map<std::size_t, std::unique_ptr<Engine>> stores;
  std::unique_ptr<Engine>& store = stores[resource_cache_mib];
  if (store != nullptr) return store.get();
  store = OpenStore({.in_memory = true, .resource_cache_mib = resource_cache_mib});
  for (std::uint64_t i = 0; i < kDocuments;) {
    std::vector<Write> writes;
    for (const std::uint64_t end = i + 1'000; i < end; ++i) writes.push_back(MakePatient(i));
    CommitAndWait(store.get(), std::move(writes));
  }
  return store.get();
}

// As many transactions in flight as there are clients; each answer sends the next.
void Commit(benchmark::State& state) {
  const auto clients = static_cast<std::uint64_t>(state.range(0));
  const TempDir dir;
  const std::unique_ptr<Engine> store = OpenStore({.index_dir = dir.Path()});
  std::mutex mu;
  std::condition_variable answered;
  std::uint64_t in_flight = 0;
  std::uint64_t next = 0;
  for (auto _ : state) {
    std::vector<Write> writes;
    writes.push_back(MakePatient(next++));
    writes.push_back(MakePatient(next++));
    {
      std::unique_lock lock(mu);
      answered.wait(lock, [&] { return in_flight < clients; });
      ++in_flight;
    }
    const auto submitted = store->Submit(Of(std::move(writes)), [&](const CommitResult& result) {
      FHIR_CHECK(result.status == CommitResult::Status::kCommitted, "the transaction commits");
      const std::lock_guard lock(mu);
      --in_flight;
      answered.notify_one();
    });
    FHIR_CHECK(submitted.has_value(), "the transaction is taken");
  }
  std::unique_lock lock(mu);
  answered.wait(lock, [&] { return in_flight == 0; });
  FHIR_CHECK(CountOf(*store->Latest(), "Patient") == next, "all are there");
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(Commit)->Arg(1)->Arg(8)->Arg(32)->Arg(128)->UseRealTime();

void Ingest(benchmark::State& state) {
  constexpr std::uint64_t kPerTransaction = 1'000;
  const TempDir dir;
  const std::unique_ptr<Engine> store = OpenStore({.index_dir = dir.Path()});
  std::uint64_t next = 0;
  for (auto _ : state) {
    state.PauseTiming();
    std::vector<Write> writes;
    for (std::uint64_t i = 0; i < kPerTransaction; ++i) writes.push_back(MakePatient(next++));
    state.ResumeTiming();
    CommitAndWait(store.get(), std::move(writes));
  }
  FHIR_CHECK(CountOf(*store->Latest(), "Patient") == next, "all are there");
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(kPerTransaction));
}
BENCHMARK(Ingest)->UseRealTime()->Unit(benchmark::kMillisecond);

void PointRead(benchmark::State& state, std::size_t resource_cache_mib) {
  const Engine* store = FilledStore(resource_cache_mib);
  std::uint64_t next = 0;
  for (auto _ : state) {
    // 2,000 of them, far apart.
    const auto read = store->Read("Patient", "patient-" + std::to_string(next * 97 % 200'000));
    FHIR_CHECK(read.has_value(), "it is there");
    benchmark::DoNotOptimize((*read)->view.json.data());
    next = (next + 1) % 2'000;
  }
  state.SetItemsProcessed(state.iterations());
}
void ReadCached(benchmark::State& state) {
  PointRead(state, 256);
}
void Read(benchmark::State& state) {
  PointRead(state, 0);
}
BENCHMARK(ReadCached);
BENCHMARK(Read);

void Count(benchmark::State& state, const Expression& where, std::uint64_t expected) {
  const Engine* store = FilledStore(256);
  const SnapshotPtr snapshot = store->Latest();
  FHIR_CHECK(store->Count(*snapshot, "Patient", where, {}).value() == expected,
             "the count is right");
  for (auto _ : state) {
    benchmark::DoNotOptimize(store->Count(*snapshot, "Patient", where, {}));
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(expected));
}
void CountOne(benchmark::State& state) {
  Count(state, HasValue(kCode, "even"), kDocuments / 2);
}
void And(benchmark::State& state) {
  Count(state, Expression::And({HasValue(kCode, "even"), HasValue(kCode, "hundred8")}),
        kDocuments / 100);
}
void Or(benchmark::State& state) {
  Count(state, Expression::Or({HasValue(kCode, "hundred7"), HasValue(kCode, "hundred8")}),
        kDocuments / 50);
}
void CountRange(benchmark::State& state) {
  Count(state, Expression::Values({Between(kBirth, Number(0), Number(1'000'003))}), kDocuments);
}
BENCHMARK(CountOne)->Unit(benchmark::kMicrosecond);
BENCHMARK(And)->Unit(benchmark::kMicrosecond);
BENCHMARK(Or)->Unit(benchmark::kMicrosecond);
BENCHMARK(CountRange)->Unit(benchmark::kMicrosecond);

void CountHot(benchmark::State& state) {
  constexpr std::uint64_t kTransactions = 20'000;
  const std::unique_ptr<Engine> store = OpenStore({.in_memory = true});
  for (std::uint64_t i = 0; i < kTransactions; ++i) {
    std::vector<Write> writes;
    writes.push_back(MakePatient(i));
    CommitAndWait(store.get(), std::move(writes));
  }
  const SnapshotPtr snapshot = store->Latest();
  const Expression where = HasValue(kCode, "common3");
  FHIR_CHECK(store->Count(*snapshot, "Patient", where, {}).value() == kTransactions, "all count");
  for (auto _ : state) {
    benchmark::DoNotOptimize(store->Count(*snapshot, "Patient", where, {}));
  }
}
BENCHMARK(CountHot)->Unit(benchmark::kMicrosecond)->Iterations(200);

void Page(benchmark::State& state) {
  const Engine* store = FilledStore(256);
  const SnapshotPtr snapshot = store->Latest();
  const std::vector<fhir::search::SortKey> sort = {
      {fhir::search::SortKey::Kind::kIndex, true, {{kBirth, {}}}}};
  const Expression where = HasValue(kCode, "even");
  for (auto _ : state) {
    const auto page = store->Search(*snapshot, "Patient", where, sort, {.limit = 50}, {});
    FHIR_CHECK(page && page->documents.size() == 50 && page->total == kDocuments / 2,
               "the page is full");
    std::size_t bytes = 0;
    const auto read = store->ReadDocuments(*snapshot, "Patient", page->documents, /*in_order=*/true,
                                           [&](std::size_t, const ResourceView& view) {
                                             bytes += view.json.size();
                                             return true;
                                           });
    FHIR_CHECK(read.has_value(), "the page is read");
    benchmark::DoNotOptimize(bytes);
  }
}
BENCHMARK(Page)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace storage
