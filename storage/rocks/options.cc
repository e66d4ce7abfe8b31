#include "storage/rocks/options.h"

#include <algorithm>
#include <limits>
#include <memory>

#include <rocksdb/cache.h>
#include <rocksdb/convenience.h>
#include <rocksdb/filter_policy.h>
#include <rocksdb/slice_transform.h>
#include <rocksdb/table.h>

#include "storage/key_layout.h"
#include "storage/rocks/merge_operators.h"

namespace storage::rocks {
namespace {

constexpr std::size_t kMib = std::size_t{1} << 20;
constexpr double kFilterBitsPerKey = 10;

// A version key without its version: one filter entry a resource, so that a new id costs no block
// read.
class VersionIdTransform final : public rocksdb::SliceTransform {
 public:
  const char* Name() const override { return "kiln.VersionId"; }
  rocksdb::Slice Transform(const rocksdb::Slice& key) const override {
    return {key.data(), key.size() - kVersionSuffixSize};
  }
  bool InDomain(const rocksdb::Slice& key) const override {
    return key.size() > kVersionSuffixSize + sizeof(TypeNumber);
  }
};

rocksdb::CompressionType FastestCompression() {
  const auto supported = rocksdb::GetSupportedCompressions();
  const bool has_lz4 =
      std::find(supported.begin(), supported.end(), rocksdb::kLZ4Compression) != supported.end();
  return has_lz4 ? rocksdb::kLZ4Compression : rocksdb::kNoCompression;
}

// As many shards as RocksDB takes by itself, but none too small for some large blocks at once.
int CacheShardBits(std::size_t cache_mib) {
  constexpr std::size_t kMinShardMib = 16;
  int bits = 0;
  while (bits < 6 && cache_mib >> (bits + 1) >= kMinShardMib) ++bits;
  return bits;
}

// Families whose absent keys are asked for: an identifier that nobody has, an id that is new.
bool HasFilter(Family family) {
  return family == Family::kVersion || family == Family::kPosting;
}

bool IsBig(Family family) {
  return family == Family::kResource || family == Family::kPosting;
}

rocksdb::BlockBasedTableOptions MakeTableOptions(Family family,
                                                 const std::shared_ptr<rocksdb::Cache>& cache) {
  rocksdb::BlockBasedTableOptions table;
  table.block_cache = cache;
  table.block_size = 16 * 1024;
  table.format_version = 5;
  // Index and filter blocks count against the cache: memory stays bounded however large the data.
  table.cache_index_and_filter_blocks = true;
  table.cache_index_and_filter_blocks_with_high_priority = true;
  table.pin_l0_filter_and_index_blocks_in_cache = true;
  if (HasFilter(family)) {
    table.filter_policy.reset(rocksdb::NewBloomFilterPolicy(kFilterBitsPerKey));
    table.whole_key_filtering = family == Family::kPosting;
    // A whole file's filter is megabytes: what a lookup needs of it has to stay in the cache.
    table.partition_filters = true;
    table.index_type = rocksdb::BlockBasedTableOptions::kTwoLevelIndexSearch;
    table.metadata_block_size = 4 * 1024;
  }
  return table;
}

rocksdb::ColumnFamilyOptions MakeFamilyOptions(Family family, const DatabaseOptions& options,
                                               const std::shared_ptr<rocksdb::Cache>& cache) {
  const std::size_t scale = static_cast<std::size_t>(std::max(options.scale_factor, 1));
  rocksdb::ColumnFamilyOptions result;
  result.compression = FastestCompression();
  result.write_buffer_size = (IsBig(family) ? 64 : 16) * kMib * scale;
  result.max_write_buffer_number = 3;
  result.target_file_size_base = 64 * kMib * scale;
  result.max_bytes_for_level_base = 256 * kMib * scale;
  result.level_compaction_dynamic_level_bytes = true;
  result.table_factory.reset(rocksdb::NewBlockBasedTableFactory(MakeTableOptions(family, cache)));
  if (family == Family::kVersion) {
    result.prefix_extractor = std::make_shared<VersionIdTransform>();
    result.memtable_prefix_bloom_size_ratio = 0.05;
  }
  if (family == Family::kPosting) result.merge_operator = PostingMergeOperator();
  if (family == Family::kLive) result.merge_operator = LiveMergeOperator();
  if (family == Family::kResource && !options.resource_dir.empty() && !options.in_memory) {
    result.cf_paths.emplace_back(options.resource_dir, std::numeric_limits<std::uint64_t>::max());
  }
  return result;
}

}  // namespace

rocksdb::DBOptions MakeDbOptions(const DatabaseOptions& options) {
  const std::size_t scale = static_cast<std::size_t>(std::max(options.scale_factor, 1));
  rocksdb::DBOptions result;
  result.create_if_missing = true;
  result.create_missing_column_families = true;
  result.max_background_jobs = std::max(options.max_background_jobs, 2);
  result.max_open_files = -1;
  result.allow_concurrent_memtable_write = false;  // The commit thread is the only writer.
  result.db_write_buffer_size = 256 * kMib * scale;
  result.max_total_wal_size = 512 * kMib * scale;  // Bounds the replay after a crash.
  // A torn end is what a power cut leaves; damage before it is not to be passed over in silence.
  result.wal_recovery_mode = rocksdb::WALRecoveryMode::kTolerateCorruptedTailRecords;
  result.bytes_per_sync = kMib;
  result.keep_log_file_num = 4;
  result.info_log_level = rocksdb::InfoLogLevel::WARN_LEVEL;
  result.stats_dump_period_sec = 0;
  result.stats_persist_period_sec = 0;
  if (!options.transaction_dir.empty() && !options.in_memory) {
    result.wal_dir = options.transaction_dir;
  }
  return result;
}

std::vector<rocksdb::ColumnFamilyDescriptor> MakeFamilies(const DatabaseOptions& options) {
  const std::size_t cache_mib = std::max<std::size_t>(options.block_cache_mib, 8);
  const auto cache = rocksdb::NewLRUCache(cache_mib * kMib, CacheShardBits(cache_mib));
  std::vector<rocksdb::ColumnFamilyDescriptor> families;
  for (const Family family : kFamilies) {
    families.emplace_back(std::string(NameOf(family)), MakeFamilyOptions(family, options, cache));
  }
  return families;
}

}  // namespace storage::rocks
