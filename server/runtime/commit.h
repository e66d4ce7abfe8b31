// server/runtime/commit.h
//
// Waits for a transaction without holding a thread.
#pragma once

#include <memory>

#include "fhir/base/result.h"
#include "server/runtime/async.h"
#include "storage/store.h"

namespace server {

// Submits `transaction` and resumes the caller on its own executor with what became of it. `store`
// outlives the call. Errors: those of Store::Submit.
Awaitable<fhir::Result<storage::CommitResult>> AsyncCommit(
    storage::Store* store, std::unique_ptr<storage::Transaction> transaction);

}  // namespace server
