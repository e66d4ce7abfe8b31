// fhir/validation/primitive.h
//
// What the JSON of FHIR's primitives must look like (R4 2.24.0.1), by hand
// where the specification gives regular expressions. Lenient where it is in
// practice: a uri is any text without white space, an xhtml is not parsed.
//
// Thread-safety: free functions.
#pragma once

#include <string_view>

#include "fhir/definitions/definitions.h"
#include "fhir/json/document.h"

namespace fhir::validation {

// Boolean, number or string. REQUIRES: not kNone.
json::Kind JsonKindOf(definitions::Primitive primitive);

// True if `text`, a literal of the right JSON kind (strings unescaped), is a value of `primitive`.
bool IsLegalText(definitions::Primitive primitive, std::string_view text);

// True for uri and what derives from it.
bool IsUriType(definitions::Primitive primitive);

}  // namespace fhir::validation
