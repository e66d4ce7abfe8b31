// fhir/terminology/expander.h
//
// Expands value sets: what their compose includes and excludes, by the code systems and value sets
// that it names.
//
// What cannot be said exactly is refused: filters other than is-a, descendent-of and =, code systems
// that are not there as a whole, compose.inactive=false and lockedDate.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "fhir/base/result.h"
#include "fhir/json/document.h"
#include "fhir/terminology/code_system.h"
#include "fhir/terminology/terminology.h"

namespace fhir::terminology {

// Finds the ValueSet or CodeSystem that a canonical URL (perhaps with |version) or "ValueSet/id"
// names. Errors: Invalid if there is none or several.
using FindResource = std::function<Result<std::shared_ptr<const json::Document>>(
    std::string_view type, std::string_view reference)>;

// What one expansion may hold on its way.
inline constexpr std::size_t kMaxConcepts = 50'000;

// Remembers what it has read and expanded. Owner, threads, blocking: as Terminology.
class Expander final : public Terminology {
 public:
  explicit Expander(FindResource find) : find_(std::move(find)) {}

  Result<Concepts> Expand(std::string_view value_set) override;
  Result<Concepts> Below(std::string_view system, std::string_view code) override;
  Result<Concepts> Above(std::string_view system, std::string_view code) override;

 private:
  Result<Concepts> ExpandOnce(std::string_view value_set);
  Result<Concepts> ExpandCompose(const json::Value& compose);
  // The concepts of a list of compose.include or .exclude, together.
  Result<Concepts> Gather(const json::Value& parts, bool is_dated);
  Result<Concepts> Include(const json::Value& part, bool is_dated);
  Result<Concepts> OfSystem(const json::Value& part, bool is_dated);
  Result<std::vector<std::string_view>> Filter(const CodeSystem& system, const json::Value& filter);
  Result<const CodeSystem*> ReadSystem(std::string_view url);

  struct StoredSystem {
    std::shared_ptr<const json::Document> document;
    CodeSystem system;
  };

  const FindResource find_;
  std::map<std::string, Concepts, std::less<>> expanded_;
  std::map<std::string, std::unique_ptr<const StoredSystem>, std::less<>> systems_;
  std::vector<std::string> open_;  // Value sets that are being expanded, to find circles.
};

}  // namespace fhir::terminology
