// server/interactions/precondition.h
//
// If-Match, If-None-Match and If-Modified-Since (RFC 9110 13, R4 3.1.0.4), as
// header fields or as members of Bundle.entry.request.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "fhir/base/result.h"
#include "server/runtime/request.h"
#include "storage/transaction.h"

namespace server {

// `W/"3"` or `"3"` -> 3. Nothing for anything else.
std::optional<std::uint64_t> ParseETag(std::string_view text);

// The whole second that an HTTP date names, Unix time in ms. Nothing if it is not IMF-fixdate.
std::optional<std::int64_t> ParseHttpDate(std::string_view text);

// True if a read of this version is answered 304. If-None-Match goes before If-Modified-Since; what
// is malformed is not there (RFC 9110 13.1.3). A later version that was made within the second of
// If-Modified-Since is sent: the client may hold one that it replaced in that second.
bool IsNotModified(const RequestHeaders& headers, std::uint64_t version, std::int64_t instant_ms);

// Sets the preconditions of a write. Errors: Invalid for an If-Match that is neither `*` nor one
// version's ETag and an If-None-Match other than `*`.
fhir::Result<void> SetPreconditions(std::string_view if_match, std::string_view if_none_match,
                                    storage::Write* write);

}  // namespace server
