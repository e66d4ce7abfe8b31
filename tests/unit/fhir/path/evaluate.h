// tests/unit/fhir/path/evaluate.h
//
// Evaluates an expression on a resource given as JSON, for tests.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "fhir/json/document.h"
#include "fhir/path/fhirpath.h"

namespace fhir::path {

// The result as texts: "true", "1.0", "2015-02"; "{Patient}" for what has no text; "error" with its
// issue code for an error of either step.
class Evaluator {
 public:
  explicit Evaluator(std::string_view resource);

  EvaluationContext& Context() { return context_; }
  std::vector<std::string> operator()(std::string_view expression) const;

 private:
  std::unique_ptr<json::Document> document_;
  EvaluationContext context_;
};

using Texts = std::vector<std::string>;

}  // namespace fhir::path
