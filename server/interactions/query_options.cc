#include "server/interactions/query_options.h"

namespace server {
namespace {

constexpr std::chrono::seconds kLongestSearch{30};

}  // namespace

fhir::search::QueryOptions QueryOptionsOf(const Request& request, const Context& context,
                                          bool lenient, std::int64_t now_ms) {
  fhir::search::QueryOptions options;
  options.lenient = lenient;
  options.default_count = context.default_count;
  options.max_count = context.max_count;
  options.zone = context.zone;
  options.base_url = request.base_url;
  options.now_us = now_ms * 1000;
  return options;
}

storage::Budget BudgetOf(const Request& request) {
  storage::Budget budget{request.deadline, request.cancelled};
  if (budget.deadline == std::chrono::steady_clock::time_point::max()) {
    budget.deadline = std::chrono::steady_clock::now() + kLongestSearch;
  }
  return budget;
}

fhir::Result<void> CheckBudget(const storage::Budget& budget) {
  if (budget.cancelled != nullptr && budget.cancelled->load(std::memory_order_relaxed)) {
    return fhir::Fail(fhir::TooCostly("the client is gone"));
  }
  if (std::chrono::steady_clock::now() < budget.deadline) return {};
  return fhir::Fail(fhir::TooCostly("the request takes longer than the server allows"));
}

fhir::search::ExtractOptions ExtractOptionsOf(const Context& context) {
  return {context.zone, context.base_url};
}

}  // namespace server
