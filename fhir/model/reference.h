// fhir/model/reference.h
//
// What the text of a Reference.reference says (R4 2.3.0.1), and nothing about
// whether the target exists.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace fhir::model {

// "Patient/x" or "Patient/x/_history/2", or the same behind `base_url`. Views into the text.
struct LiteralReference {
  std::string_view type;
  std::string_view id;
  std::string_view version;  // Empty: none.
};

// Nothing if it is not a literal reference to a resource of this server: a fragment (#x), a urn, a
// conditional reference, an absolute URL under another base, an unknown type or an illegal id.
// `base_url` is this server's base without a trailing slash, or empty.
std::optional<LiteralReference> ParseLiteralReference(std::string_view text,
                                                      std::string_view base_url);

// "Practitioner?identifier=s|v". Views into the text.
struct ConditionalReference {
  std::string_view type;
  std::string_view query;
};
std::optional<ConditionalReference> ParseConditionalReference(std::string_view text);

}  // namespace fhir::model
