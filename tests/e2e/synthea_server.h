// tests/e2e/synthea_server.h
//
// A server with the Synthea bundles in it, and what was learned while they went in.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "fhir/json/document.h"
#include "tests/e2e/percent_encode.h"
#include "tests/e2e/server_process.h"
#include "tests/e2e/synthea_data.h"

namespace e2e {

struct UploadedBundle {
  const BundleFile* file = nullptr;
  std::vector<std::string> locations;  // "Patient/x" of each entry, in order; empty if it failed.
};

// Posts the bundles, the "0-" ones first and one by one, then `concurrency` at a time. Entries that
// were not answered 200 or 201 fail the test.
std::vector<UploadedBundle> Upload(int port, const std::vector<BundleFile>& bundles,
                                   std::size_t concurrency);

// All resources of a type, by following next links of `_count` = 1000.
std::vector<fhir::json::Document> FetchAll(int port, const std::string& type);

// GET that must be answered 200; parsed.
fhir::json::Document GetJson(HttpClient* client, const std::string& target);

// Bundle.total, or -1.
long TotalOf(const fhir::json::Document& bundle);
// The url of that link relation below the base ("Observation?…"), or empty.
std::string LinkOf(const fhir::json::Document& bundle, std::string_view relation);

}  // namespace e2e
