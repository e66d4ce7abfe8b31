// server/interactions/response_entry.h
//
// Bundle.entry of a batch-response or transaction-response.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "server/runtime/reply.h"

namespace server {

// "201 Created"
std::string StatusLine(int status);

// What an entry was answered. Empty members are left out.
struct ResponseEntry {
  int status = 200;
  std::string_view location{};
  std::string_view etag{};
  std::string_view last_modified{};  // An instant.
  std::string_view resource{};       // JSON.
  std::string_view outcome{};        // JSON.
};

// Appends it as a JSON object.
void AppendResponseEntry(const ResponseEntry& entry, std::string* out);

// The same for a reply: an OperationOutcome that the server made goes to `outcome`.
void AppendReplyEntry(const Reply& reply, std::string* out);

// The whole answer. `entries` are objects with commas between them.
Reply AnswerResponses(std::string_view type, std::string entries);

}  // namespace server
