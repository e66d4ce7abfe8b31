#include "server/interactions/criteria.h"

#include <utility>
#include <vector>

#include "fhir/search/query.h"
#include "server/interactions/query_options.h"
#include "server/interactions/search_budget.h"

namespace server {

fhir::Result<fhir::search::Expression> ReadCriteria(const Request& request, const Context& context,
                                                    const fhir::search::Registry& registry,
                                                    std::string_view type, std::string_view query) {
  if (query.starts_with('?')) query.remove_prefix(1);
  if (const std::size_t question = query.find('?'); question < query.find('=')) {
    return fhir::Fail(fhir::Invalid("the criteria stand alone, without type and '?', as in " +
                                    std::string(query.substr(question + 1))));
  }
  FHIR_TRY(parameters, fhir::search::DecodeParameters(query));
  return fhir::search::ParseCriteria(
      registry, type, parameters,
      QueryOptionsOf(request, context, /*lenient=*/false, request.received_ms));
}

fhir::Result<std::optional<std::string>> FindOnly(const storage::Store& store,
                                                  const storage::Snapshot& snapshot,
                                                  std::string_view type,
                                                  fhir::search::Expression where,
                                                  const storage::Budget& budget,
                                                  storage::Transaction* transaction) {
  FHIR_TRY(ids, store.FindIds(snapshot, type, where, 2, budget));
  if (ids.size() > 1) {
    return fhir::Fail(fhir::MultipleMatches("several resources of type " + std::string(type) +
                                            " match the criteria"));
  }
  std::optional<std::string> found;
  if (!ids.empty()) found = ids.front();
  transaction->assumptions.push_back({std::string(type), std::move(where), found.value_or("")});
  return found;
}

fhir::Result<std::optional<std::string>> FindByCriteria(const Request& request,
                                                        const Context& context,
                                                        std::string_view type,
                                                        std::string_view query,
                                                        storage::Transaction* transaction) {
  const storage::SnapshotPtr snapshot = context.store->Latest();
  transaction->registry = storage::SharedRegistryOf(*snapshot);
  FHIR_TRY(where, ReadCriteria(request, context, *transaction->registry, type, query));
  transaction->prepared_at = storage::TransactionOf(*snapshot);
  const SearchBudget budget(request, context);
  return FindOnly(*context.store, *snapshot, type, std::move(where), budget.Get(), transaction);
}

}  // namespace server
