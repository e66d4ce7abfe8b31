// storage/commit/group_batch.h
//
// Everything that a group writes, as one batch: sorted within each column
// family, and with one posting per key however many documents share the value.
//
// Thread-safety: free function, for the commit thread. Blocking: reads the disk.
#pragma once

#include <vector>

#include "fhir/base/result.h"
#include "storage/commit/live_changes.h"
#include "storage/commit/overlay.h"
#include "storage/commit/posting_runs.h"
#include "storage/rocks/database.h"

namespace storage {

// REQUIRES: the overlay is not empty.
fhir::Result<void> FillBatch(const Overlay& overlay, const std::vector<LiveChange>& live_changes,
                             PostingRuns* postings, rocks::Batch* batch);

}  // namespace storage
