// server/interactions/prepare_write.h
//
// From the JSON that a client sent to a storage::Write. The single interactions
// and the entries of a transaction come through here alike.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "fhir/base/result.h"
#include "fhir/json/document.h"
#include "fhir/model/stored_form.h"
#include "fhir/search/extract.h"
#include "fhir/validation/structure.h"
#include "server/interactions/resource_answer.h"
#include "server/routing/handler.h"
#include "server/runtime/context.h"
#include "storage/transaction.h"

namespace server {

// A body that is one resource. Movable: cursors hold the Document's address, which stays.
struct ParsedResource {
  std::unique_ptr<const fhir::json::Document> document;
  fhir::validation::Inspection inspection;

  fhir::json::Value Root() const { return document->Root(); }
};

// Parses and inspects. Errors: Invalid (JSON). What the inspection found is the caller's to judge.
fhir::Result<ParsedResource> ParseResource(std::string_view body);

// The same, for the body of [type] or [type]/[id]. Errors: InvalidStructure, Invalid if it is of
// another type, Unprocessable if it is not complete.
fhir::Result<ParsedResource> ParseResourceOfType(std::string_view body, std::string_view type);

// Errors: Invalid, naming resourceType.
fhir::Result<void> CheckType(const fhir::json::Value& resource, std::string_view type);
// A summary or a part of a resource, which is tagged SUBSETTED, must not replace the whole (R4
// 3.1.0.1.5.9). Errors: Unprocessable, naming the tag.
fhir::Result<void> CheckComplete(const fhir::json::Value& resource);
// An update's resource says its id (R4 3.1.0.4). Errors: Invalid, naming the id.
fhir::Result<void> CheckId(const fhir::json::Value& resource, std::string_view id);

// Where a conditional update goes (R4 3.1.0.4.3), `found` being the one match: sets kind and id,
// and that nothing may exist there, if nothing was found. Errors: Invalid if the resource names
// another id.
fhir::Result<void> SetConditionalTarget(const fhir::json::Value& resource,
                                        const std::optional<std::string>& found,
                                        const std::string& new_id, storage::Write* write);

// Sets form and entries. REQUIRES: write->id is set; `resource` passed the inspection that found
// `sites`; `edits` are in node order. Errors: Unprocessable, as ExtractEntries.
fhir::Result<void> SetContent(const fhir::search::Registry& registry,
                              const fhir::search::ExtractOptions& options,
                              const fhir::json::Value& resource,
                              std::span<const fhir::validation::Site> sites,
                              std::span<const fhir::model::Edit> edits, storage::Write* write);

// The node of the reference that reads `text` once `edits` are made, if there is one.
std::optional<std::uint32_t> FindReference(const fhir::json::Value& resource,
                                           std::span<const fhir::validation::Site> sites,
                                           std::span<const fhir::model::Edit> edits,
                                           std::string_view text);

// A transaction of `write` alone, with its content from `parsed`, and the answer to it.
// REQUIRES: kind, id and preconditions are set; `transaction` has the assumptions.
fhir::Result<Preparation> PrepareSingle(const Request& request, const Context& context,
                                        ParsedResource parsed, storage::Write write,
                                        std::unique_ptr<storage::Transaction> transaction);

}  // namespace server
