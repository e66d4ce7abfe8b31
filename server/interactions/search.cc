// server/interactions/search.cc -- GET [type]?… and POST [type]/_search (R4 3.1.1).
#include "server/interactions/search.h"

#include <optional>
#include <span>
#include <string>
#include <utility>

#include "server/interactions/bundle_answer.h"
#include "server/interactions/form_body.h"
#include "server/interactions/interaction.h"
#include "server/interactions/preference.h"
#include "server/interactions/query_options.h"
#include "server/routing/outcome.h"

namespace server {
namespace {

using fhir::search::Summary;
using fhir::search::Total;

std::string IgnoredParameters(const std::vector<std::string>& names) {
  std::vector<fhir::Issue> issues;
  issues.reserve(names.size());
  for (const std::string& name : names) {
    issues.push_back(
        {fhir::IssueCode::kNotSupported, "unknown search parameter " + name + " was ignored", {}});
  }
  return OperationOutcome(Severity::kWarning, issues);
}

fhir::Result<Reply> AnswerCount(const Request& request, const Context& context,
                                const SearchPlan& plan, const std::vector<PageLink>& links) {
  FHIR_TRY(total, context.store->Count(*plan.snapshot, plan.query.type, plan.query.where,
                                       BudgetOf(request)));
  if (plan.query.ignored.empty()) return AnswerBundle("searchset", total, links, nullptr);
  BundleEntries entries(request.base_url);
  entries.AddOutcome(IgnoredParameters(plan.query.ignored));
  return AnswerBundle("searchset", total, links, &entries);
}

// Adds the first of `documents` that fit a page, and returns how many.
fhir::Result<std::size_t> AddMatches(const storage::Store& store, const SearchPlan& plan,
                                     std::span<const std::uint64_t> documents,
                                     BundleEntries* entries) {
  std::size_t added = 0;
  const auto read = [&](bool in_order) {
    added = 0;
    entries->Clear();
    return store.ReadDocuments(*plan.snapshot, plan.query.type, documents, in_order,
                               [&](std::size_t position, const storage::ResourceView& view) {
                                 if (entries->IsFull()) return false;
                                 entries->AddMatch(position, view, plan.shape);
                                 ++added;
                                 return true;
                               });
  };
  // Without a sort the documents are in the order of the disk anyway.
  const bool in_order = plan.query.sort.empty();
  entries->Reserve(documents.size());
  FHIR_TRY_VOID(read(in_order));
  // Those read so far are not the first: once more, for the first.
  if (!in_order && added < documents.size()) FHIR_TRY_VOID(read(/*in_order=*/true));
  return added;
}

fhir::Result<Reply> Answer(const Request& request, const Context& context, const SearchPlan& plan) {
  const fhir::search::Query& query = plan.query;
  const PagedQuery paged{request.base_url, query.type, query.applied, context.store->PageSecret()};
  if (query.summary == Summary::kCount) {
    return AnswerCount(request, context, plan,
                       LinksOf(paged, plan.position, plan.from_token, query.count, std::nullopt));
  }
  const storage::PageRequest wanted{plan.position.offset, query.count, query.total != Total::kNone};
  FHIR_TRY(page, context.store->Search(*plan.snapshot, query.type, query.where, query.sort, wanted,
                                       BudgetOf(request)));
  BundleEntries entries(request.base_url);
  FHIR_TRY(added, AddMatches(*context.store, plan, page.documents, &entries));
  if (!query.ignored.empty()) entries.AddOutcome(IgnoredParameters(query.ignored));
  std::optional<std::uint64_t> next;
  if (page.has_next || added < page.documents.size()) next = plan.position.offset + added;
  return AnswerBundle("searchset", page.total,
                      LinksOf(paged, plan.position, plan.from_token, query.count, next), &entries);
}

fhir::Result<Reply> Search(const Request& request, const PathParameters& path,
                           const Context& context) {
  FHIR_TRY(plan, PlanSearch(request, path.type, context));
  return Answer(request, context, plan);
}

}  // namespace

fhir::Result<SearchPlan> PlanSearch(const Request& request, std::string_view type,
                                    const Context& context) {
  FHIR_TRY(parameters, fhir::search::DecodeParameters(request.query));
  if (request.verb == Verb::kPost) FHIR_TRY_VOID(AddFormBody(request, &parameters));
  FHIR_TRY(token, TakePageToken(&parameters));
  SearchPlan plan;
  plan.position.now_ms = request.received_ms;
  if (token) {
    FHIR_TRY(position, DecodePageToken(*token, CanonicalQuery(type, parameters),
                                       context.store->PageSecret()));
    plan.position = position;
    plan.from_token = true;
    FHIR_TRY(snapshot, context.store->At(position.t));
    plan.snapshot = std::move(snapshot);
  } else {
    plan.snapshot = context.store->Latest();
    plan.position.t = storage::TransactionOf(*plan.snapshot);
  }
  FHIR_TRY(query,
           fhir::search::ParseQuery(
               *context.registry, type, parameters,
               QueryOptionsOf(request, context, ParsePreference(request.headers.prefer).lenient,
                              plan.position.now_ms)));
  if (query.summary != Summary::kCount) {
    FHIR_TRY(shape, Shape::Of(type, query.summary, query.elements));
    plan.shape = std::move(shape);
  }
  plan.query = std::move(query);
  return plan;
}

extern const Interaction kSearchType;
const Interaction kSearchType = {.verb = Verb::kGet,
                                 .shape = PathShape::kType,
                                 .handler = {.code = "search-type", .read = &Search},
                                 .listed_as = "search-type"};

extern const Interaction kPostSearch;
const Interaction kPostSearch = {.verb = Verb::kPost,
                                 .shape = PathShape::kTypeSearch,
                                 .handler = {.code = "search-type", .read = &Search},
                                 .listed_as = {}};

}  // namespace server
