#include "fhir/json/indent.h"

namespace fhir::json {
namespace {

constexpr std::size_t kSpacesPerLevel = 2;

}  // namespace

void Indenter::BreakLine() {
  out_->push_back('\n');
  out_->append(depth_ * kSpacesPerLevel, ' ');
}

void Indenter::AppendOutsideString(char c) {
  const bool closes = c == '}' || c == ']';
  if (closes && depth_ > 0) --depth_;
  // An empty object or array stays on its line.
  if (just_opened_ != closes) BreakLine();
  just_opened_ = c == '{' || c == '[';
  if (just_opened_) ++depth_;
  in_string_ = c == '"';
  out_->push_back(c);
  if (c == ',') BreakLine();
  if (c == ':') out_->push_back(' ');
}

void Indenter::Append(std::string_view piece) {
  for (const char c : piece) {
    if (!in_string_) {
      AppendOutsideString(c);
      continue;
    }
    out_->push_back(c);
    in_string_ = is_escaped_ || c != '"';
    is_escaped_ = !is_escaped_ && c == '\\';
  }
}

}  // namespace fhir::json
