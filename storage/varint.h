// storage/varint.h
//
// Unsigned integers in as many bytes as they need (LEB128: seven bits a byte, low ones first), for
// values on disk. Keys use fixed widths (fhir/base/bytes.h).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace storage {

inline void AppendVarint(std::string* out, std::uint64_t value) {
  while (value >= 0x80) {
    out->push_back(static_cast<char>(value | 0x80));
    value >>= 7;
  }
  out->push_back(static_cast<char>(value));
}

// Takes one integer off the front of `bytes`. False if there is none.
inline bool TakeVarint(std::string_view* bytes, std::uint64_t* value) {
  *value = 0;
  for (unsigned shift = 0; shift < 64 && !bytes->empty(); shift += 7) {
    const auto byte = static_cast<unsigned char>(bytes->front());
    bytes->remove_prefix(1);
    *value |= std::uint64_t{byte & 0x7Fu} << shift;
    if (byte < 0x80) return true;
  }
  return false;
}

}  // namespace storage
