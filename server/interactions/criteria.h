// server/interactions/criteria.h
//
// The criteria of conditional interactions: what they find in the store, kept
// as an assumption that the commit thread checks again.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "fhir/base/result.h"
#include "fhir/search/expression.h"
#include "server/runtime/context.h"
#include "server/runtime/reply.h"
#include "server/runtime/request.h"
#include "storage/store.h"
#include "storage/transaction.h"

namespace server {

// Parses `query` ("identifier=s|v"; a '?' before it is allowed). Errors: 400, as ParseCriteria.
fhir::Result<fhir::search::Expression> ReadCriteria(const Request& request, const Context& context,
                                                    const fhir::search::Registry& registry,
                                                    std::string_view type, std::string_view query);

// The one resource that matches in the snapshot, or nothing. Adds the assumption to `transaction`,
// which was prepared at this snapshot. Errors: MultipleMatches; as Store::Search.
fhir::Result<std::optional<std::string>> FindOnly(const storage::Store& store,
                                                  const storage::Snapshot& snapshot,
                                                  std::string_view type,
                                                  fhir::search::Expression where,
                                                  const storage::Budget& budget,
                                                  storage::Transaction* transaction);

// Both, for a single interaction: at the newest snapshot, whose search parameters the transaction is
// prepared with.
fhir::Result<std::optional<std::string>> FindByCriteria(const Request& request,
                                                        const Context& context,
                                                        std::string_view type,
                                                        std::string_view query,
                                                        storage::Transaction* transaction);

}  // namespace server
