// server/runtime/pretty.h
//
// _pretty=true (R4 3.1.0.1.12): the answer with line breaks, for people.
#pragma once

#include "server/runtime/reply.h"
#include "server/runtime/request.h"

namespace server {

// Whether the URL, or the form of a search by POST, says _pretty=true.
bool WantsPretty(const Request& request);

// Indents the body, if it is JSON. Cost: some 5 ns a byte.
void MakePretty(Reply* reply);

}  // namespace server
