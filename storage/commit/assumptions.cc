#include "storage/commit/assumptions.h"

#include <string>
#include <vector>

#include "storage/query/search.h"
#include "storage/reader.h"

namespace storage {
namespace {

// Ids of committed matches that the group has not replaced or deleted; two are enough to know.
fhir::Result<std::vector<std::string>> FindCommitted(const Assumption& assumption, TypeNumber type,
                                                     const Overlay& overlay,
                                                     std::int64_t* work_left) {
  constexpr std::size_t kEnough = 2;
  const Budget budget{.keys_left = work_left};
  const Snapshot& committed = overlay.Committed();
  FHIR_TRY(documents, FindFirst(
                          committed, type, assumption.where, kEnough,
                          [&](std::uint64_t d) { return overlay.HasEnded(type, d); }, budget));
  std::vector<std::string> ids;
  DocumentReader reader(committed, type);
  for (const std::uint64_t document : documents) {
    FHIR_TRY(facts, reader.Read(document));
    ids.emplace_back(facts.id);
  }
  return ids;
}

}  // namespace

fhir::Result<bool> Holds(const Assumption& assumption, std::uint64_t prepared_at, Overlay* overlay,
                         std::int64_t* work_left) {
  const Snapshot& committed = overlay->Committed();
  const TypeNumber type = committed.Numbers().FindType(assumption.type);
  if (type == 0) return assumption.id.empty();
  const bool is_untouched = committed.Types()[type]->last_t <= prepared_at;
  if (is_untouched && !overlay->HasWritten(type)) return true;

  std::vector<std::string> ids;
  if (!is_untouched) {
    auto found = FindCommitted(assumption, type, *overlay, work_left);
    if (*work_left < 0) return false;
    if (!found) return fhir::Fail(std::move(found).error());
    ids = *std::move(found);
  } else if (!assumption.id.empty() && overlay->Find({type, assumption.id}) == nullptr) {
    ids.push_back(assumption.id);
  }
  for (const NewVersion* match : overlay->FindMatches(type, assumption.where, work_left)) {
    ids.push_back(match->write->id);
  }
  if (*work_left < 0) return false;
  if (assumption.id.empty()) return ids.empty();
  return ids.size() == 1 && ids.front() == assumption.id;
}

}  // namespace storage
