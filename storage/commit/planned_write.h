// storage/commit/planned_write.h
//
// One write of the transaction that is being decided: what it finds and what it will do.
#pragma once

#include <optional>
#include <vector>

#include "storage/commit/current.h"
#include "storage/commit/overlay.h"
#include "storage/transaction.h"

namespace storage {

struct PlannedWrite {
  Write* write = nullptr;
  ResourceName name;
  std::optional<CurrentVersion> current;  // Before the transaction.
  WriteOutcome outcome;

  bool IsDelete() const { return outcome.status == WriteOutcome::Status::kDeleted; }
  // It makes a new version.
  bool IsEffective() const {
    return outcome.status == WriteOutcome::Status::kCreated ||
           outcome.status == WriteOutcome::Status::kUpdated || IsDelete();
  }
  bool LeavesResource() const {
    return !IsDelete() && outcome.status != WriteOutcome::Status::kNothingToDelete;
  }
  // The live document that it replaces.
  std::optional<std::uint64_t> EndedDocument() const {
    if (!IsEffective() || !current || !current->IsLive()) return std::nullopt;
    return current->record.document;
  }
};

// A failed or stale transaction, or nothing if a check passed.
using Rejection = std::optional<CommitResult>;

inline CommitResult Rejected(fhir::Error error, std::size_t failed_write) {
  CommitResult result;
  result.error = std::move(error);
  result.failed_write = static_cast<std::int32_t>(failed_write);
  return result;
}

}  // namespace storage
