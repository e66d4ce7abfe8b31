// storage/commit/live_changes.h
//
// What a group does to the sets of current documents: as changes to write, and
// as the next state of each type.
//
// Thread-safety: free functions, for the commit thread.
#pragma once

#include <cstdint>
#include <vector>

#include "storage/commit/overlay.h"
#include "storage/posting/live_delta.h"
#include "storage/snapshot.h"

namespace storage {

struct LiveChange {
  TypeNumber type = 0;
  std::uint32_t chunk = 0;
  LiveDelta delta;
};

// By type and chunk. A version that came and went within the group is in none.
std::vector<LiveChange> FindLiveChanges(const Overlay& overlay);

// By type number. Types and chunks that the group did not write are shared with the committed
// state.
std::vector<TypeStatePtr> NextStates(const Overlay& overlay,
                                     const std::vector<LiveChange>& changes);

}  // namespace storage
