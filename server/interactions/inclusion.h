// server/interactions/inclusion.h
//
// What the matches of one page include: _include and _revinclude (R4
// 3.1.1.5.3). Each resource comes once, and a match of the page never as an
// include. Their order depends on the snapshot and the query alone, so that a
// page that is cut can be gone on with.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "fhir/base/result.h"
#include "fhir/definitions/definitions.h"
#include "fhir/search/include.h"
#include "server/runtime/context.h"
#include "storage/store.h"

namespace server {

// One resource at a snapshot.
struct FoundDocument {
  fhir::definitions::TypeId type;
  std::uint64_t document;
};

// Calls visit(position in `documents`, view) for each, in order, until it returns false.
// Errors: TooCostly. Blocking: reads the disk.
fhir::Result<void> ReadFound(const storage::Store& store, const storage::Snapshot& snapshot,
                             std::span<const FoundDocument> documents,
                             const storage::Budget& budget, const storage::Store::Visit& visit);

// Owner: one request; all that it is given outlives it. Thread-safety: single-owner.
class Inclusion {
 public:
  Inclusion(const Context& context, const storage::Snapshot& snapshot,
            const std::vector<fhir::search::Include>& includes, const storage::Budget& budget);

  // A match of the page. REQUIRES: before Find.
  void AddMatch(std::uint64_t document, const storage::ResourceView& view);

  // The first `wanted` resources that are included. Errors: TooCostly. Blocking: reads the disk.
  // Cost: a search for each include and type, each time that includes lead further.
  fhir::Result<std::vector<FoundDocument>> Find(std::uint64_t wanted);

 private:
  using TypeId = fhir::definitions::TypeId;
  using Include = fhir::search::Include;
  // What resources refer to by one include.
  struct Targets {
    std::map<TypeId, std::set<std::string>> ids;
    std::set<std::string> canonicals;
  };
  // What one round starts from: the matches, or what the round before added.
  struct Round {
    std::vector<Targets> referred;                    // By include; nothing for _revinclude.
    std::map<TypeId, std::vector<std::string>> ids;   // For _revinclude: of the resources.
    std::map<TypeId, std::vector<std::string>> urls;  // The same, their canonical URLs.
  };

  bool IsInRound(const Include& include) const { return is_first_ || include.iterate; }
  void Note(TypeId type, const storage::ResourceView& view);
  void NoteReferences(const storage::ResourceView& view, const fhir::json::Value& resource,
                      std::size_t include);
  fhir::Result<void> NoteFound(std::size_t begin);
  fhir::Result<void> Follow(const Include& include, const Targets& targets);
  fhir::Result<void> FollowBack(const Include& include, const Round& round);
  fhir::Result<void> Add(std::string_view type, const fhir::search::Expression& where);

  const Context& context_;
  const storage::Snapshot& snapshot_;
  const std::vector<Include>& includes_;
  const storage::Budget& budget_;
  const fhir::search::ExtractOptions extract_;
  bool is_first_ = true;  // The round that starts from the matches.
  Round round_;           // The next.
  std::uint64_t wanted_ = 0;
  std::vector<FoundDocument> found_;
  std::map<TypeId, std::unordered_set<std::uint64_t>> seen_;  // Matches too.
};

}  // namespace server
