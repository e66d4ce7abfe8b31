#include "storage/commit/committer.h"

#include <utility>

#include "storage/commit/group_batch.h"
#include "storage/commit/judge.h"
#include "storage/commit/live_changes.h"

namespace storage {
namespace {

using Clock = CommitQueue::Clock;

// A group with more versions is a load: what it writes is not what is read next.
constexpr std::size_t kMaxCachedVersions = 256;

CommitResult Failed(fhir::Error error) {
  CommitResult result;
  result.error = std::move(error);
  return result;
}

// Takes the bytes of the version's write, which is on disk by now.
std::shared_ptr<const CachedResource> TakeAsCached(const NewVersion& version) {
  auto cached = std::make_shared<CachedResource>();
  Write& write = *version.write;
  const std::size_t json_size = write.form.json.size();
  cached->bytes = std::move(write.form.json);
  cached->bytes.append(write.type).append(write.id);
  const std::string_view bytes = cached->bytes;
  ResourceView& view = cached->view;
  view.json = bytes.substr(0, json_size);
  view.type = bytes.substr(json_size, write.type.size());
  view.id = bytes.substr(json_size + write.type.size());
  view.version = version.record.version;
  view.instant_ms = version.instant_ms;
  view.operation = version.record.operation;
  view.meta_offset = write.form.meta_offset;
  view.references.reserve(write.form.references.size());
  for (const fhir::model::ReferenceSpan& span : write.form.references) {
    view.references.push_back(view.json.substr(span.offset, span.size));
  }
  return cached;
}

// How far indexes go after the group, and which there are. A step that was made before the group
// changed them counts only for those that it leaves.
std::shared_ptr<const NumberRegistry> NextNumbers(const Overlay& overlay, rocks::Batch* batch) {
  std::shared_ptr<const NumberRegistry> numbers = overlay.Committed().SharedNumbers();
  for (const BuildStep* step : overlay.Steps()) {
    numbers = numbers->WithProgress(step->progress, overlay.T(), batch);
  }
  if (overlay.Registry() == numbers->Registry()) return numbers;
  // Everything from the group's end on was prepared with the new ones.
  return numbers->WithRegistry(
      overlay.Registry(), overlay.T(), [&](TypeNumber type) { return overlay.NextDocument(type); },
      batch);
}

}  // namespace

Committer::Committer(const CommitterOptions& options, rocks::Database* database,
                     LatestSnapshot* latest, ResourceCache* cache, Log log,
                     std::function<void()> indexes_changed)
    : referential_integrity_(options.referential_integrity),
      database_(database),
      latest_(latest),
      cache_(cache),
      log_(std::move(log)),
      indexes_changed_(std::move(indexes_changed)),
      queue_(options.max_in_flight),
      thread_([this] { Run(); }) {}

Committer::~Committer() {
  queue_.Close();
  thread_.join();
}

void Committer::Run() {
  for (;;) {
    std::vector<Pending> group = queue_.TakeGroup();
    if (group.empty()) return;
    CommitGroup(std::move(group));
  }
}

void Committer::CommitGroup(std::vector<Pending> group) {
  std::vector<CommitResult> results;
  results.reserve(group.size());
  const std::shared_ptr<const Snapshot> committed = latest_->Get();
  Overlay overlay(committed.get());
  if (!has_failed_) {
    Judge judge(&overlay, cache_, referential_integrity_ ? &known_targets_ : nullptr);
    for (const Pending& pending : group) results.push_back(judge.Decide(pending.transaction.get()));
  }
  Clock::duration sync_time{};
  if (!overlay.IsEmpty()) {
    if (auto written = Write(overlay, &sync_time); !written) {
      has_failed_ = true;
      log_("Writing to the database failed; no more writes until a restart. " +
           written.error().log_detail);
    }
  }
  if (has_failed_) {
    results.assign(group.size(), Failed(fhir::Internal("the database could not be written")));
  }
  queue_.Complete(group.size(), sync_time);
  for (std::size_t i = 0; i < group.size(); ++i) group[i].done(std::move(results[i]));
}

fhir::Result<void> Committer::Write(const Overlay& overlay, Clock::duration* sync_time) {
  rocks::Batch batch(database_);
  const std::vector<LiveChange> live_changes = FindLiveChanges(overlay);
  FHIR_TRY_VOID(FillBatch(overlay, live_changes, &posting_runs_, &batch));
  std::vector<TypeStatePtr> types = NextStates(overlay, live_changes);
  std::shared_ptr<const NumberRegistry> numbers = NextNumbers(overlay, &batch);

  const Clock::time_point start = Clock::now();
  FHIR_TRY_VOID(database_->WriteSynced(&batch));
  *sync_time = Clock::now() - start;

  latest_->Set(std::make_shared<const Snapshot>(database_, std::move(numbers), overlay.T(),
                                                overlay.InstantMs(), std::move(types)));
  if (overlay.Registry() != overlay.Committed().Numbers().Registry()) indexes_changed_();
  known_targets_.Forget(overlay);
  UpdateCache(overlay);
  return {};
}

void Committer::UpdateCache(const Overlay& overlay) {
  const bool is_load = overlay.Versions().size() > kMaxCachedVersions;
  for (const NewVersion& version : overlay.Versions()) {
    if (!version.is_current) continue;
    if (is_load || !version.IsLive()) {
      cache_->Erase(version.write->type, version.write->id, overlay.T());
    } else {
      cache_->Replace(TakeAsCached(version), overlay.T());
    }
  }
}

}  // namespace storage
