#include "tests/fuzz/random.h"

#include <algorithm>
#include <cstdlib>

namespace fuzz {
namespace {

// What means something in JSON, URLs, HTTP or UTF-8.
constexpr char kTelling[] =
    "\"\\{}[],:0-9eE.+nt|$&=?#/%;_~<>()'* \r\n\t\0\x01\x7f\x80\xBF\xC3\xED\xF4";

void MutateOnce(Random* random, std::string* text) {
  const std::size_t at = random->Below(text->size() + 1);
  const std::size_t left = text->size() - at;
  switch (random->Below(6)) {
    case 0:
      if (left > 0) (*text)[at] = random->Byte();
      return;
    case 1: text->insert(at, 1, random->Pick(kTelling)); return;
    case 2:
      if (left > 0) (*text)[at] = random->Pick(kTelling);
      return;
    case 3: text->erase(at, 1 + random->Below(8)); return;
    case 4:
      text->insert(at, text->substr(at, std::min<std::size_t>(left, random->Below(64))));
      return;
    case 5:
      if (random->OneIn(8)) text->resize(at);
      return;
  }
}

}  // namespace

int Rounds(int count) {
  const char* factor = std::getenv("KILN_FUZZ_ROUNDS");  // NOLINT(concurrency-mt-unsafe)
  return factor == nullptr ? count : count * std::max(1, std::atoi(factor));
}

void MutateBytes(Random* random, std::string* text) {
  for (std::size_t i = 1 + random->Below(4); i > 0; --i) MutateOnce(random, text);
}

}  // namespace fuzz
