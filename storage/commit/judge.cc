#include "storage/commit/judge.h"

#include <algorithm>
#include <numeric>
#include <string>
#include <tuple>
#include <utility>

#include "storage/commit/assumptions.h"

namespace storage {
namespace {

using Status = WriteOutcome::Status;

fhir::Result<void> CheckPreconditions(const PlannedWrite& planned) {
  const Write& write = *planned.write;
  const bool is_live = planned.current && planned.current->IsLive();
  if ((write.if_match || write.if_match_any) && !is_live) {
    return fhir::Fail(fhir::PreconditionFailed("If-Match: there is no " + write.type + "/" +
                                               write.id + " now, so no version of it matches."));
  }
  if (write.if_match && planned.current->record.version != *write.if_match) {
    return fhir::Fail(fhir::PreconditionFailed("The current version of " + write.type + "/" +
                                               write.id + " is " +
                                               std::to_string(planned.current->record.version) +
                                               ", not " + std::to_string(*write.if_match) + "."));
  }
  if (write.if_none_match_any && is_live) {
    return fhir::Fail(fhir::PreconditionFailed(write.type + "/" + write.id + " exists already."));
  }
  return {};
}

bool IsBasedOnCurrent(const PlannedWrite& planned) {
  const std::uint64_t version = planned.write->based_on;
  return version == 0 || (planned.current && planned.current->IsLive() &&
                          planned.current->record.version == version);
}

CommitResult Stale() {
  CommitResult result;
  result.status = CommitResult::Status::kStale;
  result.error = fhir::Conflict("A resource that the request relied on was changed meanwhile.");
  return result;
}

// What was asked, and not only what came of it: see Operation. REQUIRES: `planned` is effective.
Operation OperationOf(const PlannedWrite& planned) {
  switch (planned.write->kind) {
    case Write::Kind::kCreate: return Operation::kCreate;
    case Write::Kind::kPut: {
      const bool was_deleted = planned.current && !planned.current->IsLive();
      return was_deleted ? Operation::kCreate : Operation::kUpdate;
    }
    case Write::Kind::kDelete: break;
  }
  return Operation::kDelete;
}

}  // namespace

CommitResult Judge::Decide(Transaction* transaction) {
  if (transaction->registry != nullptr && transaction->registry != overlay_->Registry()) {
    return Stale();
  }
  if (Rejection stale = CheckAssumptions(*transaction)) return *std::move(stale);
  std::vector<PlannedWrite> writes;
  if (Rejection failed = Plan(transaction, &writes)) return *std::move(failed);
  if (known_ != nullptr) {
    if (Rejection broken = CheckReferences(writes, *overlay_, &current_, known_)) {
      return *std::move(broken);
    }
    if (Rejection referred = CheckDeletes(writes, overlay_)) return *std::move(referred);
  }
  const fhir::search::RegistryPtr& next = transaction->next_registry;
  if (next != nullptr && !overlay_->Committed().Numbers().HasRoomFor(*next)) {
    CommitResult rejected;
    rejected.error = fhir::Unprocessable("the database has no room for more search parameters");
    return rejected;
  }
  return Apply(*transaction, &writes);
}

Rejection Judge::CheckAssumptions(const Transaction& transaction) {
  std::int64_t work_left = kMaxAssumptionWork;
  for (const Assumption& assumption : transaction.assumptions) {
    auto holds = Holds(assumption, transaction.prepared_at, overlay_, &work_left);
    if (!holds) {
      CommitResult rejected;
      rejected.error = std::move(holds).error();
      return rejected;
    }
    if (!*holds) return Stale();
  }
  return std::nullopt;
}

Rejection Judge::Plan(Transaction* transaction, std::vector<PlannedWrite>* writes) {
  const NumberRegistry& numbers = overlay_->Committed().Numbers();
  writes->reserve(transaction->writes.size());
  for (Write& write : transaction->writes) {
    writes->push_back({.write = &write,
                       .name = {numbers.FindType(write.type), write.id},
                       .current = std::nullopt,
                       .outcome = {}});
    if (writes->back().name.type == 0) {
      return Rejected(fhir::Invalid(write.type + " is not a resource type."), writes->size() - 1);
    }
  }
  // Looked up in the order of their keys.
  std::vector<std::size_t> order(writes->size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    const ResourceName& left = (*writes)[a].name;
    const ResourceName& right = (*writes)[b].name;
    return std::tie(left.type, left.id) < std::tie(right.type, right.id);
  });
  for (std::size_t i = 1; i < order.size(); ++i) {
    if ((*writes)[order[i - 1]].name == (*writes)[order[i]].name) {
      return Rejected(fhir::Invalid("A transaction may write a resource only once."), order[i]);
    }
  }
  for (const std::size_t i : order) {
    auto current = current_.Find((*writes)[i].name);
    if (!current) return Rejected(std::move(current).error(), i);
    (*writes)[i].current = *current;
    if (!IsBasedOnCurrent((*writes)[i])) return Stale();
  }
  for (std::size_t i = 0; i < writes->size(); ++i) {
    auto planned = PlanWrite(&(*writes)[i]);
    if (!planned) return Rejected(std::move(planned).error(), i);
  }
  return std::nullopt;
}

fhir::Result<void> Judge::PlanWrite(PlannedWrite* planned) {
  FHIR_TRY_VOID(CheckPreconditions(*planned));
  const std::uint64_t last_version = planned->current ? planned->current->record.version : 0;
  planned->outcome.version = last_version + 1;
  switch (planned->write->kind) {
    case Write::Kind::kCreate:
      planned->outcome.status = Status::kCreated;
      if (planned->current) {
        return fhir::Fail(fhir::Conflict("A resource with the new id exists already."));
      }
      return {};
    case Write::Kind::kPut: return PlanPut(planned);
    case Write::Kind::kDelete:
      planned->outcome.status = Status::kDeleted;
      if (planned->current && planned->current->IsLive()) return {};
      planned->outcome = {.status = Status::kNothingToDelete, .version = last_version};
      if (!planned->current) return {};
      FHIR_TRY(instant, InstantOf(*planned->current));
      planned->outcome.instant_ms = instant;
      return {};
  }
  return {};
}

fhir::Result<void> Judge::PlanPut(PlannedWrite* planned) {
  if (!planned->current || !planned->current->IsLive()) {
    planned->outcome.status = Status::kCreated;
    return {};
  }
  planned->outcome.status = Status::kUpdated;
  FHIR_TRY(is_same, IsSameContent(*planned));
  if (!is_same) return {};
  FHIR_TRY(instant, InstantOf(*planned->current));
  planned->outcome = {.status = Status::kUnchanged,
                      .version = planned->current->record.version,
                      .instant_ms = instant};
  return {};
}

fhir::Result<bool> Judge::IsSameContent(const PlannedWrite& planned) {
  const std::string& json = planned.write->form.json;
  const CurrentVersion& current = *planned.current;
  if (current.pending != nullptr) return current.pending->write->form.json == json;
  const auto cached = cache_->Find(planned.write->type, planned.write->id);
  if (cached != nullptr && cached->view.version == current.record.version) {
    return cached->view.json == json;
  }
  rocks::PinnedValue value;
  const Snapshot& committed = overlay_->Committed();
  FHIR_TRY_VOID(ReadResourceValue(committed.Database(), {current.record.t, current.record.n},
                                  committed.At(), &value));
  ResourceView view;
  if (!ParseResource(value.View(), &view)) {
    return fhir::Fail(fhir::Internal("a value in resource is damaged"));
  }
  return view.json == json;
}

fhir::Result<std::int64_t> Judge::InstantOf(const CurrentVersion& current) {
  if (current.pending != nullptr) return current.pending->instant_ms;
  const Snapshot& committed = overlay_->Committed();
  return ReadInstant(committed.Database(), current.record.t, committed.At());
}

CommitResult Judge::Apply(const Transaction& transaction, std::vector<PlannedWrite>* writes) {
  CommitResult result;
  result.status = CommitResult::Status::kCommitted;
  const bool changes = std::any_of(writes->begin(), writes->end(),
                                   [](const PlannedWrite& p) { return p.IsEffective(); });
  if (changes) overlay_->Begin(transaction.instant_ms);
  if (changes && transaction.next_registry != nullptr) {
    overlay_->SetRegistry(transaction.next_registry);
  }
  if (transaction.build_step) overlay_->AddStep(&*transaction.build_step);
  result.t = overlay_->T();
  for (PlannedWrite& planned : *writes) {
    if (planned.IsEffective()) {
      planned.outcome.instant_ms = overlay_->InstantMs();
      overlay_->Add(planned.write, planned.name.type, planned.outcome.version, OperationOf(planned),
                    planned.EndedDocument());
    }
    result.outcomes.push_back(planned.outcome);
  }
  return result;
}

}  // namespace storage
