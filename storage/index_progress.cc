// storage/index_progress.cc -- how far indexes go, for those who want to search by them.
#include <algorithm>

#include "storage/snapshot.h"
#include "storage/store.h"

namespace storage {
namespace {

constexpr int kRetryAfterSeconds = 5;

}  // namespace

int PercentOf(std::uint64_t built, std::uint64_t until) {
  constexpr double kHundred = 100;
  if (until == 0) return 0;
  const double percent = kHundred * static_cast<double>(built) / static_cast<double>(until);
  return std::min(static_cast<int>(percent), 99);
}

int IndexingProgress::Percent() const {
  return is_complete ? 100 : PercentOf(built, until);
}

const fhir::search::RegistryPtr& SharedRegistryOf(const Snapshot& snapshot) {
  return snapshot.Numbers().Registry();
}

const fhir::search::Registry& RegistryOf(const Snapshot& snapshot) {
  return *SharedRegistryOf(snapshot);
}

IndexingProgress ProgressOf(const Snapshot& snapshot,
                            std::span<const fhir::search::IndexId> indexes) {
  IndexingProgress all;
  for (const fhir::search::IndexId index : indexes) {
    const IndexState& state = snapshot.Numbers().States()[index];
    const bool is_complete = state.complete_from <= snapshot.T();
    all.is_complete = all.is_complete && is_complete;
    all.until += state.until;
    all.built += state.IsBuilt() ? state.until : state.built;
    if (state.problem != nullptr) all.problem = *state.problem;
  }
  return all;
}

std::size_t IncompleteIndexesOf(const Snapshot& snapshot) {
  return snapshot.Numbers().IncompleteCount();
}

fhir::Result<void> CheckComplete(const Snapshot& snapshot,
                                 std::span<const fhir::search::IndexId> indexes) {
  for (const fhir::search::IndexId index : indexes) {
    const IndexState& state = snapshot.Numbers().States()[index];
    if (state.complete_from <= snapshot.T()) continue;
    const std::string name = "The index " + std::string(snapshot.Numbers().KeyOf(index));
    if (state.IsBuilt()) {
      return fhir::Fail(fhir::NotSupported(
          name + " is newer than this page link, and does not know all that was there then."));
    }
    if (state.problem != nullptr) {
      return fhir::Fail(fhir::NotSupported(name + " cannot be built: " + *state.problem));
    }
    return fhir::Fail(fhir::NotYet(name + ", which this search needs, is being built: " +
                                       std::to_string(PercentOf(state.built, state.until)) +
                                       " % done.",
                                   kRetryAfterSeconds));
  }
  return {};
}

}  // namespace storage
