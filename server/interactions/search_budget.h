// server/interactions/search_budget.h
//
// What one search may take: the time and the reads that the settings allow
// (SEARCH_MAX_TIME, SEARCH_MAX_COST), and in the narrow lane no more reads than a
// broad search begins with (SEARCH_BROAD_COST). Everything that the search does
// counts: terminology, all its types, includes, explaining.
//
// Owner: one search. Thread-safety: single-owner.
#pragma once

#include <cstdint>
#include <optional>

#include "fhir/base/result.h"
#include "server/runtime/context.h"
#include "server/runtime/reply.h"
#include "server/runtime/request.h"
#include "storage/store.h"

namespace server {

class SearchBudget {
 public:
  enum class Lane { kBroad, kNarrow };

  // The time begins now. `request` outlives the budget.
  SearchBudget(const Request& request, const Context& context, Lane lane = Lane::kBroad);
  SearchBudget(const SearchBudget&) = delete;
  SearchBudget& operator=(const SearchBudget&) = delete;

  const storage::Budget& Get() const { return budget_; }
  // Keys and resources that were read so far.
  std::int64_t Spent() const { return granted_ - left_; }

  // What a handler's read_narrow returns: nothing instead of the error that the search is not as
  // narrow as was guessed.
  fhir::Result<std::optional<Reply>> IfNarrow(fhir::Result<std::optional<Reply>> answer) const;

 private:
  const Lane lane_;
  const std::int64_t granted_;
  std::int64_t left_;
  storage::Budget budget_;
};

}  // namespace server
