// fhir/search/include.h
//
// _include and _revinclude (R4 3.1.1.5.3): which references lead from a result
// to further resources, what one resource holds of them, and what to search for.
// Knows nothing of pages or of what is in the store.
//
// Thread-safety: values and free functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "fhir/base/result.h"
#include "fhir/json/document.h"
#include "fhir/search/expression.h"
#include "fhir/search/extract.h"
#include "fhir/search/registry.h"

namespace fhir::search {

// One _include or _revinclude.
struct Include {
  bool reverse = false;  // _revinclude: from what is referred to, to what refers.
  bool iterate = false;  // Starts from included resources too, not from matches alone.
  std::string source;    // The type that holds the references. Empty ("*"): any.
  std::string target;    // Only references to this type. Empty: to any.
  // Where the references stand. Empty ("*"): all literal references, whatever element holds them.
  std::vector<IndexId> references;
  // Types that the references may name by a canonical URL. Empty: they are literal references.
  std::vector<std::string> canonical_targets;

  bool IsOfAllReferences() const { return references.empty(); }
};

// True for _include and _revinclude, with or without a modifier.
bool IsInclude(std::string_view name);

// REQUIRES: IsInclude(name). `value` is "*", "Type:*", "Type:parameter", and the last two with
// ":TargetType". Errors: Invalid or NotSupported, naming the parameter. `unknown` is null, or is
// set if the type has no such search parameter (which lenient handling leaves out).
Result<Include> ParseInclude(const Registry& registry, std::string_view name,
                             std::string_view value, bool* unknown);

// What a resource refers to by one include.
struct Referred {
  std::vector<std::string> literals;    // "Type/id", versions dropped.
  std::vector<std::string> canonicals;  // URLs, perhaps with |version.
};
// REQUIRES: not include.IsOfAllReferences(); `resource` is of type include.source.
Referred ReferencesIn(const Registry& registry, const ExtractOptions& options,
                      const Include& include, const json::Value& resource);

// Resources of include.source that refer to one of `ids`, which are of type `target`, or to one of
// `canonicals`.
Expression ReferrersTo(const Include& include, std::string_view target,
                       const std::vector<std::string>& ids,
                       const std::vector<std::string>& canonicals);

// Resources of type `type` that carry one of these canonical URLs; a URL without version means any
// version. None, if the type has no URLs.
Expression CarriersOf(const Registry& registry, std::string_view type,
                      const std::vector<std::string>& canonicals);

// The canonical URLs that mean this resource: with its version and without. None, if it has no url.
std::vector<std::string> CanonicalsOf(const json::Value& resource);

}  // namespace fhir::search
