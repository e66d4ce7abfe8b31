// server/routing/capabilities.h
//
// GET metadata: the CapabilityStatement, made from the lists that the router
// reads and from the search parameters' registry.
#pragma once

#include <cstdint>
#include <string>

#include "server/routing/handler.h"
#include "server/runtime/context.h"

namespace server {

// Without implementation.url, which each answer says for itself. `date_ms`, Unix time, is when this
// server began to be as described. `snapshot`: whose search parameters, as far as they work then.
std::string CapabilityStatement(const Context& context, const storage::Snapshot& snapshot,
                                std::int64_t date_ms);

// Makes the statement at the first request and keeps it: a process has one Context.
const Handler& CapabilitiesHandler();

}  // namespace server
