// server/interactions/transaction.cc -- a transaction bundle becomes one storage::Transaction.
//
// First every entry gets an identity (plan_transaction_entry.cc), so that references between
// entries can be resolved whatever their order; then the conditional references are looked up
// (conditional_references.cc); then the bytes and index entries are made.
#include <algorithm>
#include <memory>
#include <utility>

#include "server/interactions/own_parameters.h"
#include "server/interactions/query_options.h"
#include "server/interactions/transaction_builder.h"

namespace server {
namespace {

// Entries whose response an I/O thread may write: some 100 µs.
constexpr std::size_t kMaxQuickAnswer = 128;
// Of the index values of all entries; a bundle's text makes seldom more than a third of its size.
constexpr std::size_t kMaxIndexBytes = std::size_t{512} << 20;

}  // namespace

TransactionBuilder::TransactionBuilder(ParsedBundle parsed, const Request& request,
                                       const Context& context)
    : request_(request),
      context_(context),
      options_(ExtractOptionsOf(context)),
      snapshot_(context.store->Latest()),
      transaction_(std::make_unique<storage::Transaction>()),
      plan_(std::make_shared<TransactionPlan>()),
      budget_(BudgetOf(request)) {
  plan_->parsed = std::move(parsed);
  plan_->entries.resize(plan_->parsed.bundle.entries.size());
  plan_->base_url = request.base_url;
  plan_->references.SetBase(request.base_url);
  plan_->answer = ParsePreference(request.headers.prefer).answer;
  transaction_->registry = storage::SharedRegistryOf(*snapshot_);
  transaction_->prepared_at = storage::TransactionOf(*snapshot_);
  transaction_->instant_ms = request.received_ms;
}

fhir::Result<Preparation> TransactionBuilder::Build() {
  FHIR_TRY_VOID(PlanEntries());
  FHIR_TRY_VOID(CheckIdentities());
  FHIR_TRY_VOID(ResolveConditionalReferences());
  FHIR_TRY_VOID(MoveWrites());
  FHIR_TRY_VOID(PlanSearchParameters());

  PreparedWrite prepared;
  prepared.answer_blocks = plan_->entries.size() > kMaxQuickAnswer ||
                           std::ranges::any_of(plan_->entries, [](const PlannedEntry& entry) {
                             return entry.action == EntryAction::kRead;
                           });
  prepared.answer_searches = std::ranges::any_of(plan_->entries, &PlannedEntry::searches);
  prepared.transaction = std::move(transaction_);
  prepared.answer = [plan = plan_, context = &context_](const storage::CommitResult& result) {
    return AnswerTransaction(*plan, *context, result);
  };
  return prepared;
}

fhir::Result<void> TransactionBuilder::PlanEntries() {
  // Deletions run first, and what they delete is no match for the others.
  for (const bool deletions : {true, false}) {
    for (std::uint32_t i = 0; i < plan_->entries.size(); ++i) {
      if ((plan_->SourceOf(i).method == fhir::model::Method::kDelete) != deletions) continue;
      fhir::Result<void> planned = PlanEntry(i);
      if (!planned) return fhir::Fail(fhir::Within(EntryExpression(i), planned.error()));
      AddIdentity(i);
    }
  }
  return {};
}

void TransactionBuilder::AddIdentity(std::uint32_t index) {
  const PlannedEntry& entry = plan_->entries[index];
  const std::string_view full_url = plan_->SourceOf(index).full_url;
  const bool has_resource = !plan_->SourceOf(index).resource.IsNone();
  if (full_url.empty() || !has_resource || entry.action == EntryAction::kRead) return;
  plan_->references.AddEntry(full_url, entry.type + "/" + entry.id);
}

TransactionBuilder::Identity TransactionBuilder::IdentityOf(const PlannedEntry& entry) {
  return {entry.type, entry.id};
}

fhir::Result<void> TransactionBuilder::CheckIdentities() {
  std::vector<std::uint32_t> writes;
  for (std::uint32_t i = 0; i < plan_->entries.size(); ++i) {
    if (plan_->entries[i].action == EntryAction::kWrite) writes.push_back(i);
  }
  const auto identity = [this](std::uint32_t i) { return IdentityOf(plan_->entries[i]); };
  std::ranges::sort(writes, {}, [&](std::uint32_t i) { return std::pair(identity(i), i); });
  const auto twice = std::ranges::adjacent_find(writes, {}, identity);
  if (twice == writes.end()) {
    for (const std::uint32_t i : writes) identities_.push_back(identity(i));
    return {};
  }
  return fhir::Fail(fhir::Invalid("another entry writes this resource too",
                                  EntryExpression(*std::next(twice)) + ".request.url"));
}

fhir::Result<void> TransactionBuilder::MakeContent(std::uint32_t index) {
  PlannedEntry& entry = plan_->entries[index];
  const fhir::model::BundleEntry& source = plan_->SourceOf(index);
  const fhir::json::Value content = plan_->ContentOf(index);
  const auto sites = plan_->SitesOf(index);
  const auto edits =
      fhir::model::ResolveReferences(content, sites, plan_->references, source.full_url);
  entry.write.id = entry.id;
  auto made = SetContent(*transaction_->registry, options_, content, sites, edits, &entry.write);
  if (made) return {};
  return fhir::Fail(fhir::Within(EntryExpression(index), std::move(made).error()));
}

bool TransactionBuilder::WritesContent(std::uint32_t index) const {
  const PlannedEntry& entry = plan_->entries[index];
  return entry.action == EntryAction::kWrite && entry.write.kind != storage::Write::Kind::kDelete;
}

fhir::Result<void> TransactionBuilder::MoveWrites() {
  const bool sends_back = plan_->answer == Preference::Return::kRepresentation;
  std::size_t index_bytes = 0;
  for (const std::uint32_t i : fhir::model::TransactionOrder(plan_->parsed.bundle.entries)) {
    PlannedEntry& entry = plan_->entries[i];
    if (entry.action != EntryAction::kWrite) continue;
    if (WritesContent(i)) {
      if (!entry.has_content) FHIR_TRY_VOID(MakeContent(i));
      index_bytes += entry.write.entries.Bytes();
      if (index_bytes > kMaxIndexBytes) {
        return fhir::Fail(fhir::TooLarge("the bundle's searchable texts are too long together"));
      }
      if (sends_back) {
        entry.json = entry.write.form.json;
        entry.meta_offset = entry.write.form.meta_offset;
      }
    }
    entry.write.type = entry.type;
    entry.write.id = entry.id;
    entry.write_index = static_cast<std::int32_t>(transaction_->writes.size());
    plan_->entry_of_write.push_back(i);
    transaction_->writes.push_back(std::move(entry.write));
  }
  return {};
}

fhir::Result<void> TransactionBuilder::PlanSearchParameters() {
  auto planned = PlanRegistry(transaction_.get());
  if (planned) return {};
  const std::uint32_t entry = plan_->entry_of_write[planned.error().write];
  return fhir::Fail(fhir::Within(EntryExpression(entry), std::move(planned.error().error)));
}

fhir::Result<Preparation> PrepareTransaction(ParsedBundle parsed, const Request& request,
                                             const Context& context) {
  return TransactionBuilder(std::move(parsed), request, context).Build();
}

}  // namespace server
