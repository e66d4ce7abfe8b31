#include "storage/maintenance/index_builder.h"

#include <algorithm>
#include <future>
#include <utility>

#include "storage/maintenance/built_postings.h"
#include "storage/reader.h"

namespace storage {
namespace {

using fhir::search::IndexId;
using Clock = std::chrono::steady_clock;

// Of one step: what it reads before it writes, and what the commit thread is kept with.
constexpr std::size_t kMaxStepResources = 500;
constexpr std::size_t kMaxStepBytes = std::size_t{4} << 20;
constexpr auto kBusyPause = std::chrono::milliseconds(100);
// The pause after a step is this long at most, so that a slow build shows its progress.
constexpr std::size_t kStepsPerSecond = 10;

// Current documents in [from, to), at most `limit`.
std::vector<std::uint64_t> LiveDocuments(const TypeState& state, std::uint64_t from,
                                         std::uint64_t to, std::size_t limit) {
  std::vector<std::uint64_t> documents;
  for (std::uint32_t chunk = ChunkOf(from); chunk < state.ChunkCount(); ++chunk) {
    if (DocumentOf(chunk, 0) >= to) break;
    if (state.live[chunk] == nullptr) continue;
    auto low = state.live[chunk]->begin();
    if (chunk == ChunkOf(from)) low.equalorlarger(LowOf(from));
    for (; low != state.live[chunk]->end(); ++low) {
      const std::uint64_t document = DocumentOf(chunk, *low);
      if (document >= to || documents.size() == limit) return documents;
      documents.push_back(document);
    }
  }
  return documents;
}

bool IsToBuild(const IndexState& state) {
  return state.is_used && !state.IsBuilt() && state.problem == nullptr && state.type != 0;
}

}  // namespace

IndexBuilder::IndexBuilder(IndexBuildOptions options, const LatestSnapshot* latest,
                           Committer* committer)
    : options_(std::move(options)),
      latest_(latest),
      committer_(committer),
      thread_([this] { Run(); }) {}

IndexBuilder::~IndexBuilder() {
  {
    const std::lock_guard lock(mu_);
    is_stopping_ = true;
  }
  changed_.notify_one();
  thread_.join();
}

void IndexBuilder::Wake() {
  {
    const std::lock_guard lock(mu_);
    has_news_ = true;
  }
  changed_.notify_one();
}

bool IndexBuilder::Pause(Clock::duration time) {
  std::unique_lock lock(mu_);
  return !changed_.wait_for(lock, time, [this] { return is_stopping_; });
}

void IndexBuilder::Run() {
  for (;;) {
    {
      std::unique_lock lock(mu_);
      changed_.wait(lock, [this] { return is_stopping_ || has_news_; });
      if (is_stopping_) return;
      has_news_ = false;
    }
    for (;;) {
      const Clock::time_point start = Clock::now();
      const std::shared_ptr<const Snapshot> snapshot = latest_->Get();
      const std::optional<Work> work = FindWork(*snapshot);
      if (!work) break;
      std::size_t read = 0;
      auto step = MakeStep(*snapshot, *work, &read);
      if (!step) {
        options_.log("index build stopped: " + step.error().log_detail);
        return;
      }
      const Outcome outcome = Commit(*std::move(step), *snapshot);
      if (outcome == Outcome::kStop) return;
      if (outcome == Outcome::kDone) LogProgress(latest_->Get()->Numbers(), *work);
      const auto due = std::chrono::microseconds(1'000'000 * read / options_.resources_per_second);
      if (!Pause(outcome == Outcome::kAgain ? kBusyPause : start + due - Clock::now())) return;
    }
  }
}

std::optional<IndexBuilder::Work> IndexBuilder::FindWork(const Snapshot& snapshot) const {
  const std::span<const IndexState> states = snapshot.Numbers().States();
  Work work;
  for (IndexId index = 0; index < states.size(); ++index) {
    const IndexState& state = states[index];
    if (!IsToBuild(state) || (work.type != 0 && state.type != work.type)) continue;
    if (work.type == 0 || state.built < work.from) {
      // The ones that came further join in when these have come as far.
      const std::uint64_t to = work.type == 0 ? state.until : std::min(work.from, state.until);
      work = {.type = state.type, .indexes = {index}, .from = state.built, .to = to};
    } else if (state.built == work.from) {
      work.indexes.push_back(index);
      work.to = std::min(work.to, state.until);
    } else {
      work.to = std::min(work.to, state.built);
    }
  }
  if (work.type == 0) return std::nullopt;
  return work;
}

fhir::Result<BuildStep> IndexBuilder::MakeStep(const Snapshot& snapshot, const Work& work,
                                               std::size_t* read) const {
  const NumberRegistry& numbers = snapshot.Numbers();
  FHIR_TRY(state, snapshot.StateOf(work.type));
  const std::size_t limit = std::clamp<std::size_t>(options_.resources_per_second / kStepsPerSecond,
                                                    1, kMaxStepResources);
  const auto documents = LiveDocuments(*state, work.from, work.to, limit);
  FHIR_TRY(positions, FindPositions(snapshot, work.type, documents));

  BuildStep step;
  for (const IndexId index : work.indexes) step.progress.push_back({index, work.from, work.to});
  std::vector<fhir::search::ExtractionPlan> plans(work.indexes.size());
  for (std::size_t i = 0; i < plans.size(); ++i) {
    plans[i].Add(numbers.Registry()->IndexAt(work.indexes[i]), work.indexes[i]);
  }
  BuiltPostings postings(work.type, numbers);
  std::uint64_t to = documents.size() < limit ? work.to : documents.back() + 1;
  const auto visit = [&](std::size_t i, const ResourceView& view) {
    ++*read;
    for (std::size_t p = 0; p < plans.size(); ++p) {
      if (!step.progress[p].problem.empty()) continue;
      fhir::search::IndexEntries entries;
      auto extracted = options_.extract(plans[p], view.json, &entries);
      if (extracted) {
        postings.Add(entries, documents[i]);
      } else {
        step.progress[p].problem = std::string(view.type) + "/" + std::string(view.id) + ": " +
                                   extracted.error().issues.front().diagnostics;
      }
    }
    if (postings.Bytes() < kMaxStepBytes) return true;
    if (i + 1 < documents.size()) to = documents[i] + 1;
    return false;
  };
  FHIR_TRY_VOID(
      ReadPositions(snapshot.Database(), snapshot.At(), positions, /*in_order=*/true, visit));
  for (IndexProgress& progress : step.progress) progress.built = to;
  step.postings = std::move(postings).Finish();
  return step;
}

IndexBuilder::Outcome IndexBuilder::Commit(BuildStep step, const Snapshot& snapshot) {
  auto transaction = std::make_unique<Transaction>();
  transaction->registry = snapshot.Numbers().Registry();
  transaction->build_step = std::move(step);
  // Shared: the callback is copied.
  const auto committed = std::make_shared<std::promise<CommitResult>>();
  auto submitted = committer_->Submit(std::move(transaction), [committed](CommitResult result) {
    committed->set_value(std::move(result));
  });
  if (!submitted) return Outcome::kAgain;
  const CommitResult result = committed->get_future().get();
  if (result.status == CommitResult::Status::kCommitted) return Outcome::kDone;
  if (result.status == CommitResult::Status::kStale) return Outcome::kAgain;
  options_.log("index build stopped: " + result.error.log_detail);
  return Outcome::kStop;
}

void IndexBuilder::LogProgress(const NumberRegistry& numbers, const Work& work) {
  constexpr int kLogEvery = 10;  // Percent.
  for (const IndexId index : work.indexes) {
    const IndexState& state = numbers.States()[index];
    const std::string name = "index build: " + std::string(numbers.KeyOf(index)) + ": ";
    if (state.problem != nullptr) {
      options_.log(name + "cannot be built: " + *state.problem);
    } else if (!state.is_used || state.IsBuilt()) {
      logged_percent_.erase(index);
      options_.log(name + (state.is_used ? "complete" : "no longer wanted"));
    } else {
      const int percent = PercentOf(state.built, state.until);
      const auto [last, is_first] = logged_percent_.try_emplace(index, percent);
      if (!is_first && percent < last->second + kLogEvery) continue;
      last->second = percent;
      options_.log(name + std::to_string(percent) + " %");
    }
  }
}

}  // namespace storage
