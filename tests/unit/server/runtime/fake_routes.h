// tests/unit/server/runtime/fake_routes.h
//
// The routes of a test, in the place of server_routing: the first segment of the
// path names the handler.
#pragma once

#include <string>

#include "server/routing/handler.h"

namespace server {

// Routes "name" and "name/…" to `handler`, which lives as long as the test.
void SetFakeRoute(const std::string& name, const Handler* handler);

}  // namespace server
