#include "storage/commit/live_changes.h"

#include <map>
#include <memory>
#include <utility>

namespace storage {
namespace {

// A bitmap as a change leaves it.
std::shared_ptr<const Bitmap> Changed(const Bitmap* before, const LiveDelta& delta) {
  auto after = before == nullptr ? std::make_shared<Bitmap>() : std::make_shared<Bitmap>(*before);
  *after -= delta.removed;
  *after |= delta.added;
  return after;
}

}  // namespace

std::vector<LiveChange> FindLiveChanges(const Overlay& overlay) {
  std::map<std::pair<TypeNumber, std::uint32_t>, LiveDelta> deltas;
  for (const EndedDocument& ended : overlay.Ended()) {
    const bool was_committed =
        ended.document < overlay.Committed().Types()[ended.type]->next_document;
    if (!was_committed) continue;
    deltas[{ended.type, ChunkOf(ended.document)}].removed.add(LowOf(ended.document));
  }
  for (const NewVersion& version : overlay.Versions()) {
    if (!version.IsLive()) continue;
    const std::uint64_t document = version.record.document;
    deltas[{version.type, ChunkOf(document)}].added.add(LowOf(document));
  }
  std::vector<LiveChange> changes;
  changes.reserve(deltas.size());
  for (auto& [place, delta] : deltas) {
    changes.push_back({place.first, place.second, std::move(delta)});
  }
  return changes;
}

std::vector<TypeStatePtr> NextStates(const Overlay& overlay,
                                     const std::vector<LiveChange>& changes) {
  std::vector<TypeStatePtr> types = overlay.Committed().Types();
  std::map<TypeNumber, std::shared_ptr<TypeState>> next;
  for (const NewVersion& version : overlay.Versions()) {
    std::shared_ptr<TypeState>& state = next[version.type];
    if (state == nullptr) state = std::make_shared<TypeState>(*types[version.type]);
    state->next_document = version.record.document + 1;
    state->last_t = version.record.t;
  }
  for (auto& [type, state] : next) {
    state->live.resize(std::size_t{ChunkOf(state->next_document - 1)} + 1);
  }
  for (const LiveChange& change : changes) {
    TypeState& state = *next[change.type];
    std::shared_ptr<const Bitmap>& live = state.live[change.chunk];
    const std::uint64_t before = live == nullptr ? 0 : live->cardinality();
    live = Changed(live.get(), change.delta);
    state.live_count += live->cardinality() - before;
  }
  for (auto& [type, state] : next) types[type] = std::move(state);
  return types;
}

}  // namespace storage
