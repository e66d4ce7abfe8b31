// server/interactions/search.h
//
// A search up to the point where the store is asked.
#pragma once

#include <string_view>

#include "fhir/base/result.h"
#include "fhir/search/query.h"
#include "server/interactions/page_link.h"
#include "server/interactions/shape.h"
#include "server/runtime/context.h"
#include "server/runtime/request.h"
#include "storage/store.h"

namespace server {

struct SearchPlan {
  fhir::search::Query query;
  Shape shape;
  storage::SnapshotPtr snapshot;
  PagePosition position;
  bool from_token = false;  // The client followed a page link.
};

// Errors: 400, as ParseQuery, and for a page token that is not ours.
fhir::Result<SearchPlan> PlanSearch(const Request& request, std::string_view type,
                                    const Context& context);

}  // namespace server
