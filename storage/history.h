// storage/history.h
//
// The log read backwards. `document` is the log of one type, numbered without
// gaps, so a place in a type's history is found by arithmetic; `resource` is
// the log of all types, and a place there is found by counting the documents
// that each type had at a transaction.
//
// Blocking: all of it reads the disk.
#pragma once

#include <cstdint>

#include "fhir/base/result.h"
#include "storage/reader.h"
#include "storage/snapshot.h"
#include "storage/store.h"

namespace storage {

// As Store::ReadHistoryPage; `type` 0: all types.
// Cost: all types: for each one that has documents, some (log of its size) gets a step of a binary
// search over the transactions.
fhir::Result<std::uint64_t> ReadLogBackwards(const Snapshot& snapshot, TypeNumber type,
                                             const HistoryRequest& request,
                                             const VisitResource& visit);

}  // namespace storage
