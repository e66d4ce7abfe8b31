// fhir/validation/structure.h
//
// Checks a resource's JSON against the R4 type table: unknown or repeated
// members, wrong JSON types, bad primitives, nulls, more than `max`, empty
// objects and arrays, `_name` siblings of primitives. Required elements are not
// demanded. The same walk finds every place that may hold a reference, since
// only the types tell them (a `uri` looks like any string).
//
// Knows no profiles, terminology or invariants.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "fhir/base/result.h"
#include "fhir/json/document.h"

namespace fhir::validation {

enum class SiteKind : std::uint8_t {
  kReference,  // Reference.reference
  kUri,        // uri, url, canonical, oid, uuid
  kNarrative,  // xhtml: may hold href and src attributes
};

// A string node whose text a transaction may have to rewrite.
struct Site {
  std::uint32_t node;
  SiteKind kind;
};

struct Inspection {
  std::vector<Issue> issues;  // All of them, in document order, at most kMaxIssues; empty: valid.
  std::vector<Site> sites;    // In node order. Complete only if there are no issues.
};

inline constexpr std::size_t kMaxIssues = 100;

// Inspects one resource, whatever its type (`resourceType` says it), with everything contained in
// it: contained resources, and for a Bundle the resources of its entries. Expressions begin with the
// resource's type ("Bundle.entry[3].resource.gender").
Inspection InspectResource(const json::Value& resource);

// The FHIRPath of a node below `resource` ("Observation.subject.reference"), for error messages.
// Cost: a walk from the root; for the error path only.
std::string ExpressionOf(const json::Value& resource, std::uint32_t node);

// True if `text` is a legal FHIR id (R4 2.24.0.1: [A-Za-z0-9\-\.]{1,64}).
bool IsId(std::string_view text);

}  // namespace fhir::validation
