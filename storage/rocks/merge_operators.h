// storage/rocks/merge_operators.h
//
// How RocksDB combines what was written to one key of `posting` and of `live`. Their names are on
// disk.
#pragma once

#include <memory>

#include <rocksdb/merge_operator.h>

namespace storage::rocks {

// Union of postings (storage/posting/posting_value.h).
std::shared_ptr<rocksdb::MergeOperator> PostingMergeOperator();
// Changes of a set in order (storage/posting/live_delta.h).
std::shared_ptr<rocksdb::MergeOperator> LiveMergeOperator();

}  // namespace storage::rocks
