#include "storage/maintenance/built_postings.h"

#include <algorithm>

#include "fhir/base/bytes.h"
#include "storage/posting/posting_value.h"

namespace storage {

void BuiltPostings::Add(const fhir::search::IndexEntries& entries, std::uint64_t document) {
  for (const fhir::search::IndexEntries::Entry& entry : entries.List()) {
    std::string key = PostingPrefix(type_, numbers_.NumberOf(entry.index));
    key += entries.ValueOf(entry);
    fhir::AppendU32(&key, ChunkOf(document));
    bytes_ += key.size();
    posted_.emplace_back(std::move(key), LowOf(document));
  }
}

std::vector<std::pair<std::string, std::string>> BuiltPostings::Finish() && {
  std::sort(posted_.begin(), posted_.end());
  std::vector<std::pair<std::string, std::string>> postings;
  std::vector<std::uint16_t> lows;
  for (std::size_t i = 0; i < posted_.size();) {
    const std::size_t first = i;
    lows.clear();
    for (; i < posted_.size() && posted_[i].first == posted_[first].first; ++i) {
      if (lows.empty() || lows.back() != posted_[i].second) lows.push_back(posted_[i].second);
    }
    std::string operand;
    AppendPosting(&operand, lows);
    postings.emplace_back(std::move(posted_[first].first), std::move(operand));
  }
  return postings;
}

}  // namespace storage
