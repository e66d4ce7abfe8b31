#include "storage/key_layout.h"

#include "fhir/base/bytes.h"

namespace storage {
namespace {

void AppendU48(std::string* out, std::uint64_t value) {
  fhir::AppendU16(out, static_cast<std::uint16_t>(value >> 32));
  fhir::AppendU32(out, static_cast<std::uint32_t>(value));
}

std::uint64_t ReadU48(const char* bytes) {
  return std::uint64_t{fhir::ReadU16(bytes)} << 32 | fhir::ReadU32(bytes + 2);
}

}  // namespace

std::string_view NameOf(Family family) {
  switch (family) {
    case Family::kDefault: return "default";
    case Family::kResource: return "resource";
    case Family::kDocument: return "document";
    case Family::kVersion: return "version";
    case Family::kPosting: return "posting";
    case Family::kLive: return "live";
    case Family::kEnded: return "ended";
    case Family::kTransaction: return "transaction";
  }
  return {};
}

std::string ResourceKey(Position position) {
  std::string key;
  fhir::AppendU64(&key, position.t);
  fhir::AppendU32(&key, position.n);
  return key;
}

std::string DocumentKey(TypeNumber type, std::uint64_t document) {
  std::string key;
  fhir::AppendU16(&key, type);
  AppendU48(&key, document);
  return key;
}

std::string VersionPrefix(TypeNumber type, std::string_view id) {
  std::string key;
  key.reserve(2 + id.size() + 1 + kVersionSuffixSize);
  fhir::AppendU16(&key, type);
  key.append(id);
  key.push_back('\0');
  return key;
}

std::string VersionKey(TypeNumber type, std::string_view id, std::uint64_t version) {
  std::string key = VersionPrefix(type, id);
  fhir::AppendU64(&key, ~version);
  return key;
}

std::string LiveKey(TypeNumber type, std::uint32_t chunk) {
  std::string key;
  fhir::AppendU16(&key, type);
  fhir::AppendU32(&key, chunk);
  return key;
}

std::string EndedKey(TypeNumber type, std::uint64_t t, std::uint64_t document) {
  std::string key;
  fhir::AppendU16(&key, type);
  fhir::AppendU64(&key, t);
  AppendU48(&key, document);
  return key;
}

std::string TransactionKey(std::uint64_t t) {
  std::string key;
  fhir::AppendU64(&key, t);
  return key;
}

std::string TypePrefix(TypeNumber type) {
  std::string key;
  fhir::AppendU16(&key, type);
  return key;
}

std::string PostingPrefix(TypeNumber type, IndexNumber index) {
  std::string key;
  fhir::AppendU16(&key, type);
  fhir::AppendU16(&key, index);
  return key;
}

Position ParseResourceKey(std::string_view key) {
  return {fhir::ReadU64(key.data()), fhir::ReadU32(key.data() + 8)};
}

std::uint64_t DocumentOfKey(std::string_view document_key) {
  return ReadU48(document_key.data() + 2);
}

std::uint64_t DocumentOfEndedKey(std::string_view ended_key) {
  return ReadU48(ended_key.data() + 10);
}

TypeNumber TypeOfKey(std::string_view key) {
  return fhir::ReadU16(key.data());
}

std::string_view IdOfVersionKey(std::string_view version_key) {
  return version_key.substr(2, version_key.size() - 2 - 1 - kVersionSuffixSize);
}

std::uint64_t VersionOfKey(std::string_view version_key) {
  return ~fhir::ReadU64(version_key.data() + version_key.size() - kVersionSuffixSize);
}

std::string_view ValueOfPostingKey(std::string_view posting_key) {
  return posting_key.substr(kPostingPrefixSize,
                            posting_key.size() - kPostingPrefixSize - kChunkSuffixSize);
}

std::uint32_t ChunkOfKey(std::string_view posting_or_live_key) {
  return fhir::ReadU32(posting_or_live_key.data() + posting_or_live_key.size() - kChunkSuffixSize);
}

}  // namespace storage
