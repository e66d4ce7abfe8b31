// storage/commit/group_batch.h
//
// Everything that a group writes, as one batch: sorted within each column
// family, and with one posting per key however many documents share the value.
//
// Thread-safety: free function, for the commit thread.
#pragma once

#include <vector>

#include "storage/commit/live_changes.h"
#include "storage/commit/overlay.h"
#include "storage/rocks/database.h"

namespace storage {

// REQUIRES: the overlay has versions.
void FillBatch(const Overlay& overlay, const std::vector<LiveChange>& live_changes,
               rocks::Batch* batch);

}  // namespace storage
