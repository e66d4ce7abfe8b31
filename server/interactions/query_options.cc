#include "server/interactions/query_options.h"

namespace server {
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
  return {.deadline = request.deadline, .cancelled = request.cancelled};
}

fhir::search::ExtractOptions ExtractOptionsOf(const Context& context) {
  return {context.zone, context.base_url};
}

}  // namespace server
