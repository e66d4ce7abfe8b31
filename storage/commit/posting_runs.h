// storage/commit/posting_runs.h
//
// The index entries of all versions of a group, brought together by key.
//
// Thread-safety: free function, for the commit thread.
#pragma once

#include "storage/commit/overlay.h"
#include "storage/rocks/database.h"

namespace storage {

// Adds one Merge per (type, index, value, chunk), in the order of the keys.
void MergePostings(const Overlay& overlay, rocks::Batch* batch);

}  // namespace storage
