// fhir/model/reference.cc
#include "fhir/model/reference.h"

#include "fhir/definitions/definitions.h"
#include "fhir/validation/structure.h"

namespace fhir::model {
namespace {

// What stands before the next slash; the slash goes too.
std::string_view TakeSegment(std::string_view* rest) {
  std::size_t slash = rest->find('/');
  std::string_view segment = rest->substr(0, slash);
  rest->remove_prefix(slash == std::string_view::npos ? rest->size() : slash + 1);
  return segment;
}

bool BeginsLikeAType(std::string_view text) {
  return !text.empty() && text.front() >= 'A' && text.front() <= 'Z';
}

}  // namespace

std::optional<LiteralReference> ParseLiteralReference(std::string_view text,
                                                      std::string_view base_url) {
  if (!base_url.empty() && text.starts_with(base_url) &&
      text.substr(base_url.size()).starts_with('/')) {
    text.remove_prefix(base_url.size() + 1);
  }
  // Most other texts (urn:…, http:…, #…) end here.
  if (!BeginsLikeAType(text) || text.ends_with('/')) return std::nullopt;
  LiteralReference reference;
  reference.type = TakeSegment(&text);
  reference.id = TakeSegment(&text);
  if (!validation::IsId(reference.id) || !definitions::IsResourceType(reference.type)) {
    return std::nullopt;
  }
  if (text.empty()) return reference;
  if (TakeSegment(&text) != "_history" || !validation::IsId(text)) return std::nullopt;
  reference.version = text;
  return reference;
}

std::optional<ConditionalReference> ParseConditionalReference(std::string_view text) {
  std::size_t mark = text.find('?');
  if (mark == std::string_view::npos || !BeginsLikeAType(text)) return std::nullopt;
  ConditionalReference reference{text.substr(0, mark), text.substr(mark + 1)};
  if (!definitions::IsResourceType(reference.type)) return std::nullopt;
  return reference;
}

}  // namespace fhir::model
