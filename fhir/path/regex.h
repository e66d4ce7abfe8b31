// fhir/path/regex.h
//
// Regular expressions in time linear in the text: RE2's syntax, where . matches
// line ends too and (?<name>…) is understood. The only file that includes RE2.
//
// Thread-safety: immutable.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "fhir/base/result.h"

namespace re2 {
class RE2;
}

namespace fhir::path {

class Regex {
 public:
  // Errors: Invalid, if it is no such expression or is too big.
  static Result<Regex> Compile(std::string_view pattern);

  Regex(Regex&&) noexcept;
  Regex& operator=(Regex&&) noexcept;
  ~Regex();

  // In proportion to what it costs per byte of text, at least 1.
  std::size_t Cost() const;

  bool MatchesPart(std::string_view text) const;
  bool MatchesAll(std::string_view text) const;

  // `text` with every match replaced. In `substitution` $1 and ${name} stand for groups, and \$ for
  // a dollar. An empty match is left alone. Stops when `spend`, told of bytes made, returns false.
  std::string Replace(std::string_view text, std::string_view substitution,
                      const std::function<bool(std::size_t bytes)>& spend) const;

 private:
  explicit Regex(std::unique_ptr<re2::RE2> re);

  std::unique_ptr<re2::RE2> re_;
};

}  // namespace fhir::path
