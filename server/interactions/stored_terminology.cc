#include "server/interactions/stored_terminology.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "fhir/model/reference.h"
#include "fhir/search/escape.h"
#include "fhir/search/query.h"

namespace server {
namespace {

using fhir::json::Document;
using fhir::search::Expression;

std::string NameOf(std::string_view type, std::string_view reference) {
  return std::string(type) + " '" + std::string(reference) + "'";
}

// Asks the store for one resource of a type.
class Finder {
 public:
  Finder(const Context* context, const storage::Snapshot* snapshot, const storage::Budget* budget)
      : context_(context), snapshot_(snapshot), budget_(budget) {}

  fhir::Result<std::shared_ptr<const Document>> operator()(std::string_view type,
                                                           std::string_view reference) const {
    FHIR_TRY(document, FindDocument(type, reference));
    std::string json;
    FHIR_TRY_VOID(
        context_->store->ReadDocuments(*snapshot_, type, {&document, 1}, /*in_order=*/true,
                                       [&](std::size_t, const storage::ResourceView& view) {
                                         json = view.json;
                                         return true;
                                       }));
    FHIR_TRY(parsed, Document::Parse(json));
    return std::make_shared<const Document>(std::move(parsed));
  }

 private:
  fhir::Result<std::uint64_t> FindDocument(std::string_view type,
                                           std::string_view reference) const {
    const auto local = fhir::model::ParseLiteralReference(reference, context_->base_url);
    if (local && local->type == type && local->version.empty()) {
      FHIR_TRY(documents, Search(type, Expression::Ids({std::string(local->id)})));
      if (!documents.empty()) return documents.front();
    }
    FHIR_TRY(where, ByCanonical(type, reference));
    FHIR_TRY(documents, Search(type, where));
    if (documents.size() == 1) return documents.front();
    if (documents.empty()) {
      return fhir::Fail(fhir::Invalid("there is no " + NameOf(type, reference) + " here"));
    }
    return fhir::Fail(fhir::Invalid("there are several of " + NameOf(type, reference) +
                                    " here; url|version says which is meant"));
  }

  fhir::Result<Expression> ByCanonical(std::string_view type, std::string_view canonical) const {
    const std::size_t bar = canonical.rfind('|');
    fhir::search::Parameters parameters = {{"url", fhir::search::Escape(canonical.substr(0, bar))}};
    if (bar != std::string_view::npos) {
      parameters.emplace_back("version", fhir::search::Escape(canonical.substr(bar + 1)));
    }
    return fhir::search::ParseCriteria(storage::RegistryOf(*snapshot_), type, parameters, {});
  }

  // At most two.
  fhir::Result<std::vector<std::uint64_t>> Search(std::string_view type,
                                                  const Expression& where) const {
    const storage::PageRequest wanted{.offset = 0, .limit = 2, .want_total = false};
    FHIR_TRY(page, context_->store->Search(*snapshot_, type, where, {}, wanted, *budget_));
    return std::move(page.documents);
  }

  const Context* context_;
  const storage::Snapshot* snapshot_;
  const storage::Budget* budget_;
};

}  // namespace

fhir::terminology::Expander MakeStoredTerminology(const Context& context,
                                                  const storage::Snapshot& snapshot,
                                                  const storage::Budget& budget) {
  return fhir::terminology::Expander(Finder(&context, &snapshot, &budget));
}

}  // namespace server
