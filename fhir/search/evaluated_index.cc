#include "fhir/search/evaluated_index.h"

#include <string>
#include <utility>
#include <variant>

#include "fhir/json/document.h"
#include "fhir/json/writer.h"
#include "fhir/path/fhirpath.h"
#include "fhir/search/own_paths.h"
#include "fhir/search/types/token.h"

namespace fhir::search {
namespace {

void Encode(const IndexSpec& spec, std::string_view type, const json::Value& value,
            ValueSink* sink) {
  const Encoder encode = spec.rules->encoder_for(definitions::FindType(type));
  if (encode != nullptr) encode({value, {}}, sink);
}

// A value that was computed, as the FHIR type that holds such values.
Result<void> EncodeComputed(const IndexSpec& spec, const path::Item& item, ValueSink* sink) {
  if (const bool* flag = std::get_if<bool>(&item)) {
    if (spec.type == SearchType::kToken) EncodeFlag(*flag, sink);
    return {};
  }
  const std::optional<path::Text> text = path::ToText(item);
  if (!text || std::holds_alternative<path::Quantity>(item)) return {};
  const bool is_number = path::NumberOf(item).has_value();
  std::string json;
  if (is_number) {
    json = text->view;
  } else {
    json::Writer(&json).String(text->view);
  }
  FHIR_TRY(document, json::Document::Parse(json));
  std::string_view type = is_number ? "decimal" : "string";
  if (std::holds_alternative<path::Temporal>(item)) type = "dateTime";
  if (spec.type == SearchType::kUri) type = "uri";
  Encode(spec, type, document.Root(), sink);
  return {};
}

Result<void> EncodeItem(const IndexSpec& spec, const path::Item& item, ValueSink* sink) {
  const auto* element = std::get_if<path::Element>(&item);
  if (element == nullptr) return EncodeComputed(spec, item, sink);
  if (!element->value.IsNone()) {
    Encode(spec, definitions::GetType(element->type).name, element->value, sink);
  }
  return {};
}

}  // namespace

Result<void> EvaluateIndex(const IndexSpec& spec, const json::Value& resource, ValueSink* sink) {
  path::EvaluationContext context = path::ContextFor(resource);
  context.as_filters = true;
  context.max_steps = kMaxOwnSteps;
  auto items = path::Evaluate(*spec.evaluated, context);
  if (!items) {
    return Fail(Unprocessable("a search parameter's expression cannot be evaluated here (" +
                              spec.key + "): " + items.error().issues.front().diagnostics));
  }
  for (const path::Item& item : *items) {
    const std::size_t before = sink->Size();
    FHIR_TRY_VOID(EncodeItem(spec, item, sink));
    if (sink->Size() == before) sink->AddRaw(kPresenceValue);
  }
  return {};
}

}  // namespace fhir::search
