// server/runtime/log.h
//
// The log: lines on standard error with time and level. Hides the library, so
// that a file that logs does not pay for its headers.
//
// Thread-safety: thread-safe. Blocking: writes to standard error.
#pragma once

#include <string_view>

namespace server {

// Call once, before the first line. REQUIRES: `level` is one that the setting LOG_LEVEL allows.
void InitLog(std::string_view level);

void LogDebug(std::string_view line);
void LogInfo(std::string_view line);
void LogWarning(std::string_view line);
void LogError(std::string_view line);

// False: a debug line need not be built.
bool IsDebugLogged();

}  // namespace server
