// server/interactions/plan_transaction_entry.cc -- what an entry of a transaction does, and the
// identity that its resource will have.
#include <utility>

#include "server/interactions/criteria.h"
#include "server/interactions/interaction.h"
#include "server/interactions/patch.h"
#include "server/interactions/precondition.h"
#include "server/interactions/query_options.h"
#include "server/interactions/search.h"
#include "server/interactions/search_budget.h"
#include "server/interactions/transaction_builder.h"
#include "server/interactions/write_parameters.h"

namespace server {
namespace {

// All conditions are kept, and checked again at the commit; each value takes some 200 bytes.
constexpr std::size_t kMaxCriteriaSize = 1'000'000;

// The error is about this member of the entry, whatever it named itself.
fhir::Error About(std::string_view member, fhir::Error error) {
  for (fhir::Issue& issue : error.issues) issue.expression = member;
  return error;
}

// What is wrong with a patch or its result is said of the entry's resource.
fhir::Error AboutPatched(fhir::Error error) {
  // The bundle itself was found: nothing is missing at its address.
  if (error.http_status == 404 || error.http_status == 410) {
    error.http_status = 400;
    return About("request.url", std::move(error));
  }
  return About("resource", std::move(error));
}

fhir::Error UnsupportedEntry() {
  return About("request", fhir::NotSupported("a transaction cannot contain this request"));
}

}  // namespace

fhir::Result<void> TransactionBuilder::PlanEntry(std::uint32_t index) {
  const fhir::model::BundleEntry& source = plan_->SourceOf(index);
  FHIR_TRY(url, ParseEntryUrl(source.url, request_.base_url));
  fhir::Result<Target> target = ParseTarget(url.path);
  if (!target) {
    fhir::Error error = About("request.url", std::move(target).error());
    // The bundle itself was found: nothing is missing at its address.
    error.http_status = 400;
    return fhir::Fail(std::move(error));
  }
  plan_->entries[index].type = target->parameters.type;
  switch (source.method) {
    case fhir::model::Method::kGet:
    case fhir::model::Method::kHead: return PlanRead(index, *target);
    case fhir::model::Method::kDelete: return PlanDelete(index, *target, url);
    case fhir::model::Method::kPost: return PlanCreate(index, *target, url);
    case fhir::model::Method::kPut: return PlanPut(index, *target, url);
    case fhir::model::Method::kPatch: return PlanPatch(index, *target, url);
  }
  return fhir::Fail(UnsupportedEntry());
}

fhir::Result<void> TransactionBuilder::PlanRead(std::uint32_t index, const Target& target) {
  const Interaction* interaction = FindInteraction(Verb::kGet, target.shape);
  if (interaction == nullptr) return fhir::Fail(UnsupportedEntry());
  FHIR_TRY(read, RequestOf(plan_->SourceOf(index), request_));
  // It runs after the commit, when nothing can be refused any more.
  if (IsSearch(target.shape)) {
    const SearchBudget budget(read, context_);
    const fhir::Result<SearchPlan> search =
        PlanSearch(read, target.parameters, context_, budget.Get());
    if (!search) return fhir::Fail(About("request.url", search.error()));
    plan_->entries[index].searches = true;
  }
  plan_->entries[index].action = EntryAction::kRead;
  plan_->entries[index].read = std::make_unique<Request>(std::move(read));
  return {};
}

fhir::Result<void> TransactionBuilder::PlanDelete(std::uint32_t index, const Target& target,
                                                  const EntryUrl& url) {
  PlannedEntry& entry = plan_->entries[index];
  entry.write.kind = storage::Write::Kind::kDelete;
  FHIR_TRY_VOID(SetPreconditions(plan_->SourceOf(index).if_match, {}, &entry.write));
  if (target.shape == PathShape::kInstance) {
    FHIR_TRY_VOID(CheckNoParameters(url));
    entry.id = target.parameters.id;
  } else if (target.shape == PathShape::kType) {
    FHIR_TRY(where, Criteria(entry.type, url.query, "request.url"));
    FHIR_TRY(found, FindInStore(entry.type, where));
    if (!found) return {};  // kNothing
    entry.id = *found;
  } else {
    return fhir::Fail(UnsupportedEntry());
  }
  deleted_.emplace(entry.type, entry.id);
  entry.action = EntryAction::kWrite;
  return {};
}

fhir::Result<void> TransactionBuilder::PlanCreate(std::uint32_t index, const Target& target,
                                                  const EntryUrl& url) {
  const fhir::model::BundleEntry& source = plan_->SourceOf(index);
  if (target.shape != PathShape::kType) return fhir::Fail(UnsupportedEntry());
  FHIR_TRY_VOID(CheckNoParameters(url));
  FHIR_TRY_VOID(CheckType(source.resource, target.parameters.type));
  FHIR_TRY_VOID(CheckComplete(source.resource));
  PlannedEntry& entry = plan_->entries[index];
  entry.write.kind = storage::Write::Kind::kCreate;
  if (!source.if_none_exist.empty()) {
    FHIR_TRY(where, Criteria(entry.type, source.if_none_exist, "request.ifNoneExist"));
    FHIR_TRY(found, FindInStore(entry.type, where));
    if (found && !deleted_.contains({entry.type, *found})) {
      entry.action = EntryAction::kExisting;
      entry.id = *found;
      auto existing = context_.store->Read(entry.type, entry.id);
      // Without it if it is gone since the snapshot: the commit finds the assumption broken then.
      if (existing) entry.existing = *std::move(existing);
      return {};
    }
    FHIR_TRY(other, FindCreatedBefore(index, entry.type, where));
    if (other) {
      entry.action = EntryAction::kSame;
      entry.same_as = *other;
      entry.id = plan_->entries[*other].id;
      return {};
    }
  }
  entry.action = EntryAction::kWrite;
  entry.id = context_.ids->Next(request_.received_ms);
  return {};
}

fhir::Result<void> TransactionBuilder::PlanPut(std::uint32_t index, const Target& target,
                                               const EntryUrl& url) {
  const fhir::model::BundleEntry& source = plan_->SourceOf(index);
  FHIR_TRY_VOID(CheckType(source.resource, target.parameters.type));
  FHIR_TRY_VOID(CheckComplete(source.resource));
  PlannedEntry& entry = plan_->entries[index];
  FHIR_TRY_VOID(SetPreconditions(source.if_match, source.if_none_match, &entry.write));
  if (target.shape == PathShape::kInstance) {
    FHIR_TRY_VOID(CheckNoParameters(url));
    FHIR_TRY_VOID(CheckId(source.resource, target.parameters.id));
    entry.write.kind = storage::Write::Kind::kPut;
    entry.id = target.parameters.id;
  } else if (target.shape == PathShape::kType) {
    FHIR_TRY(where, Criteria(entry.type, url.query, "request.url"));
    FHIR_TRY(found, FindInStore(entry.type, where));
    if (!found) {
      FHIR_TRY(other, FindCreatedBefore(index, entry.type, where));
      if (other) {
        return fhir::Fail(fhir::Invalid("another entry creates this resource", "request.url"));
      }
    }
    FHIR_TRY_VOID(SetConditionalTarget(source.resource, found,
                                       context_.ids->Next(request_.received_ms), &entry.write));
    entry.id = entry.write.id;
  } else {
    return fhir::Fail(UnsupportedEntry());
  }
  entry.action = EntryAction::kWrite;
  return {};
}

fhir::Result<void> TransactionBuilder::PlanPatch(std::uint32_t index, const Target& target,
                                                 const EntryUrl& url) {
  const fhir::model::BundleEntry& source = plan_->SourceOf(index);
  PlannedEntry& entry = plan_->entries[index];
  FHIR_TRY(patch, PatchOfEntry(source.resource));
  FHIR_TRY_VOID(SetPreconditions(source.if_match, source.if_none_match, &entry.write));
  if (target.shape == PathShape::kInstance) {
    FHIR_TRY_VOID(CheckNoParameters(url));
    entry.id = target.parameters.id;
  } else if (target.shape == PathShape::kType) {
    FHIR_TRY(where, Criteria(entry.type, url.query, "request.url"));
    FHIR_TRY(found, FindInStore(entry.type, where));
    if (!found) return fhir::Fail(fhir::Invalid("no resource matches the criteria", "request.url"));
    entry.id = *found;
  } else {
    return fhir::Fail(UnsupportedEntry());
  }
  entry.write.type = entry.type;
  entry.write.id = entry.id;
  auto patched = PatchCurrent(context_, patch, &entry.write);
  if (!patched) return fhir::Fail(AboutPatched(std::move(patched).error()));
  entry.patched = *std::move(patched);
  entry.action = EntryAction::kWrite;
  return {};
}

fhir::Result<void> TransactionBuilder::CheckNoParameters(const EntryUrl& url) const {
  fhir::Result<void> checked = CheckWriteParameters(request_, url.query);
  if (checked) return checked;
  return fhir::Fail(About("request.url", std::move(checked).error()));
}

fhir::Result<fhir::search::Expression> TransactionBuilder::Criteria(const std::string& type,
                                                                    std::string_view query,
                                                                    std::string_view member) const {
  auto where = ReadCriteria(request_, context_, *transaction_->registry, type, query);
  if (where) return where;
  return fhir::Fail(About(member, std::move(where).error()));
}

fhir::Result<std::optional<std::string>> TransactionBuilder::FindInStore(
    const std::string& type, const fhir::search::Expression& where) {
  FHIR_TRY_VOID(storage::CheckBudget(budget_));
  criteria_size_ += fhir::search::SizeOf(where);
  if (criteria_size_ > kMaxCriteriaSize) {
    return fhir::Fail(fhir::TooCostly("the conditions of the bundle have too many values"));
  }
  const SearchBudget budget(request_, context_);
  return FindOnly(*context_.store, *snapshot_, type, where, budget.Get(), transaction_.get());
}

fhir::Result<std::optional<std::uint32_t>> TransactionBuilder::FindCreatedBefore(
    std::uint32_t index, const std::string& type, const fhir::search::Expression& where) {
  Created& created = created_[type];
  for (; created.next < index; ++created.next) {
    PlannedEntry& entry = plan_->entries[created.next];
    if (entry.type != type || !WritesContent(created.next)) continue;
    // With the references that are known by now; later ones are no part of what identifies a
    // resource.
    FHIR_TRY_VOID(MakeContent(created.next));
    created.candidates.Add(created.next, entry.id, request_.received_ms * 1000,
                           &entry.write.entries);
  }
  const std::vector<std::uint32_t> found = created.candidates.Find(where);
  std::optional<std::uint32_t> first;
  if (!found.empty()) first = found.front();
  return first;
}

}  // namespace server
