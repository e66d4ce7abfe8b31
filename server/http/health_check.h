// server/http/health_check.h
//
// The other end of a probe: what `kiln health` asks the server that runs beside it.
#pragma once

#include <chrono>
#include <cstdint>

#include "fhir/base/result.h"

namespace server {

// Asks the server on `port` of the loopback for /health; an answer of 200 is success.
// Blocking: at most `patience`.
// Errors: Internal, one line: nobody answers, not in time, or with another status.
fhir::Result<void> CheckHealth(std::uint16_t port, std::chrono::milliseconds patience);

}  // namespace server
