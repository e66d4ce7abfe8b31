// fhir/model/stored_form.h
//
// The bytes of a resource as they are stored and sent: minified JSON whose
// first members are resourceType, id and meta, without meta.versionId and
// meta.lastUpdated. Those two are put in on the way out, at `meta_offset`, so
// that stored bytes never change and identical content is identical bytes.
//
//   {"resourceType":"Patient","id":"x","meta":{"profile":[…]},"gender":"male"}
//                                             ^ meta_offset
//
// `meta` is always there (`"meta":{}` when it has nothing else).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fhir/json/document.h"
#include "fhir/validation/structure.h"

namespace fhir::model {

// Replace the text of one string node.
struct Edit {
  std::uint32_t node;
  std::string text;
};

// Where in StoredForm::json a local literal reference ("Patient/x", without quotes) stands.
struct ReferenceSpan {
  std::uint32_t offset;
  std::uint32_t size;
};

struct StoredForm {
  std::string json;
  std::uint32_t meta_offset = 0;
  // Every Reference.reference, in contained resources too, that is a relative literal reference to
  // a resource (with or without /_history/n). In order of offset.
  std::vector<ReferenceSpan> references;
};

// REQUIRES: `resource` passed InspectResource; `sites` are those inside it, `edits` in node order.
// Members named resourceType, id, meta.versionId and meta.lastUpdated in the source are replaced or
// dropped; `id` is what is stored.
StoredForm MakeStoredForm(const json::Value& resource, std::string_view id,
                          std::span<const validation::Site> sites, std::span<const Edit> edits);

// Appends the resource as a client sees it: `json` with versionId and lastUpdated put in.
// `last_updated` as in FormatInstant (fhir/base/time.h).
void AppendResource(std::string* out, std::string_view json, std::uint32_t meta_offset,
                    std::uint64_t version, std::string_view last_updated);

}  // namespace fhir::model
