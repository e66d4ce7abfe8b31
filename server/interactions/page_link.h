// server/interactions/page_link.h
//
// Links between the pages of a search, a history or $everything. A page is a
// place in one snapshot, so the links are stable against later writes and
// nothing is held in memory for them. They are opaque and signed: a token that
// was changed, or moved to another query, is refused.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fhir/base/result.h"
#include "fhir/json/writer.h"
#include "fhir/search/query.h"

namespace server {

// Where a page begins.
struct PagePosition {
  std::uint64_t t = 0;       // Of the snapshot.
  std::uint64_t offset = 0;  // Resources before it.
  std::int64_t now_ms =
      0;  // When the first page was asked for: what "about now" means to the query.
  // Not 0: the page goes on with what so many matches from `offset` on include, and shows none of
  // them. `included` resources were shown before.
  std::uint64_t matches = 0;
  std::uint64_t included = 0;
};

// Where the next page begins: at an offset, or with what the matches before include, as in
// PagePosition.
struct NextPage {
  NextPage(std::uint64_t at) : offset(at) {}  // NOLINT(google-explicit-constructor): most are this.
  NextPage(std::uint64_t at, std::uint64_t with_matches, std::uint64_t after_included)
      : offset(at), matches(with_matches), included(after_included) {}

  std::uint64_t offset;
  std::uint64_t matches = 0;
  std::uint64_t included = 0;
};

// What a token is bound to: the path and the parameters that a client sends with it, but for those
// that only say how the answer is written (_format, _pretty).
std::string CanonicalQuery(std::string_view path, const fhir::search::Parameters& parameters);

// The token is 48 bytes in base64url: the five members above and a keyed hash over them and the
// canonical query.
std::string EncodePageToken(const PagePosition& position, std::string_view query,
                            std::uint64_t secret);
// Errors: Invalid, for anything that EncodePageToken did not make for this query.
fhir::Result<PagePosition> DecodePageToken(std::string_view token, std::string_view query,
                                           std::uint64_t secret);

// Takes the page token out of a request's parameters. Errors: Invalid if there are several.
fhir::Result<std::optional<std::string>> TakePageToken(fhir::search::Parameters* parameters);

// What all pages of one result share.
struct PagedQuery {
  std::string base_url;  // "http://localhost:8080/fhir"
  std::string path;      // "Patient" or "Patient/x/_history"
  fhir::search::Parameters applied;
  std::uint64_t secret = 0;        // Store::PageSecret().
  std::uint32_t max_included = 0;  // On one page.
};

struct PageLink {
  std::string_view relation;  // "self", "first", "previous", "next"
  std::string url;
};

// The links of the page at `here`. `count` is the page size; `from_token` says that the client
// followed a link, and that self has one therefore. `next`: nothing if this is the last.
// Errors: TooCostly if nobody could follow the link to the next page, as it is longer than a query.
fhir::Result<std::vector<PageLink>> LinksOf(const PagedQuery& query, const PagePosition& here,
                                            bool from_token, std::uint32_t count,
                                            const std::optional<NextPage>& next);

// Bundle.link, with its name.
void WriteLinks(const std::vector<PageLink>& links, fhir::json::Writer* writer);
// The Link header's value. Empty if it would be longer than clients accept: Bundle.link has them.
std::string LinkHeader(const std::vector<PageLink>& links);

}  // namespace server
