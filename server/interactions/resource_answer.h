// server/interactions/resource_answer.h
//
// Answers that are one resource: its bytes with versionId and lastUpdated put
// in, and the header fields that tell its version.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "server/interactions/preference.h"
#include "server/runtime/reply.h"
#include "server/runtime/request.h"
#include "storage/store.h"

namespace server {

// `W/"3"`
std::string ETagOf(std::uint64_t version);

// ETag and Last-Modified.
void SetVersion(std::uint64_t version, std::int64_t instant_ms, Reply* reply);

// "[base]/Patient/x/_history/1"
std::string VersionUrl(std::string_view base_url, std::string_view type, std::string_view id,
                       std::uint64_t version);

// Three pieces; all but the few bytes of the version are shared with the cache.
Body BodyOf(std::shared_ptr<const storage::CachedResource> resource);

// 200 with the whole resource, or 304 if the client has it.
Reply AnswerRead(const RequestHeaders& headers,
                 std::shared_ptr<const storage::CachedResource> resource);

// What a written resource is answered with, kept until it is committed.
struct WrittenResource {
  std::string base_url;
  std::string type;
  std::string id;
  Preference::Return answer = Preference::Return::kUnsaid;  // Unsaid: the representation.
  std::string json;  // As in StoredForm. Empty unless the representation is the answer.
  std::uint32_t meta_offset = 0;

  bool WantsRepresentation() const {
    return answer == Preference::Return::kUnsaid || answer == Preference::Return::kRepresentation;
  }
};

// 201 for a new resource, otherwise 200. REQUIRES: no deletion.
Reply AnswerWrite(const WrittenResource& written, const storage::WriteOutcome& outcome);

// 204 with the version of the deletion, if there is one.
Reply AnswerDelete(const storage::WriteOutcome& outcome);

}  // namespace server
