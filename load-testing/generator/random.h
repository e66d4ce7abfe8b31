// load-testing/generator/random.h
//
// Random numbers that are the same on every machine: integers, and doubles
// made of them by operations that IEEE 754 defines to the bit.
#pragma once

#include <cstddef>
#include <cstdint>

#include "load-testing/generator/tables.h"

namespace load_testing {

// SplitMix64. Thread-safety: single-owner.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t Next() {
    state_ += 0x9E3779B97F4A7C15U;
    std::uint64_t bits = state_;
    bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9U;
    bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EBU;
    return bits ^ (bits >> 31);
  }

  // In [0, 1).
  double Uniform() { return static_cast<double>(Next() >> 11) * 0x1p-53; }

  // In [0, limit). REQUIRES: limit > 0.
  std::size_t Below(std::size_t limit) { return static_cast<std::size_t>(Next() % limit); }

  bool Chance(double probability) { return Uniform() < probability; }

  // At least 1, with this mean: geometrically distributed, or evenly where there are many.
  int CountOfMean(double mean) {
    if (mean > 10) return 1 + static_cast<int>(Below(static_cast<std::size_t>(2 * mean - 1)));
    int count = 1;
    while (count < 200 && Uniform() * mean < mean - 1) ++count;
    return count;
  }

  double Draw(const Quantiles& quantiles) { return At(quantiles, Uniform()); }

  // The value below which the part `fraction` in [0, 1) lies.
  static double At(const Quantiles& quantiles, double fraction) {
    const double position = fraction * static_cast<double>(quantiles.size() - 1);
    const auto step = static_cast<std::size_t>(position);
    const double within = position - static_cast<double>(step);
    return quantiles[step] + (quantiles[step + 1] - quantiles[step]) * within;
  }

 private:
  std::uint64_t state_;
};

}  // namespace load_testing
