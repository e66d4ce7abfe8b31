#include "fhir/path/regex.h"

#include <cctype>
#include <optional>
#include <utility>
#include <vector>

#include <re2/re2.h>

namespace fhir::path {

namespace {

constexpr std::size_t kMaxPatternBytes = 4096;
constexpr std::int64_t kMaxMemoryBytes = 1 << 20;

re2::StringPiece Piece(std::string_view text) {
  return {text.data(), text.size()};
}

// (?<name>…), as other engines write it, is (?P<name>…) in RE2. Lookbehinds stay, and are refused.
std::string WithNamedGroups(std::string_view pattern) {
  std::string result;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] == '\\' && i + 1 < pattern.size()) {
      result += pattern[i++];
    } else if (pattern.substr(i).starts_with("(?<") && i + 3 < pattern.size() &&
               std::isalpha(static_cast<unsigned char>(pattern[i + 3])) != 0) {
      result += "(?P<";
      i += 2;
      continue;
    }
    result += pattern[i];
  }
  return result;
}

using Groups = std::vector<re2::StringPiece>;

void AppendGroup(std::string* out, const Groups& groups, std::size_t index) {
  if (index < groups.size()) out->append(groups[index].data(), groups[index].size());
}

// Reads the "$1" or "${name}" at the front of *rest and appends the group. False if it is neither.
bool TakeGroup(std::string_view* rest, const re2::RE2& re, const Groups& groups, std::string* out) {
  if (rest->size() > 1 && std::isdigit(static_cast<unsigned char>((*rest)[1])) != 0) {
    AppendGroup(out, groups, static_cast<std::size_t>((*rest)[1] - '0'));
    rest->remove_prefix(2);
    return true;
  }
  const std::size_t end = rest->find('}');
  if (!rest->starts_with("${") || end == std::string_view::npos) return false;
  const auto& names = re.NamedCapturingGroups();
  const auto found = names.find(std::string(rest->substr(2, end - 2)));
  if (found != names.end()) AppendGroup(out, groups, static_cast<std::size_t>(found->second));
  rest->remove_prefix(end + 1);
  return true;
}

void AppendSubstitution(std::string* out, std::string_view substitution, const re2::RE2& re,
                        const Groups& groups) {
  while (!substitution.empty()) {
    if (substitution.front() == '$' && TakeGroup(&substitution, re, groups, out)) continue;
    if (substitution.starts_with("\\$") || substitution.starts_with("\\\\")) {
      substitution.remove_prefix(1);
    }
    out->push_back(substitution.front());
    substitution.remove_prefix(1);
  }
}

}  // namespace

Result<Regex> Regex::Compile(std::string_view pattern) {
  if (pattern.size() > kMaxPatternBytes) return Fail(Invalid("a regular expression is too long"));
  re2::RE2::Options options;
  options.set_dot_nl(true);
  options.set_log_errors(false);
  options.set_max_mem(kMaxMemoryBytes);
  auto re = std::make_unique<re2::RE2>(WithNamedGroups(pattern), options);
  if (!re->ok()) return Fail(Invalid("not a regular expression: " + re->error()));
  return Regex(std::move(re));
}

Regex::Regex(std::unique_ptr<re2::RE2> re) : re_(std::move(re)) {}
Regex::Regex(Regex&&) noexcept = default;
Regex& Regex::operator=(Regex&&) noexcept = default;
Regex::~Regex() = default;

std::size_t Regex::Cost() const {
  constexpr int kInstructionsPerStep = 16;
  return 1 + static_cast<std::size_t>(re_->ProgramSize() / kInstructionsPerStep);
}

bool Regex::MatchesPart(std::string_view text) const {
  return re2::RE2::PartialMatch(Piece(text), *re_);
}

bool Regex::MatchesAll(std::string_view text) const {
  return re2::RE2::FullMatch(Piece(text), *re_);
}

std::string Regex::Replace(std::string_view text, std::string_view substitution,
                           const std::function<bool(std::size_t bytes)>& spend) const {
  Groups groups(static_cast<std::size_t>(re_->NumberOfCapturingGroups()) + 1);
  std::string out;
  std::size_t at = 0;
  std::size_t copied = 0;
  while (at <= text.size() && re_->Match(Piece(text), at, text.size(), re2::RE2::UNANCHORED,
                                         groups.data(), static_cast<int>(groups.size()))) {
    const auto from = static_cast<std::size_t>(groups[0].data() - text.data());
    if (groups[0].empty()) {
      at = from + 1;
      continue;
    }
    const std::size_t before = out.size();
    out.append(text.substr(copied, from - copied));
    AppendSubstitution(&out, substitution, *re_, groups);
    at = copied = from + groups[0].size();
    if (!spend(out.size() - before)) return out;
  }
  out.append(text.substr(copied));
  return out;
}

}  // namespace fhir::path
