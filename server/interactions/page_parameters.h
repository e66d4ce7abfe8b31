// server/interactions/page_parameters.h
//
// The parameters of paged answers that are not searches: histories and
// $everything.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "fhir/base/result.h"
#include "fhir/search/query.h"
#include "server/interactions/page_link.h"
#include "server/interactions/shape.h"
#include "server/runtime/context.h"
#include "server/runtime/request.h"
#include "storage/store.h"

namespace server {

struct PageParameters {
  std::uint32_t count = 0;  // _count, at most Context::max_count, or the default. 0: no entries.
  bool has_count = false;   // The client set it.
  std::optional<std::int64_t> since_us;  // _since.
  fhir::search::Parameters others;       // Those named in `allowed`, in the order of the URL.
  fhir::search::Parameters applied;      // All of them, for links.
  Shape shape;
  storage::SnapshotPtr snapshot;
  PagePosition position;
  bool from_token = false;
};

// `path` is what links lead to. Parameters in a POSTed body count too.
// Errors: 400, naming the parameter.
fhir::Result<PageParameters> ReadPageParameters(const Request& request, std::string_view path,
                                                std::span<const std::string_view> allowed,
                                                const Context& context);

}  // namespace server
