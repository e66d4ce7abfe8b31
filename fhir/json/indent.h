// fhir/json/indent.h
//
// JSON text with a line for each value, for people (_pretty=true). A scan that
// knows strings and brackets: nothing is parsed, and every value stays as it
// is written.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace fhir::json {

// Takes minified JSON in pieces that may end anywhere. Owner: one answer.
// Thread-safety: single-owner.
class Indenter {
 public:
  explicit Indenter(std::string* out) : out_(out) {}

  void Append(std::string_view piece);

 private:
  void AppendOutsideString(char c);
  void BreakLine();

  std::string* out_;
  std::size_t depth_ = 0;
  bool in_string_ = false;
  bool is_escaped_ = false;  // The character before was a backslash in a string.
  bool just_opened_ = false;
};

}  // namespace fhir::json
