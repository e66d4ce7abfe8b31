// server/interactions/search.cc -- searches (R4 3.1.1): GET [type]?…, GET [base]?_type=…, GET
// [compartment]/[id]/[type]?…, and by POST to _search behind each.
#include "server/interactions/search.h"

#include <utility>

#include "server/interactions/form_body.h"
#include "server/interactions/interaction.h"
#include "server/interactions/preference.h"
#include "server/interactions/query_options.h"
#include "server/interactions/search_cost.h"
#include "server/interactions/search_scope.h"
#include "server/interactions/stored_terminology.h"

namespace server {
namespace {

fhir::Result<Reply> Search(const Request& request, const PathParameters& path,
                           const Context& context) {
  const SearchBudget budget(request, context);
  FHIR_TRY(plan, PlanSearch(request, path, context, budget.Get()));
  return AnswerSearch(request, context, plan, budget);
}

fhir::Result<std::optional<Reply>> AnswerIfNarrow(const Request& request,
                                                  const PathParameters& path,
                                                  const Context& context,
                                                  const SearchBudget& budget) {
  FHIR_TRY(plan, PlanSearch(request, path, context, budget.Get()));
  FHIR_TRY(cost, EstimateCost(plan, context, budget.Get()));
  if (cost > static_cast<std::uint64_t>(context.search_broad_cost)) return std::nullopt;
  FHIR_TRY(reply, AnswerSearch(request, context, plan, budget));
  return std::optional<Reply>(std::move(reply));
}

fhir::Result<std::optional<Reply>> SearchIfNarrow(const Request& request,
                                                  const PathParameters& path,
                                                  const Context& context) {
  const SearchBudget budget(request, context, SearchBudget::Lane::kNarrow);
  return budget.IfNarrow(AnswerIfNarrow(request, path, context, budget));
}

// A parameter that does not work yet does not work in part either.
fhir::Result<void> CheckIncludes(const SearchPlan& plan) {
  for (const fhir::search::Include& include : plan.Common().includes) {
    FHIR_TRY_VOID(storage::CheckComplete(*plan.snapshot, include.references));
  }
  return {};
}

// The one type that the answer can show; empty if there may be others.
std::string_view TypeShown(const SearchPlan& plan) {
  const bool is_one = plan.queries.size() == 1 && plan.Common().includes.empty();
  return is_one ? plan.Common().type : std::string_view();
}

constexpr Handler kTypeHandler = {
    .code = "search-type", .read = &Search, .read_narrow = &SearchIfNarrow};
constexpr Handler kSystemHandler = {
    .code = "search-system", .read = &Search, .read_narrow = &SearchIfNarrow};
constexpr Handler kCompartmentHandler = {
    .code = "search-compartment", .read = &Search, .read_narrow = &SearchIfNarrow};

}  // namespace

fhir::Result<SearchPlan> PlanSearch(const Request& request, const PathParameters& path,
                                    const Context& context, const storage::Budget& budget) {
  FHIR_TRY(parameters, fhir::search::DecodeParameters(request.query));
  if (request.verb == Verb::kPost) FHIR_TRY_VOID(AddFormBody(request, &parameters));
  FHIR_TRY(token, TakePageToken(&parameters));
  SearchPlan plan;
  plan.position.now_ms = request.received_ms;
  storage::SnapshotPtr newest = context.store->Latest();
  const SearchScope scope = ScopeOf(storage::RegistryOf(*newest), path);
  plan.path = scope.path;
  if (token) {
    FHIR_TRY(position, DecodePageToken(*token, CanonicalQuery(plan.path, parameters),
                                       context.store->PageSecret()));
    plan.position = position;
    plan.from_token = true;
    FHIR_TRY(snapshot, context.store->At(position.t));
    plan.snapshot = std::move(snapshot);
  } else {
    plan.snapshot = std::move(newest);
    plan.position.t = storage::TransactionOf(*plan.snapshot);
  }
  auto terminology = MakeStoredTerminology(context, *plan.snapshot, budget);
  auto options = QueryOptionsOf(request, context, ParsePreference(request.headers.prefer).lenient,
                                plan.position.now_ms);
  options.terminology = &terminology;
  FHIR_TRY(queries, ParseQueries(storage::RegistryOf(*plan.snapshot), scope, std::move(parameters),
                                 options));
  plan.queries = std::move(queries);
  FHIR_TRY_VOID(CheckIncludes(plan));
  const fhir::search::Query& common = plan.Common();
  if (common.summary != fhir::search::Summary::kCount) {
    FHIR_TRY(shape, Shape::Of(TypeShown(plan), common.summary, common.elements));
    plan.shape = std::move(shape);
  }
  return plan;
}

extern const Interaction kSearchType;
const Interaction kSearchType = {.verb = Verb::kGet,
                                 .shape = PathShape::kType,
                                 .handler = kTypeHandler,
                                 .listed_as = "search-type"};

extern const Interaction kPostSearch;
const Interaction kPostSearch = {
    .verb = Verb::kPost, .shape = PathShape::kTypeSearch, .handler = kTypeHandler, .listed_as = {}};

extern const Interaction kSearchSystem;
const Interaction kSearchSystem = {.verb = Verb::kGet,
                                   .shape = PathShape::kBase,
                                   .handler = kSystemHandler,
                                   .listed_as = "search-system"};

extern const Interaction kPostSearchSystem;
const Interaction kPostSearchSystem = {.verb = Verb::kPost,
                                       .shape = PathShape::kSystemSearch,
                                       .handler = kSystemHandler,
                                       .listed_as = {}};

// Listed as CapabilityStatement.rest.compartment.
extern const Interaction kSearchCompartment;
const Interaction kSearchCompartment = {.verb = Verb::kGet,
                                        .shape = PathShape::kCompartment,
                                        .handler = kCompartmentHandler,
                                        .listed_as = {}};

extern const Interaction kPostSearchCompartment;
const Interaction kPostSearchCompartment = {.verb = Verb::kPost,
                                            .shape = PathShape::kCompartmentSearch,
                                            .handler = kCompartmentHandler,
                                            .listed_as = {}};

}  // namespace server
