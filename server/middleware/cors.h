// server/middleware/cors.h
//
// What lets pages of another origin use the server from a browser (the Fetch standard, "CORS
// protocol").
#pragma once

#include <string>

#include "server/runtime/reply.h"
#include "server/runtime/request.h"

namespace server {

// Adds to `reply` that pages of `origin` (CORS_ALLOW_ORIGIN) may read it, and to the answer of a
// preflight what they may send. Nothing if `origin` is empty.
void AllowOrigin(const std::string& origin, Verb verb, Reply* reply);

}  // namespace server
