// server/interactions/search_answer.cc -- from a planned search to its bundle.
#include <algorithm>
#include <string>
#include <utility>

#include "server/interactions/bundle_answer.h"
#include "server/interactions/inclusion.h"
#include "server/interactions/query_options.h"
#include "server/interactions/search.h"
#include "server/routing/outcome.h"

namespace server {
namespace {

using fhir::search::Query;
using fhir::search::Summary;
using fhir::search::Total;

// The matches of one type on a page.
struct MatchesOfType {
  const Query* query;
  std::vector<std::uint64_t> documents;
};

struct Matches {
  std::vector<MatchesOfType> by_type;
  std::size_t count = 0;  // Of the page.
  bool has_next = false;
  std::optional<std::uint64_t> total;
};

struct Included {
  std::vector<FoundDocument> documents;
  bool has_more = false;
};

void AddIgnored(const std::vector<std::string>& names, BundleEntries* entries) {
  if (names.empty()) return;
  std::vector<fhir::Issue> issues;
  issues.reserve(names.size());
  for (const std::string& name : names) {
    issues.push_back(
        {fhir::IssueCode::kNotSupported, "unknown search parameter " + name + " was ignored", {}});
  }
  entries->AddOutcome(OperationOutcome(Severity::kWarning, issues));
}

// Included resources that are left out are never left out silently.
void AddCut(std::uint32_t limit, BundleEntries* entries) {
  const fhir::Issue issue{fhir::IssueCode::kTooCostly,
                          "more than " + std::to_string(limit) +
                              " resources are included; the link 'next' goes on with the others",
                          {}};
  entries->AddOutcome(OperationOutcome(Severity::kWarning, {&issue, 1}));
}

// Collects the matches of several types as if they were one list.
class Answer {
 public:
  Answer(const Request& request, const Context& context, const SearchPlan& plan)
      : context_(context),
        plan_(plan),
        common_(plan.Common()),
        budget_(BudgetOf(request)),
        paged_{request.base_url, plan.path, common_.applied, context.store->PageSecret()},
        entries_(request.base_url) {}

  fhir::Result<Reply> Count();
  fhir::Result<Reply> Page();

 private:
  fhir::Result<Matches> FindMatches() const;
  fhir::Result<void> ReadMatches(const Matches& matches, Inclusion* inclusion);
  fhir::Result<Included> FindIncluded(Inclusion* inclusion) const;
  fhir::Result<void> ReadIncluded(const Included& included);
  std::vector<PageLink> Links(Next next) const {
    return LinksOf(paged_, plan_.position, plan_.from_token, common_.count, next,
                   context_.max_includes);
  }
  // The page goes on with what the matches before include, and shows none.
  bool IsContinued() const { return plan_.position.included > 0; }

  const Context& context_;
  const SearchPlan& plan_;
  const Query& common_;
  const storage::Budget budget_;
  const PagedQuery paged_;
  BundleEntries entries_;
  std::size_t shown_ = 0;  // Matches in entries_.
};

fhir::Result<Reply> Answer::Count() {
  std::uint64_t total = 0;
  for (const Query& query : plan_.queries) {
    FHIR_TRY(count, context_.store->Count(*plan_.snapshot, query.type, query.where, budget_));
    total += count;
  }
  AddIgnored(common_.ignored, &entries_);
  return AnswerBundle("searchset", total, Links(Next::kNothing), &entries_);
}

fhir::Result<Matches> Answer::FindMatches() const {
  const bool is_only = plan_.queries.size() == 1;
  const bool want_total = common_.total != Total::kNone;
  const std::uint64_t offset = plan_.position.offset;
  Matches matches;
  std::uint64_t before = 0;  // Matches of the types so far.
  for (const Query& query : plan_.queries) {
    if (!is_only && storage::CountOf(*plan_.snapshot, query.type) == 0) continue;
    const storage::PageRequest wanted{offset - std::min(offset, before),
                                      static_cast<std::uint32_t>(common_.count - matches.count),
                                      want_total || !is_only};
    FHIR_TRY(page, context_.store->Search(*plan_.snapshot, query.type, query.where, query.sort,
                                          wanted, budget_));
    matches.count += page.documents.size();
    matches.has_next = matches.has_next || page.has_next;
    if (!page.documents.empty()) matches.by_type.push_back({&query, std::move(page.documents)});
    if (page.total) before += *page.total;
    if (matches.has_next && !want_total) break;
  }
  if (want_total) matches.total = before;
  return matches;
}

fhir::Result<void> Answer::ReadMatches(const Matches& matches, Inclusion* inclusion) {
  if (IsContinued() && inclusion == nullptr) return {};
  entries_.Reserve(matches.count);
  std::size_t first = 0;
  for (const auto& [query, documents] : matches.by_type) {
    // Without a sort the documents are in the order of the disk anyway.
    FHIR_TRY_VOID(context_.store->ReadDocuments(
        *plan_.snapshot, query->type, documents, /*in_order=*/query->sort.empty(),
        [&](std::size_t position, const storage::ResourceView& view) {
          if (!IsContinued()) entries_.AddMatch(first + position, view, plan_.shape);
          if (inclusion != nullptr) inclusion->AddMatch(documents[position], view);
        }));
    first += documents.size();
  }
  if (!IsContinued()) shown_ = matches.count;
  return {};
}

fhir::Result<Included> Answer::FindIncluded(Inclusion* inclusion) const {
  const std::uint64_t begin = plan_.position.included;
  const std::uint64_t end = begin + context_.max_includes;
  FHIR_TRY(found, inclusion->Find(end + 1));
  Included included;
  included.has_more = found.size() > end;
  for (std::uint64_t i = begin; i < std::min<std::uint64_t>(end, found.size()); ++i) {
    included.documents.push_back(found[i]);
  }
  return included;
}

fhir::Result<void> Answer::ReadIncluded(const Included& included) {
  // _elements name elements of the type that is searched.
  const Shape shape = common_.elements.empty() ? plan_.shape : Shape();
  entries_.Reserve(included.documents.size());
  return ReadFound(*context_.store, *plan_.snapshot, included.documents, budget_,
                   [&](std::size_t position, const storage::ResourceView& view) {
                     entries_.AddIncluded(shown_ + position, view, shape);
                   });
}

fhir::Result<Reply> Answer::Page() {
  FHIR_TRY(matches, FindMatches());
  std::optional<Inclusion> inclusion;
  if (!common_.includes.empty()) {
    inclusion.emplace(context_, *plan_.snapshot, common_.includes, budget_);
  }
  FHIR_TRY_VOID(ReadMatches(matches, inclusion ? &*inclusion : nullptr));
  Next next = matches.has_next ? Next::kMatches : Next::kNothing;
  if (inclusion) {
    FHIR_TRY(included, FindIncluded(&*inclusion));
    FHIR_TRY_VOID(ReadIncluded(included));
    if (included.has_more) {
      AddCut(context_.max_includes, &entries_);
      next = Next::kIncluded;
    }
  }
  AddIgnored(common_.ignored, &entries_);
  return AnswerBundle("searchset", matches.total, Links(next), &entries_);
}

}  // namespace

fhir::Result<Reply> AnswerSearch(const Request& request, const Context& context,
                                 const SearchPlan& plan) {
  Answer answer(request, context, plan);
  return plan.Common().summary == Summary::kCount ? answer.Count() : answer.Page();
}

}  // namespace server
