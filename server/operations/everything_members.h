// server/operations/everything_members.h
//
// Which resources of a patient's compartment Patient/$everything answers with.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fhir/base/result.h"
#include "fhir/search/query.h"
#include "server/runtime/context.h"
#include "storage/store.h"

namespace server {

// The operation's parameters (R4 Patient/$everything).
struct EverythingFilter {
  std::string start;  // Date as sent, or empty: resources whose care was before are left out.
  std::string end;    // The same, for after.
  std::optional<std::int64_t> since_us;  // Versions committed at or after.
  std::vector<std::string> types;        // Empty: all.

  bool Allows(std::string_view type) const;
};

// Documents of one type at a snapshot.
struct DocumentsOfType {
  std::string_view type;  // From the type table.
  std::vector<std::uint64_t> documents;
};

// The search parameter that says when the care of such a resource took place ("onset-date" of a
// Condition); empty if the type has none. Start and end then do not touch it.
std::string_view CareDateParameter(std::string_view type);

// The patient first, then by type. Errors: Invalid for a bad start or end; TooCostly.
// Cost: one search for each type that has resources and belongs to the compartment.
fhir::Result<std::vector<DocumentsOfType>> FindMembers(const Context& context,
                                                       const storage::Snapshot& snapshot,
                                                       std::string_view patient_id,
                                                       const EverythingFilter& filter,
                                                       const fhir::search::QueryOptions& options,
                                                       const storage::Budget& budget);

}  // namespace server
