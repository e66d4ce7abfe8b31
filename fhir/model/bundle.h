// fhir/model/bundle.h
//
// A batch or transaction bundle as a list of requests, and how the references
// between its entries resolve (R4 3.1.0.11.2). Knows no storage: what a
// conditional reference or ifNoneExist finds is told to it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fhir/base/result.h"
#include "fhir/json/document.h"
#include "fhir/model/stored_form.h"
#include "fhir/validation/structure.h"

namespace fhir::model {

enum class BundleType : std::uint8_t { kBatch, kTransaction };
enum class Method : std::uint8_t { kGet, kHead, kPost, kPut, kPatch, kDelete };

struct BundleEntry {
  std::uint32_t index = 0;  // Position in Bundle.entry.
  Method method = Method::kGet;
  std::string_view url;       // As sent: "Patient", "Patient/x", "Patient?name=y".
  std::string_view full_url;  // Empty: none.
  std::string_view if_none_match;
  std::string_view if_modified_since;
  std::string_view if_match;
  std::string_view if_none_exist;
  json::Value resource;  // None if absent.
  // Batch only: why this entry cannot be run. Its other fields may be incomplete then.
  std::optional<Error> error;
};

// Views point into the document that the bundle was read from.
struct Bundle {
  BundleType type = BundleType::kBatch;
  std::vector<BundleEntry> entries;  // In request order.
};

// A request of its own takes some kilobytes until it is answered.
inline constexpr std::size_t kMaxEntries = 200'000;

// Errors: 413 for more than kMaxEntries; 400 naming the element, for what is no bundle or a bundle
// of another type and for a nested batch or transaction (a POST to the base, also if written as
// `base_url`); and in a transaction for an entry without request, method or url, an unknown method,
// a POST, PUT or PATCH without a resource, two entries with the same fullUrl or the same
// PUT/PATCH/DELETE target. In a batch an entry's own fault stands in BundleEntry::error.
// REQUIRES: `bundle` passed InspectResource.
Result<Bundle> ReadBundle(const json::Value& bundle, std::string_view base_url = {});

// The order in which a transaction runs its entries: DELETE, POST, PUT and PATCH, GET and HEAD;
// within one kind by position. Returns positions in `entries`.
std::vector<std::uint32_t> TransactionOrder(std::span<const BundleEntry> entries);

// What references become when they are stored. One per transaction or single write.
class ReferenceMap {
 public:
  // A Reference.reference to a resource below this URL (no trailing slash) becomes relative:
  // clients may know the server by several names, and its integrity is checked whatever the name.
  void SetBase(std::string_view base_url) { base_ = base_url; }
  // The entry with this fullUrl is stored as "Type/id". For a RESTful fullUrl
  // (http://h/fhir/Patient/New) the relative form Patient/New resolves too; for an entry that is
  // PUT to its own url the relative form is already right.
  void AddEntry(std::string_view full_url, std::string_view type_and_id);
  // The conditional reference `text` ("Practitioner?identifier=s|v", as written) is this resource.
  void AddConditional(std::string_view text, std::string_view type_and_id);

  // Nothing if `text` stays as it is. A fragment or version behind the fullUrl is kept
  // ("urn:uuid:…#part", "…/_history/1"). `full_url` is that of the entry which holds the text: if
  // it is RESTful, a relative text means a resource under the same root. Without such a root, a
  // relative text resolves if only one of the bundle's roots has it.
  std::optional<std::string> Resolve(std::string_view text, std::string_view full_url = {}) const;
  // The same, conditional references left alone.
  std::optional<std::string> ResolveEntry(std::string_view text,
                                          std::string_view full_url = {}) const;
  bool HasConditional(std::string_view text) const;
  bool HasEntries() const { return !targets_.empty(); }
  bool IsEmpty() const { return targets_.empty() && conditionals_.empty() && base_.empty(); }

 private:
  // Ordered, not hashed: a client chooses the keys, and could choose colliding ones.
  using Map = std::map<std::string, std::string, std::less<>>;

  // Null if there is none.
  const std::string* FindTarget(std::string_view key) const;
  const std::string* FindRelative(std::string_view key, std::string_view full_url) const;
  void Insert(std::string key, std::string_view target);

  std::string base_;  // Empty: none.
  Map targets_;       // An empty target: ambiguous, resolves to nothing.
  Map conditionals_;
  std::uint64_t key_sizes_ =
      0;  // Bit (size % 64) of each key in targets_: most texts are none of them.
};

// Edits for one resource: every site whose text resolves, href and src in narratives
// included. Conditional references resolve where a Reference.reference stands. In node order.
std::vector<Edit> ResolveReferences(const json::Value& resource,
                                    std::span<const validation::Site> sites,
                                    const ReferenceMap& references, std::string_view full_url = {});

// The sites of `all` (in node order) that lie inside `resource`.
std::span<const validation::Site> SitesWithin(std::span<const validation::Site> all,
                                              const json::Value& resource);

}  // namespace fhir::model
