// storage/key_layout.h
//
// Every column family and every key, in one place. Integers are big-endian, so
// that the order of bytes is the order meant; ids are stored as given (they
// hold no NUL).
//
//   resource     t: u64 | n: u32                                -> header | json
//   document     type: u16 | doc: u48                           -> id, t, n, version, operation
//   version      type: u16 | id | 0x00 | ~version: u64          -> t, n, doc, operation
//   posting      type: u16 | index: u16 | value | chunk: u32    -> bitmap (posting/posting_value.h)
//   live         type: u16 | chunk: u32                         -> bitmap (posting/live_delta.h)
//   ended        type: u16 | t: u64 | doc: u48                  -> nothing
//   transaction  t: u64                                         -> instant: i64, Unix ms
//   default      name                                           -> format, secret, registries
//
// `t` counts transactions from 1, `n` the writes in one. `doc` counts the versions of one type from
// 0; its upper 32 bits are the chunk. These bytes are on disk: never change what a field means.
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace storage {

using TypeNumber = std::uint16_t;   // 0: no type.
using IndexNumber = std::uint16_t;  // 0: no index.

enum class Family : std::uint8_t {
  kDefault,
  kResource,
  kDocument,
  kVersion,
  kPosting,
  kLive,
  kEnded,
  kTransaction,
};
inline constexpr std::array<Family, 8> kFamilies = {
    Family::kDefault, Family::kResource, Family::kDocument, Family::kVersion,
    Family::kPosting, Family::kLive,     Family::kEnded,    Family::kTransaction};
std::string_view NameOf(Family family);

// Names in `default`.
inline constexpr std::string_view kFormatName = "format";
inline constexpr std::string_view kPageSecretName = "page-secret";
inline constexpr std::string_view kTypeNamePrefix = "type/";    // -> number: u16
inline constexpr std::string_view kIndexNamePrefix = "index/";  // -> number: u16 | added at t: u64
// -> complete from t: u64 | built to document: u64 | to be built until document: u64
inline constexpr std::string_view kBuildNamePrefix = "build/";
inline constexpr std::uint32_t kFormatVersion = 1;

// Where a version's bytes are.
struct Position {
  std::uint64_t t = 0;
  std::uint32_t n = 0;
  friend auto operator<=>(const Position&, const Position&) = default;
};

inline std::uint32_t ChunkOf(std::uint64_t document) {
  return static_cast<std::uint32_t>(document >> 16);
}
inline std::uint16_t LowOf(std::uint64_t document) {
  return static_cast<std::uint16_t>(document);
}
inline std::uint64_t DocumentOf(std::uint32_t chunk, std::uint32_t low) {
  return std::uint64_t{chunk} << 16 | low;
}

std::string ResourceKey(Position position);
std::string DocumentKey(TypeNumber type, std::uint64_t document);
std::string VersionKey(TypeNumber type, std::string_view id, std::uint64_t version);
std::string LiveKey(TypeNumber type, std::uint32_t chunk);
std::string EndedKey(TypeNumber type, std::uint64_t t, std::uint64_t document);
std::string TransactionKey(std::uint64_t t);

// All keys of a type, or of a type and index, begin with these.
std::string TypePrefix(TypeNumber type);
std::string PostingPrefix(TypeNumber type, IndexNumber index);
// All versions of a resource, newest first, begin with this.
std::string VersionPrefix(TypeNumber type, std::string_view id);

inline constexpr std::size_t kVersionSuffixSize = 8;  // ~version
inline constexpr std::size_t kPostingPrefixSize = 4;  // type | index
inline constexpr std::size_t kChunkSuffixSize = 4;

Position ParseResourceKey(std::string_view key);
std::uint64_t DocumentOfKey(std::string_view document_key);
std::uint64_t DocumentOfEndedKey(std::string_view ended_key);
TypeNumber TypeOfKey(std::string_view key);
std::string_view IdOfVersionKey(std::string_view version_key);
std::uint64_t VersionOfKey(std::string_view version_key);
std::string_view ValueOfPostingKey(std::string_view posting_key);
std::uint32_t ChunkOfKey(std::string_view posting_or_live_key);

}  // namespace storage
