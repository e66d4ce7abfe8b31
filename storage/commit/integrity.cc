#include "storage/commit/integrity.h"

#include <algorithm>
#include <set>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "storage/query/postings.h"
#include "storage/query/work.h"

namespace storage {
namespace {

constexpr std::string_view kBundle = "Bundle";
constexpr std::size_t kMaxKnownTargets = 65'536;

using OwnWrites = std::unordered_map<ResourceName, const PlannedWrite*, ResourceNameHash>;

struct Reference {
  std::string_view text;    // "Patient/x/_history/2"
  std::string_view target;  // "Patient/x"
  ResourceName name;        // Its type is 0 if there is no such type.
  std::size_t write = 0;
};

OwnWrites IndexWrites(std::span<const PlannedWrite> writes) {
  OwnWrites own;
  for (const PlannedWrite& planned : writes) own.emplace(planned.name, &planned);
  return own;
}

Reference ParseReference(std::string_view text, std::size_t write, const NumberRegistry& numbers) {
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos) return {text, text, {}, write};
  const std::size_t end = std::min(text.find('/', slash + 1), text.size());
  return {text,
          text.substr(0, end),
          {numbers.FindType(text.substr(0, slash)), text.substr(slash + 1, end - slash - 1)},
          write};
}

std::vector<Reference> CollectReferences(std::span<const PlannedWrite> writes,
                                         const NumberRegistry& numbers) {
  std::vector<Reference> references;
  for (std::size_t i = 0; i < writes.size(); ++i) {
    const Write& write = *writes[i].write;
    if (!writes[i].IsEffective() || writes[i].IsDelete() || write.type == kBundle) continue;
    for (const fhir::model::ReferenceSpan& span : write.form.references) {
      const std::string_view text =
          std::string_view(write.form.json).substr(span.offset, span.size);
      references.push_back(ParseReference(text, i, numbers));
    }
  }
  return references;
}

fhir::Result<bool> Exists(const Reference& reference, const OwnWrites& own, const Overlay& overlay,
                          CurrentVersions* current, KnownTargets* known) {
  if (reference.name.type == 0) return false;
  if (const auto found = own.find(reference.name); found != own.end()) {
    return found->second->LeavesResource();
  }
  if (overlay.Find(reference.name) == nullptr && known->Contains(reference.target)) return true;
  FHIR_TRY(found, current->Find(reference.name));
  const bool exists = found && found->IsLive();
  if (exists && found->pending == nullptr) known->Add(reference.target);
  return exists;
}

fhir::Error StillReferredTo(const Write& target, std::string_view type, std::string_view id) {
  return fhir::Conflict(target.type + "/" + target.id + " is still referred to by " +
                        std::string(type) + "/" + std::string(id) + ".");
}

// The committed documents that stop being live with this transaction.
using EndedDocuments = std::set<std::pair<TypeNumber, std::uint64_t>>;

// A live committed document of `type` that refers to `target` and stays.
fhir::Result<std::optional<std::uint64_t>> FindReferrer(TypeNumber type, const std::string& target,
                                                        const Overlay& overlay,
                                                        const EndedDocuments& ended) {
  const Snapshot& committed = overlay.Committed();
  const TypeState& state = *committed.Types()[type];
  const Budget unlimited;
  Work work(&unlimited);
  const IndexView references{&committed, type,
                             committed.Numbers().NumberOf(fhir::search::kReferencesIndex),
                             state.ChunkCount(), &work};
  const ChunkIteratorPtr referrers = MakePosting(references, target);
  for (std::uint64_t chunk = 0; referrers->Seek(chunk); ++chunk) {
    chunk = referrers->Chunk();
    const Bitmap* live = state.live[chunk].get();
    if (live == nullptr) continue;
    for (const std::uint32_t low : referrers->Documents() & *live) {
      const std::uint64_t document = DocumentOf(referrers->Chunk(), low);
      if (!overlay.HasEnded(type, document) && !ended.contains({type, document})) return document;
    }
  }
  FHIR_TRY_VOID(work.Outcome());
  return std::nullopt;
}

fhir::Result<void> CheckDelete(const PlannedWrite& planned, const OwnWrites& own,
                               const EndedDocuments& ended, Overlay* overlay) {
  const Snapshot& committed = overlay->Committed();
  const TypeNumber bundle = committed.Numbers().FindType(kBundle);
  const std::string target = planned.write->type + "/" + planned.write->id + '\0';
  for (const NewVersion* referrer : overlay->FindByEntry(fhir::search::kReferencesIndex, target)) {
    const auto written = own.find({referrer->type, referrer->write->id});
    const bool stays = written == own.end() || !written->second->IsEffective();
    if (referrer->type == bundle || !stays) continue;
    return fhir::Fail(StillReferredTo(*planned.write, referrer->write->type, referrer->write->id));
  }
  for (TypeNumber type = 1; type <= committed.Numbers().LastType(); ++type) {
    if (type == bundle || committed.Types()[type]->live_count == 0) continue;
    FHIR_TRY(referrer, FindReferrer(type, target, *overlay, ended));
    if (!referrer) continue;
    DocumentReader reader(committed, type);
    FHIR_TRY(facts, reader.Read(*referrer));
    return fhir::Fail(
        StillReferredTo(*planned.write, committed.Numbers().TypeName(type), facts.id));
  }
  return {};
}

}  // namespace

void KnownTargets::Add(std::string_view target) {
  if (targets_.size() >= kMaxKnownTargets) targets_.clear();
  targets_.emplace(target);
}

void KnownTargets::Forget(const Overlay& written) {
  for (const NewVersion& version : written.Versions()) {
    if (version.record.operation != Operation::kDelete) continue;
    targets_.erase(version.write->type + "/" + version.write->id);
  }
}

Rejection CheckReferences(std::span<const PlannedWrite> writes, const Overlay& overlay,
                          CurrentVersions* current, KnownTargets* known) {
  const std::vector<Reference> references =
      CollectReferences(writes, overlay.Committed().Numbers());
  if (references.empty()) return std::nullopt;
  const OwnWrites own = IndexWrites(writes);
  // Each target once, in the order of their keys.
  std::vector<const Reference*> targets;
  for (const Reference& reference : references) targets.push_back(&reference);
  std::sort(targets.begin(), targets.end(), [](const Reference* a, const Reference* b) {
    return std::tie(a->name.type, a->target) < std::tie(b->name.type, b->target);
  });
  const auto end =
      std::unique(targets.begin(), targets.end(),
                  [](const Reference* a, const Reference* b) { return a->target == b->target; });
  std::unordered_set<std::string_view> missing;
  for (auto target = targets.begin(); target != end; ++target) {
    const auto exists = Exists(**target, own, overlay, current, known);
    if (!exists) return Rejected(exists.error(), (*target)->write);
    if (!*exists) missing.insert((*target)->target);
  }
  if (missing.empty()) return std::nullopt;
  const auto first =
      std::find_if(references.begin(), references.end(),
                   [&](const Reference& reference) { return missing.contains(reference.target); });
  CommitResult rejected =
      Rejected(fhir::UnresolvedReference("The reference " + std::string(first->text) +
                                         " does not resolve: there is no such resource."),
               first->write);
  rejected.failed_reference = first->text;
  return rejected;
}

Rejection CheckDeletes(std::span<const PlannedWrite> writes, Overlay* overlay) {
  const bool deletes = std::any_of(writes.begin(), writes.end(),
                                   [](const PlannedWrite& planned) { return planned.IsDelete(); });
  if (!deletes) return std::nullopt;
  const OwnWrites own = IndexWrites(writes);
  EndedDocuments ended;
  for (const PlannedWrite& planned : writes) {
    if (const auto document = planned.EndedDocument()) {
      ended.emplace(planned.name.type, *document);
    }
  }
  for (std::size_t i = 0; i < writes.size(); ++i) {
    if (!writes[i].IsDelete()) continue;
    const auto checked = CheckDelete(writes[i], own, ended, overlay);
    if (!checked) return Rejected(checked.error(), i);
  }
  return std::nullopt;
}

}  // namespace storage
