// server/interactions/conditional_references.cc -- references such as
// Practitioner?identifier=s|v in a transaction become references to the one match,
// which may be a resource of the same bundle (R4 3.1.0.11.3).
//
// Each distinct text is looked up once. Whether a resource of the bundle matches may not depend on
// its own conditional references.
#include <algorithm>
#include <utility>

#include "fhir/model/reference.h"
#include "server/interactions/criteria.h"
#include "server/interactions/transaction_builder.h"

namespace server {

using fhir::validation::SiteKind;

fhir::Result<void> TransactionBuilder::ResolveConditionalReferences() {
  const std::map<std::string_view, Conditional> conditionals = CollectConditionals();
  for (const auto& [text, conditional] : conditionals) {
    FHIR_TRY_VOID(AddCandidatesOf(conditional.type));
  }
  for (const auto& [text, conditional] : conditionals) {
    fhir::Result<void> resolved = ResolveConditional(text, conditional);
    if (resolved) continue;
    const std::string expression = plan_->ExpressionOf(conditional.entry, conditional.node);
    fhir::Error error = std::move(resolved).error();
    for (fhir::Issue& issue : error.issues) issue.expression = expression;
    return fhir::Fail(std::move(error));
  }
  return {};
}

std::map<std::string_view, TransactionBuilder::Conditional>
TransactionBuilder::CollectConditionals() {
  std::map<std::string_view, Conditional> conditionals;
  for (std::uint32_t i = 0; i < plan_->entries.size(); ++i) {
    if (!WritesContent(i)) continue;
    const std::vector<fhir::json::Node>& nodes = plan_->ContentOf(i).Tape();
    for (const fhir::validation::Site& site : plan_->SitesOf(i)) {
      if (site.kind != SiteKind::kReference) continue;
      const std::string_view text(nodes[site.node].text, nodes[site.node].text_size);
      if (text.find('?') == std::string_view::npos) continue;
      const auto parsed = fhir::model::ParseConditionalReference(text);
      if (!parsed) continue;
      plan_->entries[i].is_conditional = true;
      conditionals.try_emplace(text, Conditional{parsed->type, parsed->query, i, site.node});
    }
  }
  return conditionals;
}

fhir::Result<void> TransactionBuilder::AddCandidatesOf(std::string_view type) {
  if (written_.contains(type)) return {};
  BundleCandidates& candidates = written_[std::string(type)];
  for (std::uint32_t i = 0; i < plan_->entries.size(); ++i) {
    PlannedEntry& entry = plan_->entries[i];
    if (entry.type != type || !WritesContent(i)) continue;
    FHIR_TRY_VOID(MakeContent(i));
    // Made again when its own conditional references are known.
    entry.has_content = !entry.is_conditional;
    candidates.Add(i, entry.id, request_.received_ms * 1000, &entry.write.entries);
  }
  return {};
}

fhir::Result<void> TransactionBuilder::ResolveConditional(std::string_view text,
                                                          const Conditional& conditional) {
  const std::string type(conditional.type);
  FHIR_TRY(where,
           ReadCriteria(request_, context_, *transaction_->registry, type, conditional.query));
  FHIR_TRY(found, FindInStore(type, where));
  std::vector<std::string> ids;
  for (const std::uint32_t i : written_.find(type)->second.Find(where)) {
    ids.push_back(plan_->entries[i].id);
  }
  if (found) {
    // What the bundle writes anew counts as it will be, not as it was.
    if (!std::ranges::binary_search(identities_, Identity(type, *found))) ids.push_back(*found);
  }
  if (ids.empty()) {
    return fhir::Fail(
        fhir::Invalid("no resource matches the conditional reference " + std::string(text)));
  }
  if (ids.size() > 1) {
    return fhir::Fail(fhir::MultipleMatches("several resources match the conditional reference " +
                                            std::string(text)));
  }
  plan_->references.AddConditional(text, type + "/" + ids.front());
  return {};
}

}  // namespace server
