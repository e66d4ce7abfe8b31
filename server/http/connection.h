// server/http/connection.h
//
// One connection: reads requests, has them answered, writes the answers in
// order. The only place where HTTP bytes meet the rest of the server.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "server/http/shard.h"
#include "server/runtime/dispatch.h"
#include "server/runtime/lifecycle.h"

namespace server {

// What all connections share. Owner: the listener. Thread-safety: immutable.
struct HttpEnvironment {
  const Dispatcher* dispatcher = nullptr;
  const Lifecycle* lifecycle = nullptr;
  std::string base_url;                // Without CONTEXT_PATH; empty: from each request.
  std::string context_path;            // "/fhir", or empty for the root.
  std::string cors_allow_origin = {};  // Empty: none.
  std::uint64_t max_body_bytes = 0;
};

// Serves `socket` until one side closes it. Already counted by Admission::TryAddConnection.
// `environment` outlives it. Runs on the shard's thread.
Awaitable<> AsyncServeConnection(Socket socket, std::shared_ptr<Shard> shard,
                                 const HttpEnvironment* environment);

}  // namespace server
