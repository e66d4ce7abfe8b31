// fhir/validation/element_path.h
//
// Where in a resource something is, as a stack that is cheap to keep and
// becomes text only for an error message.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace fhir::validation {

// Owner: one walk. Thread-safety: single-owner.
class ElementPath {
 public:
  static constexpr std::uint32_t kNoIndex = UINT32_MAX;

  // The root's type, which every expression begins with. It outlives the path.
  void SetRoot(std::string_view type) { root_ = type; }

  // `name` outlives the path.
  void Push(std::string_view name) { steps_.push_back({name, kNoIndex}); }
  void Pop() { steps_.pop_back(); }
  // The item of the innermost element that is meant.
  void SetIndex(std::uint32_t index) { steps_.back().index = index; }

  // "Patient.name[0].given[1]"
  std::string ToString() const;

 private:
  struct Step {
    std::string_view name;
    std::uint32_t index;
  };

  std::string_view root_;
  std::vector<Step> steps_;
};

}  // namespace fhir::validation
