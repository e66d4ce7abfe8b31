// server/interactions/transaction_answer.cc -- what a transaction is answered
// once it is committed or failed.
#include <string>
#include <utility>

#include "fhir/base/time.h"
#include "fhir/model/stored_form.h"
#include "server/interactions/interaction.h"
#include "server/interactions/resource_answer.h"
#include "server/interactions/response_entry.h"
#include "server/interactions/transaction_plan.h"
#include "server/routing/outcome.h"

namespace server {
namespace {

fhir::Error NameEntry(const TransactionPlan& plan, const storage::CommitResult& result) {
  if (result.failed_write < 0) return result.error;
  const std::uint32_t index = plan.entry_of_write[static_cast<std::size_t>(result.failed_write)];
  if (!result.failed_reference.empty()) {
    const auto sites = plan.SitesOf(index);
    const auto edits = fhir::model::ResolveReferences(plan.ContentOf(index), sites, plan.references,
                                                      plan.SourceOf(index).full_url);
    const auto node = FindReference(plan.ContentOf(index), sites, edits, result.failed_reference);
    if (node) {
      fhir::Error error = result.error;
      for (fhir::Issue& issue : error.issues) issue.expression = plan.ExpressionOf(index, *node);
      return error;
    }
  }
  return fhir::Within(EntryExpression(index), result.error);
}

std::string WrittenJson(const TransactionPlan& plan, const PlannedEntry& entry,
                        std::uint64_t version, const std::string& instant) {
  std::string json;
  if (plan.answer == Preference::Return::kRepresentation && !entry.json.empty()) {
    fhir::model::AppendResource(&json, entry.json, entry.meta_offset, version, instant);
  }
  return json;
}

void AppendWritten(const TransactionPlan& plan, const PlannedEntry& entry,
                   const storage::WriteOutcome& outcome, bool is_found, std::string* out) {
  const std::string etag = ETagOf(outcome.version);
  if (entry.write.kind == storage::Write::Kind::kDelete) {
    AppendResponseEntry({.status = 204, .etag = outcome.version > 0 ? etag : std::string_view()},
                        out);
    return;
  }
  const bool is_new = outcome.status == storage::WriteOutcome::Status::kCreated && !is_found;
  const std::string location = VersionUrl(plan.base_url, entry.type, entry.id, outcome.version);
  const std::string instant = fhir::FormatInstant(outcome.instant_ms);
  const std::string json = WrittenJson(plan, entry, outcome.version, instant);
  std::string said;
  if (plan.answer == Preference::Return::kOperationOutcome) {
    const fhir::Issue issue{fhir::IssueCode::kInformational, is_new ? "created" : "stored", {}};
    said = OperationOutcome(Severity::kInformation, {&issue, 1});
  }
  AppendResponseEntry({.status = is_new ? 201 : 200,
                       .location = location,
                       .etag = etag,
                       .last_modified = instant,
                       .resource = json,
                       .outcome = said},
                      out);
}

void AppendExisting(const TransactionPlan& plan, const PlannedEntry& entry, std::string* out) {
  if (entry.existing == nullptr) {
    const std::string location = plan.base_url + "/" + entry.type + "/" + entry.id;
    AppendResponseEntry({.status = 200, .location = location}, out);
    return;
  }
  const storage::ResourceView& view = entry.existing->view;
  const std::string location = VersionUrl(plan.base_url, entry.type, entry.id, view.version);
  const std::string etag = ETagOf(view.version);
  const std::string instant = fhir::FormatInstant(view.instant_ms);
  std::string json;
  if (plan.answer == Preference::Return::kRepresentation) {
    fhir::model::AppendResource(&json, view.json, view.meta_offset, view.version, instant);
  }
  AppendResponseEntry({.status = 200,
                       .location = location,
                       .etag = etag,
                       .last_modified = instant,
                       .resource = json},
                      out);
}

// A read that fails does not undo what is committed: its entry says so.
Reply Read(const Request& request, const Context& context) {
  const fhir::Result<Target> target = ParseTarget(request.path);
  if (!target) return ReplyOf(target.error());
  const Interaction* interaction = FindInteraction(Verb::kGet, target->shape);
  if (interaction == nullptr) return ReplyOf(fhir::NotFound("no such path"));
  fhir::Result<Reply> reply = interaction->handler.read(request, target->parameters, context);
  if (!reply) return ReplyOf(reply.error());
  if (request.verb == Verb::kHead) reply->body = {};
  return *std::move(reply);
}

void AppendEntry(const TransactionPlan& plan, const Context& context,
                 const storage::CommitResult& result, const PlannedEntry& entry, std::string* out) {
  const auto outcome_of = [&](const PlannedEntry& written) -> const storage::WriteOutcome& {
    return result.outcomes[static_cast<std::size_t>(written.write_index)];
  };
  switch (entry.action) {
    case EntryAction::kWrite:
      AppendWritten(plan, entry, outcome_of(entry), /*is_found=*/false, out);
      return;
    case EntryAction::kSame: {
      const PlannedEntry& other = plan.entries[entry.same_as];
      AppendWritten(plan, other, outcome_of(other), /*is_found=*/true, out);
      return;
    }
    case EntryAction::kExisting: AppendExisting(plan, entry, out); return;
    case EntryAction::kNothing: AppendResponseEntry({.status = 204}, out); return;
    case EntryAction::kRead:
      AppendReplyEntry(out->size() <= kMaxBundleReplyBytes
                           ? Read(*entry.read, context)
                           : ReplyOf(fhir::TooCostly("The answers to the bundle are too long.")),
                       out);
      return;
  }
}

}  // namespace

fhir::json::Value TransactionPlan::ContentOf(std::uint32_t entry) const {
  const std::optional<ParsedResource>& patched = entries[entry].patched;
  return patched ? patched->Root() : SourceOf(entry).resource;
}

std::span<const fhir::validation::Site> TransactionPlan::SitesOf(std::uint32_t entry) const {
  const std::optional<ParsedResource>& patched = entries[entry].patched;
  if (patched) return patched->inspection.sites;
  return fhir::model::SitesWithin(parsed.source.inspection.sites, SourceOf(entry).resource);
}

std::string TransactionPlan::ExpressionOf(std::uint32_t entry, std::uint32_t node) const {
  const std::optional<ParsedResource>& patched = entries[entry].patched;
  // In a patched resource there is no such place in the bundle.
  if (patched) return EntryExpression(entry);
  return fhir::validation::ExpressionOf(parsed.source.Root(), node);
}

std::string EntryExpression(std::uint32_t entry) {
  return "Bundle.entry[" + std::to_string(entry) + "]";
}

fhir::Result<Reply> AnswerTransaction(const TransactionPlan& plan, const Context& context,
                                      const storage::CommitResult& result) {
  if (result.status != storage::CommitResult::Status::kCommitted) {
    return fhir::Fail(NameEntry(plan, result));
  }
  constexpr std::size_t kTypicalEntrySize = 256;
  std::string entries;
  entries.reserve(plan.entries.size() * kTypicalEntrySize);
  for (const PlannedEntry& entry : plan.entries) {
    if (!entries.empty()) entries.push_back(',');
    AppendEntry(plan, context, result, entry, &entries);
  }
  return AnswerResponses("transaction-response", std::move(entries));
}

}  // namespace server
