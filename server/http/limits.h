// server/http/limits.h
//
// Every bound on what a client may ask of a connection. MAX_BODY_SIZE is the one
// that operators set.
#pragma once

#include <cstddef>
#include <cstdint>

namespace server {

// The target of a request: long enough for every link, which leads to at most as long a query.
inline constexpr std::size_t kMaxTargetBytes = 1024 * 1024;
inline constexpr std::size_t kMaxHeadBytes = 16 * 1024;     // The rest of a head.
inline constexpr std::size_t kReadBufferBytes = 8 * 1024;   // Kept by every connection.
inline constexpr std::size_t kBodyBufferBytes = 64 * 1024;  // While a large body comes in.

// Bodies up to this size are not counted against the budget of all bodies.
inline constexpr std::size_t kSmallBodyBytes = 64 * 1024;
// Of all large bodies and heads together; at least four of the largest fit.
inline constexpr std::size_t kMaxBufferedBodyBytes = std::size_t{1} << 30;

// Of all large answers that clients have not taken yet. One over it is not sent: reads get a 503;
// what has been written is answered up to twice as much.
inline constexpr std::size_t kMaxBufferedReplyBytes = std::size_t{2} << 30;

inline constexpr std::size_t kMaxConnections = 10'000;
inline constexpr int kListenBacklog = 4'096;

// In seconds of the coarse clock, which ticks once a second.
inline constexpr std::int64_t kIdleSeconds = 60;  // Between two requests.
inline constexpr std::int64_t kDrainingIdleSeconds = 1;
inline constexpr std::int64_t kHeadSeconds = 30;    // From a head's first byte to its last.
inline constexpr std::int64_t kBodySeconds = 120;   // Without a byte of the body.
inline constexpr std::int64_t kWriteSeconds = 120;  // Without a byte taken by the client.
inline constexpr std::int64_t kLingerSeconds = 5;   // For a refused client to read the answer.

// A gathered write: iovecs that Asio hands to one system call, pieces that are cheaper copied
// together, and how much is copied before it is sent.
inline constexpr std::size_t kMaxGatheredBuffers = 64;
inline constexpr std::size_t kJoinBelowBytes = 1'024;
inline constexpr std::size_t kJoinManyBelowBytes =
    16 * 1'024;  // If there are more than fit a call.
inline constexpr std::size_t kJoinedBytes = 256 * 1'024;

}  // namespace server
