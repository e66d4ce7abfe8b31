#include "fhir/search/extract.h"

#include "fhir/base/check.h"
#include "fhir/search/extraction_plan.h"

namespace fhir::search {
namespace {

// "Patient/x/_history/2" -> "Patient/x".
std::string_view WithoutVersion(std::string_view reference) {
  const std::size_t id = reference.find('/') + 1;
  return reference.substr(0, reference.find('/', id));
}

void AddReferences(const model::StoredForm& stored, IndexEntries* entries) {
  std::string value;
  for (const model::ReferenceSpan& span : stored.references) {
    value = WithoutVersion(std::string_view(stored.json).substr(span.offset, span.size));
    value.push_back('\0');
    entries->Add(kReferencesIndex, value);
  }
}

Result<void> CheckLimits(const ValueSink& sink) {
  if (sink.IsOverfull()) {
    return Fail(Unprocessable("the resource has a searchable text of more than " +
                              std::to_string(kMaxTextBytes) + " bytes, or too many long ones"));
  }
  if (sink.HasTooManyTuples()) {
    return Fail(
        Unprocessable("the resource has too many or too long combinations of values for composite "
                      "search parameters (" +
                      std::to_string(kMaxTuples) + " are allowed)"));
  }
  return {};
}

// The bytes are parsed again: they are what a later build of the index will read.
Result<void> ExtractEvaluated(const ExtractionPlan& plan, const ExtractOptions& options,
                              const std::string& json, IndexEntries* entries) {
  FHIR_TRY(document, json::Document::Parse(json));
  ValueSink sink(options, {}, entries);
  FHIR_TRY_VOID(plan.ExtractEvaluated(document.Root(), &sink));
  return CheckLimits(sink);
}

}  // namespace

Result<void> ExtractEntries(const Registry& registry, const ExtractOptions& options,
                            const json::Value& resource, std::span<const model::Edit> edits,
                            const model::StoredForm& stored, IndexEntries* entries) {
  const ExtractionPlan* plan = registry.PlanOf(resource.Find("resourceType").StringOrEmpty());
  FHIR_CHECK(plan != nullptr, "the resource was inspected, so it has a type");
  ValueSink sink(options, edits, entries);
  plan->Extract(resource, &sink);
  FHIR_TRY_VOID(CheckLimits(sink));
  if (plan->HasEvaluated()) {
    FHIR_TRY_VOID(ExtractEvaluated(*plan, options, stored.json, entries));
  }
  AddReferences(stored, entries);
  entries->Finish();
  return {};
}

Result<void> ExtractStored(const ExtractionPlan& plan, const ExtractOptions& options,
                           std::string_view json, IndexEntries* entries) {
  FHIR_TRY(document, json::Document::Parse(json));
  ValueSink sink(options, {}, entries);
  plan.Extract(document.Root(), &sink);
  FHIR_TRY_VOID(plan.ExtractEvaluated(document.Root(), &sink));
  FHIR_TRY_VOID(CheckLimits(sink));
  entries->Finish();
  return {};
}

}  // namespace fhir::search
