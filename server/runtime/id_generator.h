// server/runtime/id_generator.h
//
// Ids that the server gives: 16 characters of [A-Z0-9], in the order of time,
// unique without coordination.
#pragma once

#include <cstdint>
#include <string>

namespace server {

// 80 bits in base 32: 44 of milliseconds since 2020, 36 that are random at first and count on within
// one thread's millisecond. Two processes meet with probability 2^-36 per pair of ids of the same
// millisecond.
//
// Owner: main(). Thread-safety: thread-safe (state is per thread).
class IdGenerator {
 public:
  // `unix_ms` is the request's time; ids of one thread are strictly ascending.
  std::string Next(std::int64_t unix_ms);
};

}  // namespace server
