// storage/commit/posting_runs.h
//
// The index entries of all versions of a group, brought together by key.
//
// A value that most resources share gets a merge operand with every group, and a search has to put
// them all together again until they are flushed and compacted. So a key that was merged often is
// now and then written whole.
//
// Owner: the committer. Thread-safety: single-owner, for the commit thread. Blocking: reads the
// disk.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "fhir/base/result.h"
#include "storage/commit/overlay.h"
#include "storage/rocks/database.h"

namespace storage {

class PostingRuns {
 public:
  // Adds one write per (type, index, value, chunk), in the order of the keys.
  fhir::Result<void> Write(const Overlay& overlay, rocks::Batch* batch);

 private:
  // Every so many merges of one key, on average.
  static constexpr std::uint8_t kWriteWholeEvery = 250;

  // True if it is the key's turn to be written whole.
  bool IsTurn(std::string_view key);

  // Merges by hash of the key. Keys that share a counter only have their turns sooner.
  std::array<std::uint8_t, 65'536> merges_{};
};

}  // namespace storage
