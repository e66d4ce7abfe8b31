// tests/conformance/search/case_file.h
//
// The cases of cases/*.json. A file has resources, which are all that is stored, and cases:
//
//   ["Patient?gender=male", "a b"]                 these ids, in any order
//   ["Patient?gendr=male", 400]                    refused, and the answer names the parameter
//   ["Patient?_sort=birthdate", "b a", {"ordered": true}]
//
// Of searches over several types ids stand with their type ("Patient/a"). The third item may ask
// for more (see Case).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fhir/json/document.h"

namespace conformance {

struct Case {
  std::string query;
  int status = 200;
  std::vector<std::string> ids;
  bool ordered = false;
  std::size_t pages = 0;                             // 0: not walked.
  std::optional<std::vector<std::string>> includes;  // "Type/id".
  bool has_total = true;                             // false: there must be none.
  std::optional<std::size_t> total;                  // Else the number of ids.
  std::optional<std::vector<std::string>> members;   // Of the first match.
  std::optional<bool> is_subsetted;                  // The first match, by its tag.
  std::string prefer;                                // A header.
  std::string outcome;                               // An outcome entry has this text.
  std::optional<std::string> self;                   // The link, below the base.
  std::optional<std::string> form;                   // Sent by POST to _search.
};

struct CaseFile {
  bool index_content = false;
  std::vector<std::string> resources;  // JSON.
  std::vector<std::string> names;      // "Patient/a" of each.
  std::vector<Case> cases;
};

// The files by name ("token"), sorted.
std::vector<std::string> CaseFileNames();
CaseFile LoadCaseFile(const std::string& name);

// "a b" -> {"a", "b"}
std::vector<std::string> Words(std::string_view text);

}  // namespace conformance
