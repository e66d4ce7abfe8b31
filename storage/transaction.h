// storage/transaction.h
//
// One atomic set of writes on its way to disk, and what became of it. Made by a
// request on an indexer thread (everything expensive is done there), consumed
// by the commit thread.
//
// Owner: moved along the pipeline. Thread-safety: single-owner.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "fhir/base/result.h"
#include "fhir/model/stored_form.h"
#include "fhir/search/expression.h"
#include "fhir/search/index_entries.h"
#include "storage/maintenance/build_step.h"

namespace fhir::search {
class Registry;
}

namespace storage {

// What made a version. On disk; never renumber. Both what was asked and what came of it can be told:
// a first version is kCreate by POST and kUpdate by PUT; one behind a deletion, which only a PUT can
// make, is kCreate.
enum class Operation : std::uint8_t { kCreate = 1, kUpdate = 2, kDelete = 3 };

struct Write {
  enum class Kind : std::uint8_t {
    kCreate,  // At an id that the server gave; it must not exist.
    kPut,     // Next version, or the first if there is none or it was deleted.
    kDelete,
  };

  Kind kind = Kind::kCreate;
  std::string type;
  std::string id;
  // Preconditions on the state before this transaction.
  std::optional<std::uint64_t> if_match;  // The current version is this one (412).
  bool if_match_any = false;              // There is a current version (412).
  bool if_none_match_any = false;         // There is no current version (412).
  // The content was made from this version: with any other, the transaction is stale. 0: from none.
  std::uint64_t based_on = 0;
  // Not for kDelete:
  fhir::model::StoredForm form;
  fhir::search::IndexEntries entries;  // Finished.
};

// What preparation found in the store and relied on: the one resource (or none, if `id` is empty)
// of `type` that matches. Checked again at commit against everything committed before; resources
// of the same transaction do not count.
struct Assumption {
  std::string type;
  fhir::search::Expression where;  // IsLocal.
  std::string id;
};

struct Transaction {
  std::vector<Write> writes;  // In the order to apply. At most one per (type, id).
  std::vector<Assumption> assumptions;
  std::uint64_t prepared_at = 0;  // t of the snapshot that the assumptions were made on.
  std::int64_t instant_ms = 0;    // When the request came, Unix time. Commit makes it monotonic.
  // The search parameters that entries and assumptions were made by: with any others in force, the
  // transaction is stale. So no resource is written that an index was not told of. Shared with the
  // snapshot that they are from; null: it depends on none.
  std::shared_ptr<const fhir::search::Registry> registry{};
  // What is in force after it, made from `registry`. Null: the same.
  std::shared_ptr<const fhir::search::Registry> next_registry{};
  // Of the background build alone, which writes no resources.
  std::optional<BuildStep> build_step{};
};

struct WriteOutcome {
  enum class Status : std::uint8_t {
    kCreated,
    kUpdated,
    kUnchanged,  // A put of identical content: no new version.
    kDeleted,
    kNothingToDelete,  // Never existed, or deleted before.
  };
  Status status = Status::kCreated;
  std::uint64_t version = 0;    // The current version after the write; 0 if never existed.
  std::int64_t instant_ms = 0;  // When that version was committed.
};

struct CommitResult {
  enum class Status : std::uint8_t {
    kCommitted,
    kStale,   // An assumption or Write::based_on no longer holds: prepare again on a newer
              // snapshot. Nothing was written.
    kFailed,  // `error` says why. Nothing was written.
  };
  Status status = Status::kFailed;
  std::uint64_t t = 0;
  std::vector<WriteOutcome> outcomes;  // One per write, if committed.
  fhir::Error error;
  std::int32_t failed_write = -1;  // Index into writes that `error` is about, or -1.
  std::string failed_reference;    // For a broken reference: its text, as in the form's json.
};

// Called once, on the commit thread: must only hand over.
using CommitCallback = std::function<void(CommitResult)>;

}  // namespace storage
