// server/admin/health.h
//
// Probes, outside of the FHIR interface: /health and /readyz say whether requests
// are welcome, /livez whether the process is there at all.
//
// Thread-safety: thread-safe. Does not block.
#pragma once

#include <optional>
#include <string_view>

#include "server/runtime/lifecycle.h"
#include "server/runtime/reply.h"
#include "server/runtime/request.h"

namespace server {

// The answer to a path from the root ("/health"), or nothing if it is none of the probes'.
std::optional<Reply> AnswerProbe(Verb verb, std::string_view path, const Lifecycle& lifecycle);

}  // namespace server
