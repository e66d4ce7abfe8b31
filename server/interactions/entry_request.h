// server/interactions/entry_request.h
//
// Bundle.entry.request as a Request.
#pragma once

#include <string>
#include <string_view>

#include "fhir/base/result.h"
#include "fhir/model/bundle.h"
#include "server/runtime/request.h"

namespace server {

struct EntryUrl {
  std::string path;   // As Request::path.
  std::string query;  // As Request::query.
};

// A relative url, with or without a slash before it, or one below `base_url`.
// Errors: Invalid, naming Bundle.entry.request.url, for a broken escape, an escaped slash or another server's URL.
fhir::Result<EntryUrl> ParseEntryUrl(std::string_view url, std::string_view base_url);

Verb VerbOf(fhir::model::Method method);

// Everything but the body. `bundle` is the request that the bundle came by.
fhir::Result<Request> RequestOf(const fhir::model::BundleEntry& entry, const Request& bundle);

}  // namespace server
