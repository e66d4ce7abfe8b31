// fhir/path/strict.h
//
// What strict mode refuses before anything is evaluated: places in unordered
// collections, and elements that the type given to `as` does not have.
#pragma once

#include "fhir/base/result.h"
#include "fhir/path/ast.h"

namespace fhir::path {

// Errors: Invalid, naming the position.
Result<void> CheckStrict(const Ast& ast);

}  // namespace fhir::path
