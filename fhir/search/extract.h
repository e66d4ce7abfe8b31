// fhir/search/extract.h
//
// Makes the index entries of one resource.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "fhir/base/result.h"
#include "fhir/base/time.h"
#include "fhir/json/document.h"
#include "fhir/model/stored_form.h"
#include "fhir/search/index_entries.h"
#include "fhir/search/registry.h"

namespace fhir::search {

// What entries depend on besides the resource.
struct ExtractOptions {
  TimeZone zone = TimeZone::Utc();
  std::string base_url;  // Absolute references below it are local. No trailing slash.
};

// Values of composite parameters in one resource: their number is a product (codes times values),
// so a small resource could ask for any amount of work and memory.
inline constexpr std::size_t kMaxTuples = 100'000;
inline constexpr std::size_t kMaxTupleBytes = std::size_t{16} << 20;
// JSON values that components outside of their element (%resource) are made from: read once for
// each element.
inline constexpr std::size_t kMaxTupleSources = 5'000'000;

// Values of one resource together: folding makes some texts eleven times longer.
inline constexpr std::size_t kMaxIndexBytes = std::size_t{256} << 20;
// A text that is searched by its words. R4 allows strings of 1 Mi characters.
inline constexpr std::size_t kMaxTextBytes = std::size_t{4} << 20;

// Adds the entries of every index of the resource's type, and of kReferencesIndex from
// `stored.references`, and finishes `entries`. The resource is the one that `stored` was made
// from; where an edit replaced a reference, the edited text counts (hence `edits`, in node order).
// REQUIRES: `resource` passed InspectResource.
// Errors: Unprocessable, if there would be more or longer values than that.
Result<void> ExtractEntries(const Registry& registry, const ExtractOptions& options,
                            const json::Value& resource, std::span<const model::Edit> edits,
                            const model::StoredForm& stored, IndexEntries* entries);

// The entries of some indexes alone, for a resource that was stored before they were there:
// `plan` has those, `json` is the resource as it is stored. Errors: as ExtractEntries.
Result<void> ExtractStored(const ExtractionPlan& plan, const ExtractOptions& options,
                           std::string_view json, IndexEntries* entries);

}  // namespace fhir::search
