// server/runtime/process.h
//
// What the process asks of the operating system: stop signals and file
// descriptors.
#pragma once

#include <cstddef>

namespace server {

// Makes SIGTERM and SIGINT wait for WaitForStopSignal, in this thread and in all that it starts
// later. Call first in main().
void BlockStopSignals();

// Returns when one of them arrived. Blocking.
void WaitForStopSignal();

// Raises the limit of open files as far as the system allows, and returns it.
std::size_t RaiseOpenFileLimit();

}  // namespace server
