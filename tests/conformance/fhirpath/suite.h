// tests/conformance/fhirpath/suite.h
//
// HL7's file of cases and the resources that they start from, as they lie in a
// folder beside the checkout.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "fhir/json/document.h"

namespace fhir::path {

struct ExpectedItem {
  std::string type;  // "date", "code"; empty if the case says nothing of it.
  std::string text;
};

struct Case {
  std::string group;
  std::string name;
  std::string input_file;  // Empty: any resource will do.
  std::string expression;
  std::string invalid;  // "syntax", "semantic", "execution": an error is expected.
  std::string mode;     // "strict"
  bool is_predicate = false;
  bool is_ordered = true;
  std::vector<ExpectedItem> expected;
};

// ../shared/fhirpath beside the source directory.
std::filesystem::path SuiteFolder();

// Nothing if the file cannot be read.
std::optional<std::vector<Case>> LoadCases(const std::filesystem::path& file);

// Parsed inputs by file name; XML is turned into JSON.
class Inputs {
 public:
  explicit Inputs(std::filesystem::path folder) : folder_(std::move(folder)) {}

  // Null if it cannot be read; `problems` then says why.
  const json::Document* Find(const std::string& file);

  const std::string& Problems() const { return problems_; }

 private:
  std::filesystem::path folder_;
  std::map<std::string, std::unique_ptr<json::Document>> documents_;
  std::string problems_;
};

}  // namespace fhir::path
