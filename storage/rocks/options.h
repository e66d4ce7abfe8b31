// storage/rocks/options.h
//
// How RocksDB is set up for each column family, and why.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <rocksdb/db.h>  // ColumnFamilyDescriptor
#include <rocksdb/options.h>

namespace storage::rocks {

struct DatabaseOptions {
  bool in_memory = false;
  std::string index_dir{};
  std::string resource_dir{};     // Empty: index_dir.
  std::string transaction_dir{};  // Empty: index_dir.
  std::size_t block_cache_mib = 128;
  int scale_factor = 1;
  int max_background_jobs = 2;
};

rocksdb::DBOptions MakeDbOptions(const DatabaseOptions& options);
// In the order of kFamilies.
std::vector<rocksdb::ColumnFamilyDescriptor> MakeFamilies(const DatabaseOptions& options);

}  // namespace storage::rocks
