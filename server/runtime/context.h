// server/runtime/context.h
//
// What every handler may use. Pointers to things that main() owns and that
// outlive all requests.
//
// Thread-safety: immutable; what it points to is thread-safe.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "fhir/base/time.h"
#include "server/runtime/id_generator.h"
#include "storage/store.h"

namespace server {

struct Context {
  storage::Store* store = nullptr;  // Its snapshots know the search parameters in force.
  IdGenerator* ids = nullptr;
  fhir::TimeZone zone = fhir::TimeZone::Utc();
  // BASE_URL + CONTEXT_PATH: absolute references below it are local. Empty: none was configured.
  std::string base_url;
  std::string version;  // Of the software, for /metadata.
  std::uint32_t default_count = 50;
  std::uint32_t max_count = 10'000;
  std::uint32_t max_includes = 10'000;  // Included resources on one page.
  std::chrono::milliseconds search_max_time{30'000};
  std::int64_t search_max_cost = 100'000'000;  // Keys and resources read by one search.
  std::int64_t search_broad_cost = 50'000;     // A search that reads more is broad.
  bool referential_integrity = true;  // The store enforces it; /metadata and some errors say so.
};

}  // namespace server
