// fhir/base/check.h
//
// FHIR_CHECK(condition, "why"): a broken invariant of ours aborts with a
// message, in release too. Never reachable from what a client sends.
#pragma once

#include <cstdio>
#include <cstdlib>

#define FHIR_CHECK(condition, why)                                                                 \
  do {                                                                                             \
    if (!(condition)) [[unlikely]] {                                                               \
      std::fprintf(stderr, "%s:%d: check failed: %s (%s)\n", __FILE__, __LINE__, why, #condition); \
      std::abort();                                                                                \
    }                                                                                              \
  } while (false)
