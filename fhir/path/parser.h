// fhir/path/parser.h
//
// Tokens to an Ast, by FHIRPath's grammar and precedences. Compile() in
// fhirpath.h is the way in.
#pragma once

#include <string_view>

#include "fhir/base/result.h"
#include "fhir/path/ast.h"

namespace fhir::path {

// Errors: those of Compile.
Result<Ast> Parse(std::string_view text);

}  // namespace fhir::path
