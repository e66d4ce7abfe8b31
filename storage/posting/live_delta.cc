#include "storage/posting/live_delta.h"

#include <cstdint>

#include "storage/posting/posting_value.h"
#include "storage/varint.h"

namespace storage {

void AppendLiveDelta(std::string* out, const LiveDelta& delta) {
  std::string removed;
  AppendPosting(&removed, delta.removed);
  AppendVarint(out, removed.size());
  out->append(removed);
  AppendPosting(out, delta.added);
}

bool ParseLiveDelta(std::string_view value, LiveDelta* delta) {
  std::uint64_t removed_size = 0;
  if (!TakeVarint(&value, &removed_size) || removed_size > value.size()) return false;
  *delta = LiveDelta();
  return AddPosting(value.substr(0, removed_size), &delta->removed) &&
         AddPosting(value.substr(removed_size), &delta->added);
}

LiveDelta Compose(const LiveDelta& first, const LiveDelta& second) {
  return {first.removed | second.removed, (first.added - second.removed) | second.added};
}

bool ComposeLiveDeltas(std::span<const std::string_view> values, bool is_set, std::string* out) {
  LiveDelta all;
  for (const std::string_view value : values) {
    LiveDelta delta;
    if (!ParseLiveDelta(value, &delta)) return false;
    all.added -= delta.removed;
    all.added |= delta.added;
    if (!is_set) all.removed |= delta.removed;
  }
  AppendLiveDelta(out, all);
  return true;
}

}  // namespace storage
