#include "server/interactions/search_cost.h"

#include <algorithm>

namespace server {

fhir::Result<std::uint64_t> EstimateCost(const SearchPlan& plan, const Context& context,
                                         const storage::Budget& budget) {
  const fhir::search::Query& common = plan.Common();
  std::uint64_t cost = 0;
  std::uint64_t matches = 0;
  for (const fhir::search::Query& query : plan.queries) {
    if (storage::CountOf(*plan.snapshot, query.type) == 0) continue;
    const storage::PageRequest page{plan.position.offset, common.count, /*want_total=*/true};
    FHIR_TRY(estimate, context.store->Estimate(*plan.snapshot, query.type, query.where, query.sort,
                                               page, budget));
    cost += estimate.keys;
    matches += estimate.documents;
  }
  if (common.summary == fhir::search::Summary::kCount) return cost;
  // The resources of the page, and one lookup for each of them and include.
  return cost + std::min<std::uint64_t>(matches, common.count) * (1 + common.includes.size());
}

}  // namespace server
