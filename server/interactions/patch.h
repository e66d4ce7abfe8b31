// server/interactions/patch.h
//
// JSON Patch on a stored resource (R4 3.1.0.6): the server's own copy, as a
// client reads it, with the operations done; what comes out is an update.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "fhir/base/result.h"
#include "server/interactions/prepare_write.h"
#include "server/runtime/context.h"
#include "storage/transaction.h"

namespace server {

inline constexpr std::string_view kJsonPatch = "application/json-patch+json";

// Applies `patch` to the current version of what `write` names, and makes `write` a put that holds
// only as long as that version is current. REQUIRES: type, id and preconditions are set.
// Errors: NotFound, Gone, PreconditionFailed; Invalid and Unprocessable, as ApplyPatch;
// InvalidStructure and Invalid for what came out.
fhir::Result<ParsedResource> PatchCurrent(const Context& context, std::string_view patch,
                                          storage::Write* write);

// The patch that an entry of a bundle carries: a Binary of type application/json-patch+json
// (R4 3.1.0.6.3). Errors: NotSupported and Invalid, naming the member of the entry.
fhir::Result<std::string> PatchOfEntry(const fhir::json::Value& resource);

}  // namespace server
