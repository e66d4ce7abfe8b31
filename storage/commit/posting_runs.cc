#include "storage/commit/posting_runs.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "fhir/base/bytes.h"
#include "fhir/base/text.h"
#include "storage/key_layout.h"
#include "storage/posting/posting_value.h"

namespace storage {
namespace {

using fhir::search::IndexEntries;

// One entry of one version. Its key lies in the arena.
struct Posted {
  std::uint64_t start = 0;  // The key's first eight bytes, which decide most comparisons.
  const char* key = nullptr;
  std::uint32_t size = 0;
  std::uint16_t low = 0;

  std::string_view Key() const { return {key, size}; }
};

bool IsBefore(const Posted& a, const Posted& b) {
  if (a.start != b.start) return a.start < b.start;
  if (const int order = a.Key().compare(b.Key()); order != 0) return order < 0;
  return a.low < b.low;
}

// Keys are at least eight bytes: type, index and chunk.
std::size_t KeySize(const IndexEntries::Entry& entry) {
  return kPostingPrefixSize + entry.size + kChunkSuffixSize;
}

std::size_t ArenaSize(const Overlay& overlay, std::size_t* count) {
  std::size_t bytes = 0;
  for (const NewVersion& version : overlay.Versions()) {
    if (version.record.operation == Operation::kDelete) continue;
    *count += version.write->entries.List().size();
    for (const IndexEntries::Entry& entry : version.write->entries.List()) bytes += KeySize(entry);
  }
  return bytes;
}

void Gather(const NewVersion& version, const NumberRegistry& numbers, std::string* arena,
            std::vector<Posted>* posted) {
  const IndexEntries& entries = version.write->entries;
  for (const IndexEntries::Entry& entry : entries.List()) {
    const IndexNumber index = numbers.NumberOf(entry.index);
    if (index == 0) continue;  // Not one of the registry that the store was opened with.
    const std::size_t offset = arena->size();
    fhir::AppendU16(arena, version.type);
    fhir::AppendU16(arena, index);
    arena->append(entries.ValueOf(entry));
    fhir::AppendU32(arena, ChunkOf(version.record.document));
    const char* key = arena->data() + offset;
    posted->push_back({fhir::ReadU64(key), key, static_cast<std::uint32_t>(KeySize(entry)),
                       LowOf(version.record.document)});
  }
}

// The posting of `key` as it is committed, together with `lows`.
fhir::Result<void> PutWhole(const Overlay& overlay, std::string_view key,
                            const std::vector<std::uint16_t>& lows, rocks::Batch* batch) {
  rocks::PinnedValue committed;
  FHIR_TRY(found, overlay.Committed().Database().Get(Family::kPosting, key, &committed,
                                                     overlay.Committed().At()));
  Bitmap all;
  if (found && !AddPosting(committed.View(), &all)) {
    return fhir::Fail(fhir::Internal("a posting is damaged"));
  }
  for (const std::uint16_t low : lows) all.add(low);
  std::string value;
  AppendPosting(&value, all);
  batch->Put(Family::kPosting, key, value);
  return {};
}

}  // namespace

bool PostingRuns::IsTurn(std::string_view key) {
  std::uint8_t& merges = merges_[fhir::HashText(key) % merges_.size()];
  if (++merges < kWriteWholeEvery) return false;
  merges = 0;
  return true;
}

fhir::Result<void> PostingRuns::Write(const Overlay& overlay, rocks::Batch* batch) {
  std::size_t count = 0;
  std::string arena;
  // Reserved whole: keys point into it.
  arena.reserve(ArenaSize(overlay, &count));
  std::vector<Posted> posted;
  posted.reserve(count);
  for (const NewVersion& version : overlay.Versions()) {
    if (version.record.operation == Operation::kDelete) continue;
    Gather(version, overlay.Committed().Numbers(), &arena, &posted);
  }
  std::sort(posted.begin(), posted.end(), IsBefore);

  std::vector<std::uint16_t> lows;
  std::string operand;
  for (std::size_t i = 0; i < posted.size();) {
    const std::string_view key = posted[i].Key();
    lows.clear();
    for (; i < posted.size() && posted[i].Key() == key; ++i) {
      if (lows.empty() || lows.back() != posted[i].low) lows.push_back(posted[i].low);
    }
    if (IsTurn(key)) {
      FHIR_TRY_VOID(PutWhole(overlay, key, lows, batch));
      continue;
    }
    operand.clear();
    AppendPosting(&operand, lows);
    batch->Merge(Family::kPosting, key, operand);
  }
  return {};
}

}  // namespace storage
