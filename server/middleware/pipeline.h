// server/middleware/pipeline.h
//
// What happens to every HTTP request below the base before it is dispatched and
// after it is answered. Entries of a batch do not pass here.
//
// Thread-safety: thread-safe. Nothing here blocks: it runs on the I/O thread.
#pragma once

#include <optional>

#include "server/runtime/reply.h"
#include "server/runtime/request.h"

namespace server {

// A request of which the head has been read; Request::body is still empty.
struct Incoming {
  Request* request = nullptr;
  bool has_body = false;  // A body follows.
};

// Changes the request or answers it.
using BeforeStep = std::optional<Reply> (*)(const Incoming&);
// Sees the request and adds to its reply.
using AfterStep = void (*)(const Request&, Reply*);

// The first answer of a step, or nothing if the request may be dispatched.
std::optional<Reply> BeforeDispatch(const Incoming& incoming);
void AfterReply(const Request& request, Reply* reply);
// For a request that never came to BeforeDispatch: a probe, or one that could not be read.
void AfterEarlyReply(const Request& request, Reply* reply);

}  // namespace server
