// server/interactions/form_body.h
//
// Parameters that are POSTed: a form, or a Parameters resource.
#pragma once

#include "fhir/base/result.h"
#include "fhir/search/query.h"
#include "server/runtime/request.h"

namespace server {

// Appends the parameters of an application/x-www-form-urlencoded body. An empty body has none.
// Errors: UnsupportedMediaType, Invalid.
fhir::Result<void> AddFormBody(const Request& request, fhir::search::Parameters* parameters);

// The same, and for FHIR JSON those of a Parameters resource, whose values must be primitive
// (R4 3.2.0.2). For operations.
fhir::Result<void> AddParametersBody(const Request& request, fhir::search::Parameters* parameters);

}  // namespace server
