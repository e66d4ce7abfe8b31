// server/interactions/transaction_plan.h
//
// A transaction bundle on its way to the commit thread: what each entry does,
// under which identity, and how it is answered.
//
// Owner: the preparation, then the answer. Thread-safety: single-owner.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "fhir/base/result.h"
#include "fhir/model/bundle.h"
#include "server/interactions/parsed_bundle.h"
#include "server/interactions/preference.h"
#include "server/runtime/context.h"
#include "storage/store.h"
#include "storage/transaction.h"

namespace server {

enum class EntryAction : std::uint8_t {
  kWrite,     // Creates, puts or deletes; PlannedEntry::write says what.
  kExisting,  // ifNoneExist found a resource that was there.
  kSame,      // ifNoneExist found what another entry creates.
  kNothing,   // A conditional delete that found nothing.
  kRead,      // After the commit.
};

struct PlannedEntry {
  EntryAction action = EntryAction::kNothing;
  std::string type;
  std::string id;
  storage::Write write;
  bool has_content = false;       // write.form and write.entries are final.
  bool is_conditional = false;    // Its resource has conditional references.
  std::uint32_t same_as = 0;      // kSame: the other entry.
  std::int32_t write_index = -1;  // In Transaction::writes.
  std::shared_ptr<const storage::CachedResource> existing;  // kExisting; may be null.
  bool searches = false;                                    // `read` is a search.
  std::unique_ptr<Request> read;                            // kRead.
  // A PATCH: what came out of it is what is written, not the entry's resource.
  std::optional<ParsedResource> patched;
  // What is sent back of a written resource, if it is: as in StoredForm.
  std::string json;
  std::uint32_t meta_offset = 0;
};

struct TransactionPlan {
  ParsedBundle parsed;
  std::vector<PlannedEntry> entries;  // One per Bundle.entry.
  fhir::model::ReferenceMap references;
  std::vector<std::uint32_t> entry_of_write;
  std::string base_url;
  Preference::Return answer = Preference::Return::kUnsaid;

  const fhir::model::BundleEntry& SourceOf(std::uint32_t entry) const {
    return parsed.bundle.entries[entry];
  }
  // What an entry writes, with the places in it that may refer to other entries.
  fhir::json::Value ContentOf(std::uint32_t entry) const;
  std::span<const fhir::validation::Site> SitesOf(std::uint32_t entry) const;
  // The FHIRPath of a node of that content, for error messages.
  std::string ExpressionOf(std::uint32_t entry, std::uint32_t node) const;
};

// "Bundle.entry[3]"
std::string EntryExpression(std::uint32_t entry);

// transaction_answer.cc: the transaction-response, or the error with the entry that it is about.
// Blocking: if there are entries to read.
fhir::Result<Reply> AnswerTransaction(const TransactionPlan& plan, const Context& context,
                                      const storage::CommitResult& result);

}  // namespace server
