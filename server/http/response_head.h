// server/http/response_head.h
//
// The head of an answer, written by hand into a string that is reused (Beast's
// serializer costs as much as all the rest of the server's work on a request).
//
// Thread-safety: pure functions.
#pragma once

#include <string>
#include <string_view>

#include "server/runtime/reply.h"

namespace server {

// What the Connection field says.
enum class Persistence {
  kImplied,    // No field: HTTP/1.1 stays open.
  kKeepAlive,  // HTTP/1.0 that asked to stay open.
  kClose,
};

// Whether a reply of this status may have a body (RFC 9110 6.4.1).
bool MayHaveBody(int status);

// Appends status line, fields and the empty line. `date` is the value of the Date field. Line
// breaks in values become spaces.
void AppendHead(std::string* out, const Reply& reply, std::string_view date,
                Persistence persistence);

}  // namespace server
