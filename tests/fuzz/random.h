// tests/fuzz/random.h
//
// Random choices that are the same in every run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <span>
#include <string>

namespace fuzz {

// Thread-safety: single-owner.
class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}

  // From 0 to `end` - 1. REQUIRES: end > 0.
  std::size_t Below(std::size_t end) { return engine_() % end; }
  bool OneIn(std::size_t n) { return Below(n) == 0; }
  char Byte() { return static_cast<char>(engine_()); }
  template <class Container>
  const auto& Pick(const Container& items) {
    return items[Below(std::size(items))];
  }

 private:
  std::mt19937_64 engine_;
};

// `count`, times KILN_FUZZ_ROUNDS if that is set: for a longer search by hand.
int Rounds(int count);

// Flips, inserts, deletes, repeats and cuts off bytes of `text`, a few times.
void MutateBytes(Random* random, std::string* text);

}  // namespace fuzz
