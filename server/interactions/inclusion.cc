#include "server/interactions/inclusion.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "fhir/base/check.h"
#include "fhir/json/document.h"
#include "server/interactions/query_options.h"

namespace server {
namespace {

using fhir::definitions::TypeId;
using fhir::search::Expression;
using fhir::search::Include;

// How many resources are read between two looks at the time.
constexpr std::size_t kReadStep = 4096;

std::string_view NameOf(TypeId type) {
  return fhir::definitions::GetType(type).name;
}

// Parsed when first asked for.
class LazyResource {
 public:
  explicit LazyResource(std::string_view json) : json_(json) {}

  fhir::json::Value Root() {
    if (!document_) {
      auto parsed = fhir::json::Document::Parse(json_);
      FHIR_CHECK(parsed.has_value(), "a stored resource is JSON");
      document_.emplace(*std::move(parsed));
    }
    return document_->Root();
  }

 private:
  std::string_view json_;
  std::optional<fhir::json::Document> document_;
};

// The types that an include may find referrers of.
std::vector<std::string_view> SourcesOf(const Include& include, const storage::Snapshot& snapshot) {
  std::vector<std::string_view> sources;
  if (!include.source.empty()) {
    sources.push_back(include.source);
    return sources;
  }
  for (const fhir::definitions::Type& type : fhir::definitions::Types()) {
    if (type.kind != fhir::definitions::TypeKind::kResource) continue;
    if (storage::CountOf(snapshot, type.name) > 0) sources.push_back(type.name);
  }
  return sources;
}

bool MayLeadTo(const Include& include, std::string_view type) {
  return include.target.empty() || include.target == type;
}

bool HasCanonicalsOf(const Include& include, std::string_view type) {
  return std::ranges::find(include.canonical_targets, type) != include.canonical_targets.end();
}

}  // namespace

fhir::Result<void> ReadFound(const storage::Store& store, const storage::Snapshot& snapshot,
                             std::span<const FoundDocument> documents,
                             const storage::Budget& budget, const storage::Store::Visit& visit) {
  bool goes_on = true;
  std::vector<std::uint64_t> step;
  for (std::size_t begin = 0; goes_on && begin < documents.size(); begin += step.size()) {
    step.clear();
    const TypeId type = documents[begin].type;
    // Those that ascend are in the order of the disk.
    for (std::size_t i = begin; i < documents.size() && step.size() < kReadStep; ++i) {
      const FoundDocument& next = documents[i];
      if (next.type != type || (!step.empty() && next.document < step.back())) break;
      step.push_back(next.document);
    }
    FHIR_TRY_VOID(storage::ChargeBudget(budget, static_cast<std::int64_t>(step.size())));
    FHIR_TRY_VOID(store.ReadDocuments(snapshot, NameOf(type), step, /*in_order=*/true,
                                      [&](std::size_t position, const storage::ResourceView& view) {
                                        goes_on = visit(begin + position, view);
                                        return goes_on;
                                      }));
  }
  return {};
}

Inclusion::Inclusion(const Context& context, const storage::Snapshot& snapshot,
                     const std::vector<Include>& includes, const storage::Budget& budget)
    : context_(context),
      snapshot_(snapshot),
      includes_(includes),
      budget_(budget),
      extract_(ExtractOptionsOf(context)) {
  round_.referred.resize(includes.size());
}

void Inclusion::AddMatch(std::uint64_t document, const storage::ResourceView& view) {
  const TypeId type = fhir::definitions::FindType(view.type);
  seen_[type].insert(document);
  Note(type, view);
}

void Inclusion::Note(TypeId type, const storage::ResourceView& view) {
  LazyResource resource(view.json);
  bool wants_id = false;
  bool wants_url = false;
  for (std::size_t i = 0; i < includes_.size(); ++i) {
    const Include& include = includes_[i];
    if (!IsInRound(include)) continue;
    if (include.reverse) {
      wants_id = wants_id || MayLeadTo(include, view.type);
      wants_url = wants_url || HasCanonicalsOf(include, view.type);
    } else if (include.source.empty() || include.source == view.type) {
      NoteReferences(view, include.IsOfAllReferences() ? fhir::json::Value() : resource.Root(), i);
    }
  }
  if (wants_id) round_.ids[type].emplace_back(view.id);
  if (!wants_url) return;
  for (std::string& url : fhir::search::CanonicalsOf(resource.Root())) {
    round_.urls[type].push_back(std::move(url));
  }
}

void Inclusion::NoteReferences(const storage::ResourceView& view, const fhir::json::Value& resource,
                               std::size_t include) {
  Targets& targets = round_.referred[include];
  const auto add = [&](std::string_view reference) {
    const std::size_t slash = reference.find('/');
    const std::string_view type = reference.substr(0, slash);
    if (slash == std::string_view::npos || !MayLeadTo(includes_[include], type)) return;
    const std::string_view id = reference.substr(slash + 1);
    // A reference to a version leads to the current one.
    targets.ids[fhir::definitions::FindType(type)].emplace(id.substr(0, id.find('/')));
  };
  if (resource.IsNone()) {
    for (const std::string_view reference : view.references) add(reference);
    return;
  }
  fhir::search::Referred referred = fhir::search::ReferencesIn(
      storage::RegistryOf(snapshot_), extract_, includes_[include], resource);
  for (const std::string& reference : referred.literals) add(reference);
  for (std::string& url : referred.canonicals) targets.canonicals.insert(std::move(url));
}

fhir::Result<void> Inclusion::NoteFound(std::size_t begin) {
  const std::vector<FoundDocument>& found = found_;
  const std::span<const FoundDocument> added = std::span(found).subspan(begin);
  return ReadFound(*context_.store, snapshot_, added, budget_,
                   [&](std::size_t position, const storage::ResourceView& view) {
                     Note(added[position].type, view);
                     return true;
                   });
}

fhir::Result<std::vector<FoundDocument>> Inclusion::Find(std::uint64_t wanted) {
  wanted_ = wanted;
  while (found_.size() < wanted_) {
    const std::size_t before = found_.size();
    const Round round = std::exchange(round_, Round{});
    round_.referred.resize(includes_.size());
    for (std::size_t i = 0; i < includes_.size() && found_.size() < wanted_; ++i) {
      const Include& include = includes_[i];
      if (!IsInRound(include)) continue;
      FHIR_TRY_VOID(include.reverse ? FollowBack(include, round)
                                    : Follow(include, round.referred[i]));
    }
    is_first_ = false;
    const bool goes_on = std::ranges::any_of(includes_, &Include::iterate);
    if (!goes_on || found_.size() == before || found_.size() >= wanted_) break;
    FHIR_TRY_VOID(NoteFound(before));
  }
  return std::move(found_);
}

fhir::Result<void> Inclusion::Follow(const Include& include, const Targets& targets) {
  for (const auto& [type, ids] : targets.ids) {
    FHIR_TRY_VOID(Add(NameOf(type), Expression::Ids({ids.begin(), ids.end()})));
  }
  if (targets.canonicals.empty()) return {};
  const std::vector<std::string> urls(targets.canonicals.begin(), targets.canonicals.end());
  for (const std::string& type : include.canonical_targets) {
    FHIR_TRY_VOID(Add(type, fhir::search::CarriersOf(storage::RegistryOf(snapshot_), type, urls)));
  }
  return {};
}

fhir::Result<void> Inclusion::FollowBack(const Include& include, const Round& round) {
  for (const std::string_view source : SourcesOf(include, snapshot_)) {
    for (const auto& [type, ids] : round.ids) {
      const std::string_view target = NameOf(type);
      if (!MayLeadTo(include, target)) continue;
      const auto urls = round.urls.find(type);
      const bool by_url = urls != round.urls.end() && HasCanonicalsOf(include, target);
      FHIR_TRY_VOID(Add(
          source, fhir::search::ReferrersTo(include, target, ids,
                                            by_url ? urls->second : std::vector<std::string>())));
    }
  }
  return {};
}

fhir::Result<void> Inclusion::Add(std::string_view type, const Expression& where) {
  if (found_.size() >= wanted_) return {};
  const TypeId type_id = fhir::definitions::FindType(type);
  std::unordered_set<std::uint64_t>& seen = seen_[type_id];
  // Among so many are as many new ones as are wanted.
  const std::uint64_t limit = std::min<std::uint64_t>(wanted_ - found_.size() + seen.size(),
                                                      std::numeric_limits<std::uint32_t>::max());
  const storage::PageRequest request{0, static_cast<std::uint32_t>(limit), /*want_total=*/false};
  FHIR_TRY(page, context_.store->Search(snapshot_, type, where, {}, request, budget_));
  for (const std::uint64_t document : page.documents) {
    if (found_.size() == wanted_) break;
    if (seen.insert(document).second) found_.push_back({type_id, document});
  }
  return {};
}

}  // namespace server
