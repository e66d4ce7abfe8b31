// server/runtime/batch.h
//
// Runs the entries of a batch bundle, some at a time.
#pragma once

#include <vector>

#include "server/routing/handler.h"
#include "server/runtime/async.h"

namespace server {

class Dispatcher;

// How many entries of one batch run at the same time: enough to fill a commit group, few enough
// that one batch does not take all workers.
inline constexpr std::size_t kBatchLanes = 32;

// The replies to the plan's entries, in their order. `dispatcher` outlives the call. No thread
// waits for an entry, so that a batch of any size, and any number of them, cannot block the pools.
Awaitable<std::vector<Reply>> AsyncRunBatch(const Dispatcher* dispatcher, BatchPlan plan);

}  // namespace server
