// server/operations/everything.cc -- Patient/[id]/$everything: the patient's compartment and what
// its resources refer to, each resource once. Pages are places in one list at one snapshot: the
// members of the compartment, patient first, then the others; so each page reads the compartment
// again, which lies together on disk.
#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "fhir/definitions/definitions.h"
#include "server/interactions/bundle_answer.h"
#include "server/interactions/page_parameters.h"
#include "server/interactions/query_options.h"
#include "server/interactions/search_budget.h"
#include "server/operations/everything_members.h"
#include "server/operations/operation.h"

namespace server {
namespace {

// How many resources are read between two looks at the time.
constexpr std::size_t kReadStep = 4096;
// The same for resources that are looked up by their ids.
constexpr std::int64_t kAskStep = 256;

struct TextHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const {
    return std::hash<std::string_view>()(text);
  }
};
using TextSet = std::unordered_set<std::string, TextHash, std::equal_to<>>;

// "Patient/x" of "Patient/x/_history/2".
std::string_view WithoutVersion(std::string_view reference) {
  return reference.substr(0, reference.find("/_history/"));
}

// Reads the list and keeps what lies in the page.
class Reader {
 public:
  Reader(const Request& request, const Context& context, const PageParameters& page,
         const EverythingFilter& filter, const storage::Budget& budget)
      : store_(*context.store),
        snapshot_(*page.snapshot),
        filter_(filter),
        budget_(budget),
        begin_(page.position.offset),
        end_(page.position.offset + page.count),
        shape_(page.shape),
        entries_(request.base_url) {}

  fhir::Result<void> AddMembers(const std::vector<DocumentsOfType>& members);
  // What the members refer to. REQUIRES: after AddMembers.
  fhir::Result<void> AddReferredTo();

  // Resources in the list so far, whether in the page or not.
  std::uint64_t Total() const { return total_; }
  // Where the next page begins, if there is one.
  std::optional<std::uint64_t> Next() const {
    return total_ > end_ ? std::optional(end_) : std::nullopt;
  }
  BundleEntries* Entries() { return &entries_; }

 private:
  fhir::Result<void> Read(std::string_view type, std::span<const std::uint64_t> documents,
                          bool collect_references);
  void Visit(std::uint64_t position, const storage::ResourceView& view, bool collect_references);
  // By type, as far as they exist.
  using DocumentsByType = std::map<std::string_view, std::vector<std::uint64_t>>;
  fhir::Result<DocumentsByType> FindReferredTo() const;

  const storage::Store& store_;
  const storage::Snapshot& snapshot_;
  const EverythingFilter& filter_;
  const storage::Budget& budget_;
  const std::uint64_t begin_;
  std::uint64_t end_;  // Comes nearer when the page is full.
  const Shape& shape_;
  BundleEntries entries_;
  std::uint64_t total_ = 0;
  TextSet members_;     // "Type/id"
  TextSet references_;  // The same, of what they refer to.
};

void Reader::Visit(std::uint64_t position, const storage::ResourceView& view,
                   bool collect_references) {
  if (position >= begin_ && position < end_) {
    if (entries_.IsFull()) {
      end_ = position;
    } else {
      entries_.AddMatch(position - begin_, view, shape_);
    }
  }
  if (!collect_references) return;
  std::string identity(view.type);
  members_.insert(identity.append("/").append(view.id));
  for (const std::string_view reference : view.references) {
    const std::string_view target = WithoutVersion(reference);
    if (!references_.contains(target)) references_.emplace(target);
  }
}

fhir::Result<void> Reader::Read(std::string_view type, std::span<const std::uint64_t> documents,
                                bool collect_references) {
  while (!documents.empty()) {
    FHIR_TRY_VOID(storage::CheckBudget(budget_));
    const auto step = documents.first(std::min(kReadStep, documents.size()));
    const std::uint64_t first = total_;
    // What is behind the page needs no reading if nothing is to be learned from it.
    const bool is_shown = first < end_ && first + step.size() > begin_;
    if (is_shown || collect_references) {
      FHIR_TRY_VOID(
          // They ascend: that is the order of the disk, too.
          store_.ReadDocuments(snapshot_, type, step, /*in_order=*/true,
                               [&](std::size_t position, const storage::ResourceView& view) {
                                 Visit(first + position, view, collect_references);
                                 return collect_references || first + position < end_;
                               }));
    }
    total_ += step.size();
    documents = documents.subspan(step.size());
  }
  return {};
}

fhir::Result<void> Reader::AddMembers(const std::vector<DocumentsOfType>& members) {
  std::uint64_t count = 0;
  for (const DocumentsOfType& member : members) count += member.documents.size();
  // Before the first is read: the most that it takes is known.
  FHIR_TRY_VOID(storage::ChargeBudget(budget_, static_cast<std::int64_t>(count)));
  members_.reserve(count);
  entries_.Reserve(std::min(count, end_ - begin_));
  for (const DocumentsOfType& member : members) {
    FHIR_TRY_VOID(Read(member.type, member.documents, /*collect_references=*/true));
  }
  return {};
}

fhir::Result<Reader::DocumentsByType> Reader::FindReferredTo() const {
  DocumentsByType found;
  std::int64_t asked = 0;
  for (const std::string& reference : references_) {
    if (members_.contains(reference)) continue;
    const std::string_view text = reference;
    const std::size_t slash = text.find('/');
    if (slash == std::string_view::npos) continue;
    const std::string_view type = text.substr(0, slash);
    if (!filter_.Allows(type)) continue;
    if (++asked % kAskStep == 0) FHIR_TRY_VOID(storage::ChargeBudget(budget_, kAskStep));
    const auto record = store_.FindCurrent(snapshot_, type, text.substr(slash + 1));
    if (!record || record->operation == storage::Operation::kDelete) continue;
    found[type].push_back(record->document);
  }
  for (auto& [type, documents] : found) std::ranges::sort(documents);
  return found;
}

fhir::Result<void> Reader::AddReferredTo() {
  FHIR_TRY(found, FindReferredTo());
  for (const auto& [type, documents] : found) {
    FHIR_TRY_VOID(Read(type, documents, /*collect_references=*/false));
  }
  return {};
}

fhir::Result<EverythingFilter> ReadFilter(const PageParameters& page) {
  EverythingFilter filter;
  filter.since_us = page.since_us;
  for (const auto& [name, value] : page.others) {
    if (name == "start") filter.start = value;
    if (name == "end") filter.end = value;
    if (name != "_type") continue;
    for (std::size_t begin = 0; begin <= value.size();) {
      const std::size_t comma = std::min(value.find(',', begin), value.size());
      filter.types.push_back(value.substr(begin, comma - begin));
      begin = comma + 1;
      if (!fhir::definitions::IsResourceType(filter.types.back())) {
        return fhir::Fail(fhir::Invalid("_type lists resource types", "_type"));
      }
    }
  }
  return filter;
}

// Errors: NotFound, Gone.
fhir::Result<void> CheckPatient(const Context& context, const storage::Snapshot& snapshot,
                                std::string_view id) {
  const auto record = context.store->FindCurrent(snapshot, "Patient", id);
  if (record && record->operation != storage::Operation::kDelete) return {};
  const auto read = context.store->Read("Patient", id);
  // Created after the snapshot of the page: not there for this list.
  if (read) return fhir::Fail(fhir::NotFound("there is no such patient"));
  return fhir::Fail(read.error());
}

fhir::Result<Reply> EverythingWithin(const Request& request, const PathParameters& path,
                                     const Context& context, const storage::Budget& budget) {
  static constexpr std::string_view kParameters[] = {"start", "end", "_type"};
  const std::string url = "Patient/" + std::string(path.id) + "/$everything";
  FHIR_TRY(page, ReadPageParameters(request, url, kParameters, context));
  if (!page.has_count && page.count > 0) page.count = context.max_count;
  FHIR_TRY(filter, ReadFilter(page));
  FHIR_TRY_VOID(CheckPatient(context, *page.snapshot, path.id));
  const auto options = QueryOptionsOf(request, context, /*lenient=*/false, page.position.now_ms);
  FHIR_TRY(members, FindMembers(context, *page.snapshot, path.id, filter, options, budget));
  Reader reader(request, context, page, filter, budget);
  FHIR_TRY_VOID(reader.AddMembers(members));
  FHIR_TRY_VOID(reader.AddReferredTo());
  const PagedQuery paged{request.base_url, url, page.applied, context.store->PageSecret()};
  FHIR_TRY(links, LinksOf(paged, page.position, page.from_token, page.count,
                          page.count > 0 ? reader.Next() : std::nullopt));
  return AnswerBundle("searchset", reader.Total(), links, reader.Entries());
}

fhir::Result<Reply> Everything(const Request& request, const PathParameters& path,
                               const Context& context) {
  const SearchBudget budget(request, context);
  return EverythingWithin(request, path, context, budget.Get());
}

fhir::Result<std::optional<Reply>> EverythingIfNarrow(const Request& request,
                                                      const PathParameters& path,
                                                      const Context& context) {
  const SearchBudget budget(request, context, SearchBudget::Lane::kNarrow);
  return budget.IfNarrow(EverythingWithin(request, path, context, budget.Get()));
}

}  // namespace

extern const Operation kPatientEverything;
const Operation kPatientEverything = {
    .code = "everything",
    .definition = "http://hl7.org/fhir/OperationDefinition/Patient-everything",
    .resource_type = "Patient",
    .level = Level::kInstance,
    .affects_state = false,
    .handler = {.code = "everything", .read = &Everything, .read_narrow = &EverythingIfNarrow}};

}  // namespace server
