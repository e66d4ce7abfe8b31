// storage/rocks/iterator.h
//
// A walk over the keys of one column family. Views are valid until it moves.
//
// Owner: who made it; does not outlive the database. Thread-safety: single-owner.
// Blocking: every move may read the disk.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include <rocksdb/iterator.h>
#include <rocksdb/slice.h>

#include "fhir/base/result.h"
#include "storage/rocks/status.h"

namespace storage::rocks {

class Iterator {
 public:
  // What RocksDB points to while it walks: must not move.
  struct Bound {
    std::string key;
    rocksdb::Slice slice;
  };

  Iterator() = default;
  Iterator(std::unique_ptr<Bound> bound, std::unique_ptr<rocksdb::Iterator> iterator)
      : bound_(std::move(bound)), iterator_(std::move(iterator)) {}

  explicit operator bool() const { return iterator_ != nullptr; }

  void Seek(std::string_view key) { iterator_->Seek({key.data(), key.size()}); }
  // To the last key at or before `key`.
  void SeekBackward(std::string_view key) { iterator_->SeekForPrev({key.data(), key.size()}); }
  void SeekToFirst() { iterator_->SeekToFirst(); }
  void SeekToLast() { iterator_->SeekToLast(); }
  void Next() { iterator_->Next(); }
  void Prev() { iterator_->Prev(); }

  // False at the end and after an error; Check() tells which.
  bool Valid() const { return iterator_->Valid(); }
  std::string_view Key() const { return View(iterator_->key()); }
  std::string_view Value() const { return View(iterator_->value()); }

  fhir::Result<void> Check() const {
    if (const rocksdb::Status status = iterator_->status(); !status.ok()) {
      return fhir::Fail(ToError(status, "reading keys"));
    }
    return {};
  }

 private:
  static std::string_view View(const rocksdb::Slice& slice) { return {slice.data(), slice.size()}; }

  std::unique_ptr<Bound> bound_;  // Null: none. Outlives iterator_.
  std::unique_ptr<rocksdb::Iterator> iterator_;
};

}  // namespace storage::rocks
