// storage/posting/bitmap.h
//
// The bitmap library under our name: the low 16 bits of the documents of one chunk. A const Bitmap
// may be read by many threads (copy-on-write, which would not allow that, is off by default).
#pragma once

#include <roaring/roaring.hh>

namespace storage {

using Bitmap = ::Roaring;

}  // namespace storage
