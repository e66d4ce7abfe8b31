// storage/recovery.h
//
// From what is on disk to the state in memory, when the store is opened.
//
// Blocking: reads the disk.
#pragma once

#include <cstdint>
#include <memory>

#include "fhir/base/result.h"
#include "storage/number_registry.h"
#include "storage/rocks/database.h"
#include "storage/snapshot.h"

namespace storage {

// Writes the format version and a secret into a new database. Errors: Internal if the database has
// a format that this version does not know.
fhir::Result<void> CheckFormat(rocks::Database* database);
// The secret that CheckFormat wrote once.
fhir::Result<std::uint64_t> ReadPageSecret(const rocks::Database& database);
// 0 if there is none yet.
fhir::Result<std::uint64_t> ReadLastTransaction(const rocks::Database& database);
// The state after the last transaction.
fhir::Result<std::shared_ptr<const Snapshot>> LoadNewest(
    const rocks::Database* database, std::shared_ptr<const NumberRegistry> numbers);

}  // namespace storage
