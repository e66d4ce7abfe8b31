// server/interactions/history.cc -- GET [type]/[id]/_history (R4 3.1.0.12): newest first, paged,
// _count and _since.
#include <algorithm>
#include <charconv>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "fhir/search/query.h"
#include "server/interactions/bundle_answer.h"
#include "server/interactions/interaction.h"
#include "server/interactions/page_parameters.h"
#include "server/interactions/preference.h"

namespace server {
namespace {

// How many of `versions`, newest first, were committed at or after `since_us`. Instants grow with
// t.
fhir::Result<std::size_t> CountSince(const storage::Store& store,
                                     std::span<const storage::VersionRecord> versions,
                                     std::int64_t since_us) {
  std::size_t low = 0;
  std::size_t high = versions.size();
  while (low < high) {
    const std::size_t middle = low + (high - low) / 2;
    FHIR_TRY(snapshot, store.At(versions[middle].t));
    if (storage::InstantOf(*snapshot) * 1000 >= since_us) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

fhir::Result<Reply> History(const Request& request, const PathParameters& path,
                            const Context& context) {
  const std::string url = std::string(path.type) + "/" + std::string(path.id) + "/_history";
  FHIR_TRY(page, ReadPageParameters(request, url, {}, context));
  FHIR_TRY(all, context.store->History(*page.snapshot, path.type, path.id));
  std::span<const storage::VersionRecord> versions = all;
  if (page.since_us) {
    FHIR_TRY(count, CountSince(*context.store, versions, *page.since_us));
    versions = versions.first(count);
  }
  const std::uint64_t total = versions.size();
  const std::size_t begin = std::min<std::uint64_t>(page.position.offset, total);
  versions = versions.subspan(begin, std::min<std::uint64_t>(page.count, total - begin));

  BundleEntries entries(request.base_url);
  entries.Reserve(versions.size());
  FHIR_TRY_VOID(context.store->ReadVersions(
      versions, [&](std::size_t position, const storage::ResourceView& view) {
        entries.AddVersion(position, view);
      }));
  const bool has_next = page.count > 0 && begin + versions.size() < total;
  const PagedQuery paged{request.base_url, url, page.applied, context.store->PageSecret()};
  return AnswerBundle("history", total,
                      LinksOf(paged, page.position, page.from_token, page.count,
                              has_next ? Next::kMatches : Next::kNothing),
                      &entries);
}

}  // namespace

extern const Interaction kInstanceHistory;
const Interaction kInstanceHistory = {.verb = Verb::kGet,
                                      .shape = PathShape::kInstanceHistory,
                                      .handler = {.code = "history-instance", .read = &History},
                                      .listed_as = "history-instance"};

}  // namespace server
