// fhir/model/subset.h
//
// A part of a resource for _elements and _summary (R4 3.1.1.5.8, 3.1.1.5.9), marked
// with the tag SUBSETTED so that nobody takes it for the whole.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "fhir/json/document.h"

namespace fhir::model {

// Appends `resource` (as a client sees it) with these top-level elements only, and with
// resourceType, id, meta and what its type requires. An element goes with its `_name` sibling; a
// choice may be named without its type ("value" keeps valueQuantity).
void AppendElements(std::string* out, const json::Value& resource,
                    std::span<const std::string_view> elements);

// Appends `resource` without these top-level elements (_summary=data leaves out "text"). What
// AppendElements always keeps is kept here, too.
void AppendWithout(std::string* out, const json::Value& resource,
                   std::span<const std::string_view> elements);

// Appends the short form of `resource` (_summary=true): at every depth what the definitions mark as
// summary, what a type requires, and modifierExtension, without which the rest may mean something
// else. What is left empty by that goes too.
void AppendSummary(std::string* out, const json::Value& resource);

}  // namespace fhir::model
