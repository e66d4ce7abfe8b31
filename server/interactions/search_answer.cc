// server/interactions/search_answer.cc -- from a planned search to its bundle.
#include <algorithm>
#include <chrono>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "server/interactions/bundle_answer.h"
#include "server/interactions/distance.h"
#include "server/interactions/explanation.h"
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

// Sets `*time` to what passes until Stop.
class Stopwatch {
 public:
  explicit Stopwatch(std::chrono::nanoseconds* time)
      : time_(time), start_(std::chrono::steady_clock::now()) {}
  void Stop() const { *time_ = std::chrono::steady_clock::now() - start_; }

 private:
  std::chrono::nanoseconds* time_;
  std::chrono::steady_clock::time_point start_;
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
void AddCut(BundleEntries* entries) {
  const fhir::Issue issue{fhir::IssueCode::kTooCostly,
                          "more resources are included than one page takes; the link 'next' goes "
                          "on with the others",
                          {}};
  entries->AddOutcome(OperationOutcome(Severity::kWarning, {&issue, 1}));
}

// One page of a search, over all its types as if their matches were one list.
class Answer {
 public:
  Answer(const Request& request, const Context& context, const SearchPlan& plan,
         const SearchBudget& budget)
      : context_(context),
        plan_(plan),
        common_(plan.Common()),
        search_budget_(budget),
        budget_(budget.Get()),
        paged_{request.base_url, plan.path, common_.applied, context.store->PageSecret(),
               context.max_includes},
        entries_(request.base_url) {}

  fhir::Result<Reply> Count();
  fhir::Result<Reply> Page();

 private:
  fhir::Result<Matches> FindMatches() const;
  fhir::Result<void> AddMatches(const Matches& matches);
  fhir::Result<void> ReadMatches(const Matches& matches, bool in_order);
  // How many of all included resources were shown when this page ends; nothing if that is all.
  fhir::Result<std::optional<std::uint64_t>> AddIncluded(Inclusion* inclusion);
  fhir::Result<std::vector<PageLink>> Links(const std::optional<NextPage>& next) const {
    return LinksOf(paged_, plan_.position, plan_.from_token, common_.count, next);
  }
  // What is to be said about the search, behind its entries.
  fhir::Result<void> AddOutcomes();
  // The page goes on with what the matches before include, and shows none.
  bool IsContinued() const { return plan_.position.matches > 0; }

  const Context& context_;
  const SearchPlan& plan_;
  const Query& common_;
  const SearchBudget& search_budget_;
  const storage::Budget& budget_;
  const PagedQuery paged_;
  BundleEntries entries_;
  SearchFacts facts_;
  std::uint64_t read_ = 0;  // Matches of the page, as far as it has room.
  std::optional<Inclusion> inclusion_;
};

fhir::Result<void> Answer::AddOutcomes() {
  AddIgnored(common_.ignored, &entries_);
  if (!common_.explain) return {};
  facts_.cost = search_budget_.Spent();
  FHIR_TRY(explanation, Explain(plan_, context_, facts_, budget_));
  entries_.AddOutcome(explanation);
  return {};
}

fhir::Result<Reply> Answer::Count() {
  const Stopwatch finding(&facts_.finding);
  std::uint64_t total = 0;
  for (const Query& query : plan_.queries) {
    FHIR_TRY(count, context_.store->Count(*plan_.snapshot, query.type, query.where, budget_));
    total += count;
  }
  finding.Stop();
  facts_.total = total;
  FHIR_TRY_VOID(AddOutcomes());
  FHIR_TRY(links, Links(std::nullopt));
  return AnswerBundle("searchset", total, links, &entries_);
}

fhir::Result<Matches> Answer::FindMatches() const {
  const bool is_only = plan_.queries.size() == 1;
  const bool want_total = common_.total != Total::kNone;
  const std::uint64_t offset = plan_.position.offset;
  const std::uint64_t limit = IsContinued() ? plan_.position.matches : common_.count;
  Matches matches;
  std::uint64_t before = 0;  // Matches of the types so far.
  for (const Query& query : plan_.queries) {
    if (!is_only && storage::CountOf(*plan_.snapshot, query.type) == 0) continue;
    const storage::PageRequest wanted{offset - std::min(offset, before),
                                      static_cast<std::uint32_t>(limit - matches.count),
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

// Adds the first of them that fit the page.
fhir::Result<void> Answer::AddMatches(const Matches& matches) {
  if (IsContinued() && common_.includes.empty()) return {};
  // Without a sort the documents are in the order of the disk anyway.
  const bool in_order = common_.sort.empty();
  FHIR_TRY_VOID(ReadMatches(matches, in_order));
  // Those read so far are not the first: once more, for the first.
  if (!in_order && read_ < matches.count) FHIR_TRY_VOID(ReadMatches(matches, /*in_order=*/true));
  return {};
}

fhir::Result<void> Answer::ReadMatches(const Matches& matches, bool in_order) {
  entries_.Clear();
  entries_.Reserve(IsContinued() ? 0 : matches.count);
  if (!common_.includes.empty()) {
    inclusion_.emplace(context_, *plan_.snapshot, common_.includes, budget_);
  }
  read_ = 0;
  std::size_t first = 0;
  for (const auto& [query, documents] : matches.by_type) {
    const std::vector<fhir::GeoPoint> centres = CentresOf(query->where);
    FHIR_TRY_VOID(storage::ChargeBudget(budget_, static_cast<std::int64_t>(documents.size())));
    FHIR_TRY_VOID(
        context_.store->ReadDocuments(*plan_.snapshot, query->type, documents, in_order,
                                      [&](std::size_t position, const storage::ResourceView& view) {
                                        if (entries_.IsFull()) return false;
                                        if (!IsContinued())
                                          entries_.AddMatch(first + position, view, plan_.shape,
                                                            DistanceExtension(centres, view));
                                        if (inclusion_)
                                          inclusion_->AddMatch(documents[position], view);
                                        ++read_;
                                        return true;
                                      }));
    first += documents.size();
    if (read_ < first) break;
  }
  return {};
}

fhir::Result<std::optional<std::uint64_t>> Answer::AddIncluded(Inclusion* inclusion) {
  const std::uint64_t begin = plan_.position.included;
  const std::uint64_t end = begin + context_.max_includes;
  FHIR_TRY(found, inclusion->Find(end + 1));
  const std::size_t shown = std::min<std::size_t>(found.size(), end);
  const std::span<const FoundDocument> documents =
      std::span<const FoundDocument>(found).first(shown).subspan(
          std::min<std::size_t>(begin, shown));
  // _elements name elements of the type that is searched.
  const Shape shape = common_.elements.empty() ? plan_.shape : Shape();
  const std::size_t first = IsContinued() ? 0 : read_;
  std::uint64_t behind = begin;
  entries_.Reserve(documents.size());
  FHIR_TRY_VOID(ReadFound(*context_.store, *plan_.snapshot, documents, budget_,
                          [&](std::size_t position, const storage::ResourceView& view) {
                            if (entries_.IsFull()) return false;
                            entries_.AddIncluded(first + position, view, shape);
                            ++behind;
                            return true;
                          }));
  facts_.included = behind - begin;
  return behind < found.size() ? std::optional(behind) : std::nullopt;
}

fhir::Result<Reply> Answer::Page() {
  const Stopwatch finding(&facts_.finding);
  FHIR_TRY(matches, FindMatches());
  finding.Stop();
  const Stopwatch reading(&facts_.reading);
  FHIR_TRY_VOID(AddMatches(matches));
  reading.Stop();
  facts_.matches = IsContinued() ? 0 : read_;
  facts_.total = matches.total;
  const std::uint64_t offset = plan_.position.offset;
  std::optional<NextPage> next;
  if (matches.has_next || read_ < matches.count) next = offset + read_;
  if (inclusion_) {
    const Stopwatch including(&facts_.including);
    FHIR_TRY(behind, AddIncluded(&*inclusion_));
    including.Stop();
    if (behind) {
      AddCut(&entries_);
      next = NextPage(offset, read_, *behind);
    }
  }
  FHIR_TRY_VOID(AddOutcomes());
  FHIR_TRY(links, Links(next));
  return AnswerBundle("searchset", matches.total, links, &entries_);
}

}  // namespace

fhir::Result<Reply> AnswerSearch(const Request& request, const Context& context,
                                 const SearchPlan& plan, const SearchBudget& budget) {
  Answer answer(request, context, plan, budget);
  return plan.Common().summary == Summary::kCount ? answer.Count() : answer.Page();
}

}  // namespace server
