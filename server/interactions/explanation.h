// server/interactions/explanation.h
//
// What __explain=true adds to a search's answer: how it was found, as an
// OperationOutcome that a person reads from top to bottom. An issue says what the
// search took; one follows for each node of each type's expression, numbered as a
// tree; then sort keys, includes, and what explaining took.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "fhir/base/result.h"
#include "server/interactions/search.h"
#include "server/runtime/context.h"
#include "storage/store.h"

namespace server {

// What an answered search took.
struct SearchFacts {
  std::size_t matches = 0;  // On the page.
  std::optional<std::uint64_t> total;
  std::uint64_t included = 0;
  std::chrono::nanoseconds finding{0};
  std::chrono::nanoseconds reading{0};
  std::chrono::nanoseconds including{0};
  std::int64_t cost = 0;  // Keys and resources read.
};

// Errors: as Store::Explain. Blocking: reads the disk. Cost: a count for each node.
fhir::Result<std::string> Explain(const SearchPlan& plan, const Context& context,
                                  const SearchFacts& facts, const storage::Budget& budget);

}  // namespace server
