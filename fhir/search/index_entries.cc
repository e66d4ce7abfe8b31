#include "fhir/search/index_entries.h"

#include <algorithm>

namespace fhir::search {

void IndexEntries::Finish() {
  std::sort(entries_.begin(), entries_.end(), [this](const Entry& a, const Entry& b) {
    if (a.index != b.index) return a.index < b.index;
    return ValueOf(a) < ValueOf(b);
  });
  const auto same = [this](const Entry& a, const Entry& b) {
    return a.index == b.index && ValueOf(a) == ValueOf(b);
  };
  entries_.erase(std::unique(entries_.begin(), entries_.end(), same), entries_.end());
}

}  // namespace fhir::search
