#include "server/interactions/search_budget.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace server {

SearchBudget::SearchBudget(const Request& request, const Context& context, Lane lane)
    : lane_(lane),
      granted_(lane == Lane::kNarrow ? std::min(context.search_broad_cost, context.search_max_cost)
                                     : context.search_max_cost),
      left_(granted_) {
  budget_.cancelled = request.cancelled;
  budget_.keys_left = &left_;
  budget_.keys_setting = "SEARCH_MAX_COST";
  const auto own = std::chrono::steady_clock::now() + context.search_max_time;
  budget_.deadline = std::min(own, request.deadline);
  if (own <= request.deadline) budget_.deadline_setting = "SEARCH_MAX_TIME";
}

fhir::Result<std::optional<Reply>> SearchBudget::IfNarrow(
    fhir::Result<std::optional<Reply>> answer) const {
  if (!answer && lane_ == Lane::kNarrow && left_ < 0) return std::nullopt;
  return answer;
}

}  // namespace server
