// storage/rocks/database.h
//
// RocksDB as the rest of storage/ sees it: families, views, and Result.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include <rocksdb/db.h>
#include <rocksdb/env.h>
#include <rocksdb/write_batch.h>

#include "fhir/base/result.h"
#include "storage/key_layout.h"
#include "storage/rocks/iterator.h"
#include "storage/rocks/options.h"

namespace storage::rocks {

// What the database held at one moment, for as long as this lives.
using ReadPoint = rocksdb::Snapshot;

// A value that was read, without a copy where RocksDB can do without.
class PinnedValue {
 public:
  std::string_view View() const { return {slice_.data(), slice_.size()}; }

 private:
  friend class Database;
  rocksdb::PinnableSlice slice_;
};

struct Walk {
  const ReadPoint* at = nullptr;  // Null: now.
  std::string upper_bound{};      // The walk ends before it. Empty: at the family's end.
  // Only keys of one resource are asked for (Family::kVersion): lets the filter spare reads.
  bool one_version_prefix = false;
};

struct RangeSize {
  std::uint64_t file_bytes = 0;     // Of keys and values, compressed.
  std::uint64_t memtable_keys = 0;  // One for each time that a key was written.
};

class Batch;

// Owner: the engine; outlives all iterators and read points.
// Thread-safety: thread-safe. Blocking: every method may read or write the disk.
class Database {
 public:
  // Errors: Internal, whose log_detail says what an operator can do.
  static fhir::Result<std::unique_ptr<Database>> Open(const DatabaseOptions& options);
  ~Database();
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  // False if there is no such key.
  fhir::Result<bool> Get(Family family, std::string_view key, PinnedValue* value,
                         const ReadPoint* at = nullptr) const;
  Iterator NewIterator(Family family, Walk walk) const;
  // About what lies in [from, to). Reads no more than the files' indexes.
  RangeSize ApproximateSize(Family family, std::string_view from, std::string_view to) const;
  // All or nothing, and on disk when it returns.
  fhir::Result<void> WriteSynced(Batch* batch);
  std::shared_ptr<const ReadPoint> Now() const;

  // "posting: 3 files, 120 MiB, about 2000000 keys", one line a family.
  void Describe(const std::function<void(const std::string&)>& log) const;

 private:
  friend class Batch;
  Database() = default;
  rocksdb::ColumnFamilyHandle* HandleOf(Family family) const {
    return handles_[static_cast<std::size_t>(family)];
  }

  std::unique_ptr<rocksdb::Env> env_;  // Null unless in memory. Outlives db_.
  std::unique_ptr<rocksdb::DB> db_;
  std::array<rocksdb::ColumnFamilyHandle*, kFamilies.size()>
      handles_{};  // Owned; freed before db_.
};

// Changes to write at once. Keys of a family in order make it several times cheaper.
// Thread-safety: single-owner.
class Batch {
 public:
  explicit Batch(const Database* database, std::size_t expected_bytes = 0)
      : database_(database), batch_(expected_bytes) {}

  void Put(Family family, std::string_view key, std::string_view value);
  // The value is `head` followed by `tail`.
  void Put(Family family, std::string_view key, std::string_view head, std::string_view tail);
  void Merge(Family family, std::string_view key, std::string_view operand);
  bool IsEmpty() const { return batch_.Count() == 0; }

 private:
  friend class Database;
  const Database* database_;
  rocksdb::WriteBatch batch_;
  rocksdb::Status status_;  // The first failure to add.
};

}  // namespace storage::rocks
