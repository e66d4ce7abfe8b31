#include "server/interactions/page_parameters.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "server/interactions/form_body.h"
#include "server/interactions/preference.h"

namespace server {
namespace {

fhir::Result<std::uint32_t> ParseCount(std::string_view text, std::uint32_t max) {
  std::uint32_t count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (error != std::errc() || end != text.data() + text.size() || count > max) {
    return fhir::Fail(
        fhir::Invalid("_count must be a number from 0 to " + std::to_string(max), "_count"));
  }
  return count;
}

fhir::Result<void> ReadParameter(const std::string& name, const std::string& value,
                                 std::span<const std::string_view> allowed, bool lenient,
                                 const Context& context, PageParameters* page,
                                 ShapeParameters* shape) {
  if (value.empty()) return {};  // As in a search: nothing is asked.
  FHIR_TRY(is_shape, ReadShapeParameter(name, value, shape));
  if (name == "_count") {
    FHIR_TRY(count, ParseCount(value, context.max_count));
    page->count = count;
    page->has_count = true;
  } else if (name == "_since") {
    const auto range = fhir::ParseDateTime(value, context.zone);
    if (!range) return fhir::Fail(fhir::Invalid("_since must be an instant", "_since"));
    page->since_us = range->low_us;
  } else if (std::ranges::find(allowed, name) != allowed.end()) {
    page->others.emplace_back(name, value);
  } else if (!is_shape && name != "_format" && name != "_pretty") {
    if (lenient) return {};
    return fhir::Fail(fhir::Invalid("there is no parameter " + name + " here", name));
  }
  page->applied.emplace_back(name, value);
  return {};
}

}  // namespace

fhir::Result<PageParameters> ReadPageParameters(const Request& request, std::string_view path,
                                                std::span<const std::string_view> allowed,
                                                const Context& context) {
  FHIR_TRY(parameters, fhir::search::DecodeParameters(request.query));
  if (request.verb == Verb::kPost) FHIR_TRY_VOID(AddParametersBody(request, &parameters));
  FHIR_TRY(token, TakePageToken(&parameters));
  PageParameters page;
  page.count = context.default_count;
  page.position.now_ms = request.received_ms;
  if (token) {
    FHIR_TRY(position, DecodePageToken(*token, CanonicalQuery(path, parameters),
                                       context.store->PageSecret()));
    page.position = position;
    page.from_token = true;
    FHIR_TRY(snapshot, context.store->At(position.t));
    page.snapshot = std::move(snapshot);
  } else {
    page.snapshot = context.store->Latest();
    page.position.t = storage::TransactionOf(*page.snapshot);
  }
  const bool lenient = ParsePreference(request.headers.prefer).lenient;
  ShapeParameters shape;
  for (const auto& [name, value] : parameters) {
    FHIR_TRY_VOID(ReadParameter(name, value, allowed, lenient, context, &page, &shape));
  }
  if (shape.summary == fhir::search::Summary::kCount) page.count = 0;
  FHIR_TRY(made, Shape::Of({}, shape.summary, std::move(shape.elements)));
  page.shape = std::move(made);
  return page;
}

}  // namespace server
