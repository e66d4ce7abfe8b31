#include "server/runtime/id_generator.h"

#include <algorithm>
#include <random>

namespace server {
namespace {

constexpr std::string_view kAlphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";  // Crockford's base 32.
constexpr std::int64_t kEpochUnixMs = 1'577'836'800'000;                    // 2020-01-01.
constexpr std::uint64_t kMillisecondsMask = (std::uint64_t{1} << 44) - 1;
constexpr std::uint64_t kCounterMask = (std::uint64_t{1} << 36) - 1;

struct ThreadState {
  std::mt19937_64 random{Seed()};
  std::uint64_t milliseconds = 0;  // Of the last id, since kEpochUnixMs.
  std::uint64_t counter = StartOfCounter();

  // Half of the counter's range is left to count on into.
  std::uint64_t StartOfCounter() { return (random() & kCounterMask) >> 1; }

  static std::uint64_t Seed() {
    std::random_device device;
    return (std::uint64_t{device()} << 32) | device();
  }
};

void Advance(ThreadState* state, std::uint64_t now) {
  if (now > state->milliseconds) {
    state->milliseconds = now;
    state->counter = state->StartOfCounter();
  } else if (++state->counter > kCounterMask) {
    ++state->milliseconds;
    state->counter = state->StartOfCounter();
  }
}

}  // namespace

std::string IdGenerator::Next(std::int64_t unix_ms) {
  thread_local ThreadState state;
  const std::int64_t since_epoch = std::max<std::int64_t>(unix_ms - kEpochUnixMs, 0);
  Advance(&state, static_cast<std::uint64_t>(since_epoch) & kMillisecondsMask);
  std::string id(16, '0');
  std::uint64_t counter = state.counter;
  // 44 + 36 bits are 16 digits of 5 bits; the digit between them holds 4 of the one, 1 of the
  // other.
  std::uint64_t high = (state.milliseconds << 1) | (counter >> 35);  // 45 bits: 9 digits.
  for (int i = 8; i >= 0; --i, high >>= 5) id[static_cast<std::size_t>(i)] = kAlphabet[high & 31];
  for (int i = 15; i >= 9; --i, counter >>= 5) {
    id[static_cast<std::size_t>(i)] = kAlphabet[counter & 31];
  }
  return id;
}

}  // namespace server
