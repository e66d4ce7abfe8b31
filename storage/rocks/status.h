// storage/rocks/status.h
//
// RocksDB's status becomes our Error here and nowhere else.
#pragma once

#include <string_view>

#include <rocksdb/status.h>

#include "fhir/base/result.h"

namespace storage::rocks {

// `doing` is for the log: "writing a group". REQUIRES: !status.ok().
fhir::Error ToError(const rocksdb::Status& status, std::string_view doing);

}  // namespace storage::rocks
