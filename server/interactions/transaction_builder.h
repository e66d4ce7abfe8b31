// server/interactions/transaction_builder.h
//
// The steps from a transaction bundle to a storage::Transaction; transaction.cc
// says in which order and why.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fhir/base/result.h"
#include "fhir/search/extract.h"
#include "server/interactions/bundle_candidates.h"
#include "server/interactions/entry_request.h"
#include "server/interactions/target.h"
#include "server/interactions/transaction_plan.h"

namespace server {

// Owner: one preparation. Thread-safety: single-owner.
class TransactionBuilder {
 public:
  // `request` outlives the builder, `context` the answer too.
  TransactionBuilder(ParsedBundle parsed, const Request& request, const Context& context);

  // Errors name the entry. Call once.
  fhir::Result<Preparation> Build();

 private:
  // What a conditional reference's text stands for, and where it was seen first.
  struct Conditional {
    std::string_view type;
    std::string_view query;
    std::uint32_t entry;
    std::uint32_t node;
  };

  // Errors name the entry.
  fhir::Result<void> PlanEntries();
  // plan_transaction_entry.cc. Errors are relative to the entry.
  fhir::Result<void> PlanEntry(std::uint32_t index);
  fhir::Result<void> PlanRead(std::uint32_t index, const Target& target);
  fhir::Result<void> PlanDelete(std::uint32_t index, const Target& target, const EntryUrl& url);
  fhir::Result<void> PlanCreate(std::uint32_t index, const Target& target, const EntryUrl& url);
  fhir::Result<void> PlanPut(std::uint32_t index, const Target& target, const EntryUrl& url);
  fhir::Result<void> PlanPatch(std::uint32_t index, const Target& target, const EntryUrl& url);
  // Of an entry whose url has no criteria. Errors: as CheckWriteParameters.
  fhir::Result<void> CheckNoParameters(const EntryUrl& url) const;
  // `member` of the entry holds the criteria.
  fhir::Result<fhir::search::Expression> Criteria(const std::string& type, std::string_view query,
                                                  std::string_view member) const;
  // Errors: MultipleMatches; TooCostly when the request's time is used up, or if all conditions
  // together ask for too much.
  fhir::Result<std::optional<std::string>> FindInStore(const std::string& type,
                                                       const fhir::search::Expression& where);
  // The first entry before `index` that creates a match.
  fhir::Result<std::optional<std::uint32_t>> FindCreatedBefore(
      std::uint32_t index, const std::string& type, const fhir::search::Expression& where);

  // Type and id.
  using Identity = std::pair<std::string_view, std::string_view>;
  static Identity IdentityOf(const PlannedEntry& entry);

  void AddIdentity(std::uint32_t index);
  // Errors: Invalid if two entries write the same resource. Sets identities_.
  fhir::Result<void> CheckIdentities();

  // conditional_references.cc.
  fhir::Result<void> ResolveConditionalReferences();
  std::map<std::string_view, Conditional> CollectConditionals();
  fhir::Result<void> AddCandidatesOf(std::string_view type);
  fhir::Result<void> ResolveConditional(std::string_view text, const Conditional& conditional);

  // Form and index entries with the references as they are known now. Errors name the entry.
  fhir::Result<void> MakeContent(std::uint32_t index);
  bool WritesContent(std::uint32_t index) const;
  fhir::Result<void> MoveWrites();
  // Errors name the entry.
  fhir::Result<void> PlanSearchParameters();

  const Request& request_;
  const Context& context_;
  const fhir::search::ExtractOptions options_;
  const storage::SnapshotPtr snapshot_;
  std::unique_ptr<storage::Transaction> transaction_;
  // Shared: the answer keeps it.
  std::shared_ptr<TransactionPlan> plan_;
  const storage::Budget budget_;
  std::size_t criteria_size_ = 0;                          // Of all assumptions.
  std::vector<Identity> identities_;                       // Of all writes, sorted.
  std::set<std::pair<std::string, std::string>> deleted_;  // Types and ids.

  // By type, for ifNoneExist: what earlier entries create, and how far they were looked at.
  struct Created {
    BundleCandidates candidates;
    std::uint32_t next = 0;
  };
  std::map<std::string, Created, std::less<>> created_;
  // By type, for conditional references: all that the bundle writes.
  std::map<std::string, BundleCandidates, std::less<>> written_;
};

}  // namespace server
