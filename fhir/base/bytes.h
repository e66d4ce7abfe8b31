// fhir/base/bytes.h
//
// Big-endian integers in byte strings, so that the order of the bytes is the
// order of the numbers. Everything that becomes a key is made of these.
//
// Thread-safety: free functions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace fhir {

inline void AppendU16(std::string* out, std::uint16_t value) {
  const char bytes[2] = {static_cast<char>(value >> 8), static_cast<char>(value)};
  out->append(bytes, sizeof bytes);
}

inline void AppendU32(std::string* out, std::uint32_t value) {
  char bytes[4];
  for (int i = 0; i < 4; ++i) bytes[i] = static_cast<char>(value >> (24 - 8 * i));
  out->append(bytes, sizeof bytes);
}

inline void AppendU64(std::string* out, std::uint64_t value) {
  char bytes[8];
  for (int i = 0; i < 8; ++i) bytes[i] = static_cast<char>(value >> (56 - 8 * i));
  out->append(bytes, sizeof bytes);
}

// Signed numbers in order: the sign bit is flipped.
inline void AppendI64(std::string* out, std::int64_t value) {
  AppendU64(out, static_cast<std::uint64_t>(value) ^ (std::uint64_t{1} << 63));
}

// REQUIRES: at least 2, 4 or 8 bytes at `bytes`.
inline std::uint16_t ReadU16(const char* bytes) {
  const auto* b = reinterpret_cast<const unsigned char*>(bytes);
  return static_cast<std::uint16_t>(b[0] << 8 | b[1]);
}

inline std::uint32_t ReadU32(const char* bytes) {
  const auto* b = reinterpret_cast<const unsigned char*>(bytes);
  return std::uint32_t{b[0]} << 24 | std::uint32_t{b[1]} << 16 | std::uint32_t{b[2]} << 8 | b[3];
}

inline std::uint64_t ReadU64(const char* bytes) {
  return std::uint64_t{ReadU32(bytes)} << 32 | ReadU32(bytes + 4);
}

inline std::int64_t ReadI64(const char* bytes) {
  return static_cast<std::int64_t>(ReadU64(bytes) ^ (std::uint64_t{1} << 63));
}

}  // namespace fhir
