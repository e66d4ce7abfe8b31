// fhir/terminology/code_system.h
//
// The concepts of a CodeSystem resource and the hierarchy that they stand in: concepts within
// concepts, and the properties parent, child and subsumedBy.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "fhir/base/result.h"
#include "fhir/json/document.h"

namespace fhir::terminology {

// Owner: one request. Thread-safety: immutable after Read. Views point into the resource.
class CodeSystem {
 public:
  // Errors: NotSupported, if not all of the concepts are in it.
  static Result<CodeSystem> Read(const json::Value& resource);

  const std::string& Url() const { return url_; }
  // In the order of the resource.
  std::vector<std::string_view> Codes() const;

  // The concept itself and all below (above) it.
  // Errors: Invalid if there is no such concept; NotSupported if the hierarchy is none of "is a".
  Result<std::vector<std::string_view>> Below(std::string_view code) const;
  Result<std::vector<std::string_view>> Above(std::string_view code) const;

  // The concepts whose property has this value; "parent" and "child" go by the hierarchy, "code" is
  // the code. Errors: NotSupported if the code system has no such property, or values of it that
  // are no codes, strings, numbers or booleans.
  Result<std::vector<std::string_view>> WithProperty(std::string_view property,
                                                     std::string_view value) const;

 private:
  struct Node {
    json::Value value;  // CodeSystem.concept
    std::string_view code;
    std::vector<std::uint32_t> parents;
    std::vector<std::uint32_t> children;
  };
  using Links = std::vector<std::uint32_t> Node::*;
  static constexpr std::uint32_t kNoParent = 0xFFFFFFFF;

  void AddConcepts(const json::Value& list, std::uint32_t parent);
  void AddLinksOf(std::uint32_t concept_number);
  void Link(std::uint32_t parent, std::uint32_t child);
  // True if the property puts concepts under others: R4's "parent" and "child" by whatever name.
  bool Means(std::string_view property, std::string_view meaning) const;
  Result<std::vector<std::string_view>> Follow(std::string_view code, Links links) const;
  Result<std::uint32_t> Find(std::string_view code) const;
  Result<void> CheckHierarchy() const;
  std::vector<std::string_view> Linked(std::string_view code, Links links) const;

  std::string url_;
  std::string hierarchy_meaning_;
  std::vector<Node> nodes_;
  std::unordered_map<std::string_view, std::uint32_t> by_code_;
  std::unordered_map<std::string_view, std::string_view> properties_;  // Code -> uri.
};

}  // namespace fhir::terminology
