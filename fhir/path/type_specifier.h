// fhir/path/type_specifier.h
//
// Types as FHIRPath names them: "Patient", "FHIR.string", "System.String".
//
// Thread-safety: free functions.
#pragma once

#include <string_view>

#include "fhir/path/ast.h"
#include "fhir/path/item.h"

namespace fhir::path {

bool IsTypeNamespace(std::string_view name);

// Any System type is known; one that does not exist has no items.
bool IsKnownType(const TypeSpecifier& type);

// `item` is of that type or of a subtype.
bool IsOfType(const Item& item, const TypeSpecifier& type);
// The same for `as` and ofType(): a primitive must be of that very type, since R4's choices tell
// uri from canonical and code from string.
bool IsKeptAs(const Item& item, const TypeSpecifier& type);

}  // namespace fhir::path
