// server/interactions/search.h
//
// A search up to the point where the store is asked, and its answer.
#pragma once

#include <string>
#include <vector>

#include "fhir/base/result.h"
#include "fhir/search/query.h"
#include "server/interactions/page_link.h"
#include "server/interactions/search_budget.h"
#include "server/interactions/shape.h"
#include "server/routing/handler.h"
#include "server/runtime/context.h"
#include "server/runtime/request.h"
#include "storage/store.h"

namespace server {

struct SearchPlan {
  std::string path;  // What links lead to.
  // One for each type that is searched, in the order of the result; at least one.
  std::vector<fhir::search::Query> queries;
  Shape shape;
  storage::SnapshotPtr snapshot;
  PagePosition position;
  bool from_token = false;  // The client followed a page link.

  // What all queries have in common: all but type, where and sort.
  const fhir::search::Query& Common() const { return queries.front(); }
};

// REQUIRES: `path` is of a shape that is searched.
// Errors: 400, as ParseQueries, and for a page token that is not ours.
fhir::Result<SearchPlan> PlanSearch(const Request& request, const PathParameters& path,
                                    const Context& context, const storage::Budget& budget);

// Errors: TooCostly, timeout. Blocking: reads the disk.
fhir::Result<Reply> AnswerSearch(const Request& request, const Context& context,
                                 const SearchPlan& plan, const SearchBudget& budget);

}  // namespace server
