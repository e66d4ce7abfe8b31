// fhir/json/patch.h
//
// JSON Patch (RFC 6902) with JSON Pointer (RFC 6901). Knows JSON and nothing of
// FHIR.
#pragma once

#include <string>

#include "fhir/base/result.h"
#include "fhir/json/document.h"

namespace fhir::json {

// A patch is short; this bounds its work.
inline constexpr std::size_t kMaxPatchOperations = 10'000;
// Of what `copy` makes, all in all: copying a value into itself doubles it every time.
inline constexpr std::size_t kMaxCopiedBytes = std::size_t{16} << 20;

// `target` with the operations of `patch` done in order, minified.
// Errors: Invalid for what is no patch document; Unprocessable for an operation that cannot be done
// on this target, a failed `test` among them; TooLarge beyond the bounds above. Each names the
// operation.
Result<std::string> ApplyPatch(const Value& target, const Value& patch);

}  // namespace fhir::json
