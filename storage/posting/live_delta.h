// storage/posting/live_delta.h
//
// The value of `live`: a change of a chunk's set of current documents, so that
// a small commit writes a few bytes to a chunk of thousands.
//
//   size of the next field: varint | removed: posting | added: posting
//
// A change applied to a set is (set - removed) + added; a set is a change of nothing. Documents
// never come back, but the algebra does not need that: later changes win.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "storage/posting/bitmap.h"

namespace storage {

struct LiveDelta {
  Bitmap removed;
  Bitmap added;
};

void AppendLiveDelta(std::string* out, const LiveDelta& delta);
// False if `value` is damaged.
bool ParseLiveDelta(std::string_view value, LiveDelta* delta);
// One change that does what `first` and then `second` do.
LiveDelta Compose(const LiveDelta& first, const LiveDelta& second);
// Composes `values`, oldest first. With `is_set`, what was removed is forgotten: there is nothing
// below.
bool ComposeLiveDeltas(std::span<const std::string_view> values, bool is_set, std::string* out);

}  // namespace storage
