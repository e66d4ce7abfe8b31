// fhir/path/element.h
//
// How FHIRPath walks from one element to those below it, by R4's type table:
// choices under their one name, primitives with their `_x` halves, arrays item
// by item. Members that R4 does not know are not there.
//
// Thread-safety: free functions.
#pragma once

#include <string_view>

#include "fhir/definitions/definitions.h"
#include "fhir/json/document.h"
#include "fhir/path/item.h"

namespace fhir::path {

// A whole resource; its type is what its resourceType says.
Element ResourceElement(const json::Value& resource);

// Appends the elements of that name ("value" for a valueQuantity).
void AppendMember(const Element& element, std::string_view name, Collection* out);
// Appends all elements directly below, in document order.
void AppendChildren(const Element& element, Collection* out);

// True if elements of that type may have such a member; "value" yes, "valueQuantity" no.
bool HasMember(definitions::TypeId type, std::string_view name);

// `type` is `ancestor` or derives from it ("code" from "string", "Patient" from "Resource").
// REQUIRES: `ancestor` is a name that IsKnownType.
bool IsOfType(definitions::TypeId type, std::string_view ancestor);
// A type of R4, abstract ones included ("Element", "BackboneElement").
bool IsKnownType(std::string_view name);

}  // namespace fhir::path
