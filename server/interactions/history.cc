// server/interactions/history.cc -- GET [type]/[id]/_history, [type]/_history and _history
// (R4 3.1.0.12): newest first, paged at one snapshot, deletions included.
#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "fhir/search/query.h"
#include "server/interactions/bundle_answer.h"
#include "server/interactions/interaction.h"
#include "server/interactions/page_parameters.h"

namespace server {
namespace {

std::int64_t CeilToMs(std::int64_t us) {
  return us / 1000 + (us % 1000 > 0 ? 1 : 0);
}

// Parameters of an instance's history besides those that all pages have.
constexpr std::string_view kAt[] = {"_at"};

// `end`: the position behind the last version of the page.
fhir::Result<Reply> Answer(const Request& request, const Context& context,
                           const PageParameters& page, const std::string& url, std::uint64_t total,
                           std::uint64_t end, BundleEntries* entries) {
  const PagedQuery paged{request.base_url, url, page.applied, context.store->PageSecret()};
  std::optional<std::uint64_t> next;
  if (page.count > 0 && end < total) next = end;
  FHIR_TRY(links, LinksOf(paged, page.position, page.from_token, page.count, next));
  return AnswerBundle("history", total, links, entries);
}

// How many of `versions`, newest first, were committed at or after `instant_us`. Instants grow with
// t.
fhir::Result<std::size_t> CountSince(const storage::Store& store,
                                     std::span<const storage::VersionRecord> versions,
                                     std::int64_t instant_us) {
  std::size_t low = 0;
  std::size_t high = versions.size();
  while (low < high) {
    const std::size_t middle = low + (high - low) / 2;
    FHIR_TRY(snapshot, store.At(versions[middle].t));
    if (storage::InstantOf(*snapshot) * 1000 >= instant_us) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

fhir::Result<std::optional<fhir::TimeRange>> ReadAt(const PageParameters& page,
                                                    const Context& context) {
  std::optional<fhir::TimeRange> at;
  for (const auto& [name, value] : page.others) {
    if (at || page.since_us) {
      return fhir::Fail(fhir::Invalid("_at stands alone: no other _at and no _since", "_at"));
    }
    at = fhir::ParseDateTime(value, context.zone);
    if (!at) return fhir::Fail(fhir::Invalid("_at must be a date or time", "_at"));
  }
  return at;
}

// Those of `all` that were current at some point of `at`: begun before its end, and not followed
// by another at its beginning.
fhir::Result<std::span<const storage::VersionRecord>> CurrentAt(
    const storage::Store& store, std::span<const storage::VersionRecord> all,
    const fhir::TimeRange& at) {
  FHIR_TRY(too_late, CountSince(store, all, at.high_us));
  FHIR_TRY(after_begin, CountSince(store, all, at.low_us + 1));
  return all.subspan(too_late, std::min(after_begin + 1, all.size()) - too_late);
}

fhir::Result<Reply> InstanceHistory(const Request& request, const PathParameters& path,
                                    const Context& context) {
  const std::string url = std::string(path.type) + "/" + std::string(path.id) + "/_history";
  FHIR_TRY(page, ReadPageParameters(request, url, kAt, context));
  FHIR_TRY(at, ReadAt(page, context));
  FHIR_TRY(all, context.store->History(*page.snapshot, path.type, path.id));
  std::span<const storage::VersionRecord> versions = all;
  if (page.since_us) {
    FHIR_TRY(count, CountSince(*context.store, versions, *page.since_us));
    versions = versions.first(count);
  } else if (at) {
    FHIR_TRY(current, CurrentAt(*context.store, versions, *at));
    versions = current;
  }
  const std::uint64_t total = versions.size();
  const std::size_t begin = std::min<std::uint64_t>(page.position.offset, total);
  versions = versions.subspan(begin, std::min<std::uint64_t>(page.count, total - begin));

  BundleEntries entries(request.base_url);
  entries.Reserve(versions.size());
  std::uint64_t end = begin;
  FHIR_TRY_VOID(context.store->ReadVersions(
      versions, [&](std::size_t position, const storage::ResourceView& view) {
        if (entries.IsFull()) return false;
        entries.AddVersion(position, view, page.shape);
        ++end;
        return true;
      }));
  return Answer(request, context, page, url, total, end, &entries);
}

// Of a type or, if `type` is empty, of all.
fhir::Result<Reply> HistoryOf(const Request& request, std::string_view type,
                              const Context& context) {
  const std::string url = type.empty() ? "_history" : std::string(type) + "/_history";
  FHIR_TRY(page, ReadPageParameters(request, url, {}, context));
  storage::HistoryRequest wanted{
      .type = std::string(type), .offset = page.position.offset, .limit = page.count};
  // Versions have whole milliseconds: the first that is not before.
  if (page.since_us) wanted.since_ms = CeilToMs(*page.since_us);
  BundleEntries entries(request.base_url);
  for (;;) {
    entries.Clear();
    std::uint64_t added = 0;
    bool is_cut = false;
    const auto add = [&](std::size_t position, const storage::ResourceView& view) {
      is_cut = entries.IsFull();
      if (is_cut) return false;
      entries.AddVersion(position, view, page.shape);
      ++added;
      return true;
    };
    FHIR_TRY(total, context.store->ReadHistoryPage(*page.snapshot, wanted, add));
    if (!is_cut) {
      return Answer(request, context, page, url, total, page.position.offset + added, &entries);
    }
    // What was read is the page's older part: its newer part alone, then.
    wanted.limit = std::max(1U, wanted.limit / 4);
  }
}

fhir::Result<Reply> TypeHistory(const Request& request, const PathParameters& path,
                                const Context& context) {
  return HistoryOf(request, path.type, context);
}

fhir::Result<Reply> SystemHistory(const Request& request, const PathParameters&,
                                  const Context& context) {
  return HistoryOf(request, {}, context);
}

}  // namespace

extern const Interaction kInstanceHistory;
const Interaction kInstanceHistory = {
    .verb = Verb::kGet,
    .shape = PathShape::kInstanceHistory,
    .handler = {.code = "history-instance", .read = &InstanceHistory},
    .listed_as = "history-instance"};

extern const Interaction kTypeHistory;
const Interaction kTypeHistory = {.verb = Verb::kGet,
                                  .shape = PathShape::kTypeHistory,
                                  .handler = {.code = "history-type", .read = &TypeHistory},
                                  .listed_as = "history-type"};

extern const Interaction kSystemHistory;
const Interaction kSystemHistory = {.verb = Verb::kGet,
                                    .shape = PathShape::kSystemHistory,
                                    .handler = {.code = "history-system", .read = &SystemHistory},
                                    .listed_as = "history-system"};

}  // namespace server
