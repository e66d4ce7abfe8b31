// server/interactions/stored_terminology.h
//
// Value sets and code systems are those that are stored here, as they were at the search's snapshot.
#pragma once

#include "fhir/terminology/expander.h"
#include "server/runtime/context.h"
#include "storage/store.h"

namespace server {

// A terminology for one search: a canonical URL names the one ValueSet or CodeSystem with that url
// (and version), "ValueSet/x" the one with that id. Reads nothing until it is asked.
// All arguments outlive it.
fhir::terminology::Expander MakeStoredTerminology(const Context& context,
                                                  const storage::Snapshot& snapshot,
                                                  const storage::Budget& budget);

}  // namespace server
