#include "server/interactions/prepare_write.h"

#include <algorithm>
#include <utility>

#include "fhir/model/bundle.h"
#include "fhir/model/reference.h"
#include "server/interactions/own_parameters.h"
#include "server/interactions/preference.h"
#include "server/interactions/query_options.h"

namespace server {
namespace {

constexpr std::string_view kObservationValue =
    "http://terminology.hl7.org/CodeSystem/v3-ObservationValue";

std::string TypeOf(const fhir::json::Value& resource) {
  return std::string(resource.Find("resourceType").StringOrEmpty());
}

// What the answer to a single write needs until it is committed.
struct Pending {
  ParsedResource parsed;
  std::vector<fhir::model::Edit> edits;
  WrittenResource written;
};

fhir::Result<Reply> AnswerSingle(const Pending& pending, const storage::CommitResult& result) {
  if (result.status == storage::CommitResult::Status::kCommitted) {
    return AnswerWrite(pending.written, result.outcomes.front());
  }
  fhir::Error error = result.error;
  if (!result.failed_reference.empty()) {
    const auto node = FindReference(pending.parsed.Root(), pending.parsed.inspection.sites,
                                    pending.edits, result.failed_reference);
    for (fhir::Issue& issue : error.issues) {
      if (!node || !issue.expression.empty()) continue;
      issue.expression = fhir::validation::ExpressionOf(pending.parsed.Root(), *node);
    }
  }
  return fhir::Fail(std::move(error));
}

// Stored as they are they would lead nowhere, for good.
fhir::Result<void> CheckNoConditionalReference(const ParsedResource& parsed) {
  for (const fhir::validation::Site& site : parsed.inspection.sites) {
    if (site.kind != fhir::validation::SiteKind::kReference) continue;
    const fhir::json::Node& node = parsed.Root().Tape()[site.node];
    const std::string_view text(node.text, node.text_size);
    if (text.find('?') == std::string_view::npos) continue;
    if (!fhir::model::ParseConditionalReference(text)) continue;
    return fhir::Fail(fhir::Invalid(
        "conditional references are resolved in transactions only: " + std::string(text),
        fhir::validation::ExpressionOf(parsed.Root(), site.node)));
  }
  return {};
}

}  // namespace

fhir::Result<ParsedResource> ParseResource(std::string_view body) {
  FHIR_TRY(document, fhir::json::Document::Parse(body));
  ParsedResource parsed;
  parsed.document = std::make_unique<const fhir::json::Document>(std::move(document));
  parsed.inspection = fhir::validation::InspectResource(parsed.Root());
  return parsed;
}

fhir::Result<ParsedResource> ParseResourceOfType(std::string_view body, std::string_view type) {
  FHIR_TRY(parsed, ParseResource(body));
  if (!parsed.inspection.issues.empty()) {
    return fhir::Fail(fhir::InvalidStructure(std::move(parsed.inspection.issues)));
  }
  FHIR_TRY_VOID(CheckType(parsed.Root(), type));
  FHIR_TRY_VOID(CheckComplete(parsed.Root()));
  return std::move(parsed);
}

fhir::Result<void> CheckType(const fhir::json::Value& resource, std::string_view type) {
  const std::string actual = TypeOf(resource);
  if (actual == type) return {};
  return fhir::Fail(fhir::Invalid("the URL says " + std::string(type) + ", resourceType " + actual,
                                  actual + ".resourceType"));
}

fhir::Result<void> CheckComplete(const fhir::json::Value& resource) {
  const fhir::json::Value tags = resource.Find("meta").Find("tag");
  if (!tags.IsArray()) return {};
  std::size_t index = 0;
  for (const fhir::json::Value tag : tags.Children()) {
    if (tag.Find("code").StringOrEmpty() == "SUBSETTED" &&
        tag.Find("system").StringOrEmpty() == kObservationValue) {
      return fhir::Fail(fhir::Unprocessable(
          "the resource is tagged SUBSETTED: it is a part, which must not be stored as the whole",
          TypeOf(resource) + ".meta.tag[" + std::to_string(index) + "]"));
    }
    ++index;
  }
  return {};
}

fhir::Result<void> CheckId(const fhir::json::Value& resource, std::string_view id) {
  const std::string_view actual = resource.Find("id").StringOrEmpty();
  if (actual == id) return {};
  const std::string expression = TypeOf(resource) + ".id";
  if (actual.empty()) {
    return fhir::Fail(
        fhir::Invalid("an update's resource must have the id of the URL", expression));
  }
  return fhir::Fail(fhir::Invalid(
      "the URL says id " + std::string(id) + ", the resource " + std::string(actual), expression));
}

fhir::Result<void> SetConditionalTarget(const fhir::json::Value& resource,
                                        const std::optional<std::string>& found,
                                        const std::string& new_id, storage::Write* write) {
  const std::string_view named = resource.Find("id").StringOrEmpty();
  write->kind = storage::Write::Kind::kPut;
  if (found) {
    write->id = *found;
    return named.empty() ? fhir::Result<void>() : CheckId(resource, *found);
  }
  if (named.empty()) {
    write->kind = storage::Write::Kind::kCreate;
    write->id = new_id;
  } else {
    // The one that is there does not match, or it would have been found.
    write->id = named;
    write->if_none_match_any = true;
  }
  return {};
}

fhir::Result<void> SetContent(const fhir::search::Registry& registry,
                              const fhir::search::ExtractOptions& options,
                              const fhir::json::Value& resource,
                              std::span<const fhir::validation::Site> sites,
                              std::span<const fhir::model::Edit> edits, storage::Write* write) {
  write->form = fhir::model::MakeStoredForm(resource, write->id, sites, edits);
  write->entries = {};
  return fhir::search::ExtractEntries(registry, options, resource, edits, write->form,
                                      &write->entries);
}

std::optional<std::uint32_t> FindReference(const fhir::json::Value& resource,
                                           std::span<const fhir::validation::Site> sites,
                                           std::span<const fhir::model::Edit> edits,
                                           std::string_view text) {
  for (const fhir::validation::Site& site : sites) {
    if (site.kind != fhir::validation::SiteKind::kReference) continue;
    const auto edit = std::ranges::find(edits, site.node, &fhir::model::Edit::node);
    const fhir::json::Node& node = resource.Tape()[site.node];
    const std::string_view stands = edit != edits.end()
                                        ? std::string_view(edit->text)
                                        : std::string_view(node.text, node.text_size);
    if (stands == text) return site.node;
  }
  return std::nullopt;
}

fhir::Result<Preparation> PrepareSingle(const Request& request, const Context& context,
                                        ParsedResource parsed, storage::Write write,
                                        std::unique_ptr<storage::Transaction> transaction) {
  if (context.referential_integrity) FHIR_TRY_VOID(CheckNoConditionalReference(parsed));
  fhir::model::ReferenceMap references;
  references.SetBase(request.base_url);
  // Shared: std::function copies what it holds.
  auto pending = std::make_shared<Pending>();
  pending->edits =
      fhir::model::ResolveReferences(parsed.Root(), parsed.inspection.sites, references);
  // Criteria were looked for with those of their own snapshot.
  if (transaction->registry == nullptr) {
    transaction->registry = storage::SharedRegistryOf(*context.store->Latest());
  }
  FHIR_TRY_VOID(SetContent(*transaction->registry, ExtractOptionsOf(context), parsed.Root(),
                           parsed.inspection.sites, pending->edits, &write));
  pending->written.base_url = request.base_url;
  pending->written.type = write.type;
  pending->written.id = write.id;
  pending->written.answer = ParsePreference(request.headers.prefer).answer;
  if (pending->written.WantsRepresentation()) {
    pending->written.json = write.form.json;
    pending->written.meta_offset = write.form.meta_offset;
  }
  pending->parsed = std::move(parsed);
  transaction->writes.push_back(std::move(write));
  transaction->instant_ms = request.received_ms;
  FHIR_TRY_VOID(PlanRegistryOfOne(transaction.get()));
  PreparedWrite prepared;
  prepared.transaction = std::move(transaction);
  prepared.answer = [pending](const storage::CommitResult& result) {
    return AnswerSingle(*pending, result);
  };
  return prepared;
}

}  // namespace server
