// Functions on Strings (FHIRPath 5.6). Positions and lengths are code points.
#include <algorithm>
#include <string>

#include "fhir/path/evaluation.h"
#include "fhir/path/functions/function.h"
#include "fhir/path/regex.h"
#include "fhir/path/unicode.h"

namespace fhir::path {

namespace {

Result<Collection> OneText(const Call& call, std::string text) {
  FHIR_TRY(item, call.GetEvaluation().NewText(std::move(text)));
  return One(std::move(item));
}

// A part of `text`: the same owner, no copy.
Item Part(const Text& text, std::string_view part) {
  return Text{part, text.owner};
}

template <std::size_t (std::string_view::*kFind)(std::string_view, std::size_t) const noexcept,
          std::size_t kFrom>
Result<Collection> IndexBy(const Call& call) {
  FHIR_TRY(text, call.TextInput());
  FHIR_TRY(wanted, call.TextArgument(0));
  if (!text || !wanted) return Collection();
  const std::size_t at = (text->view.*kFind)(wanted->view, kFrom);
  if (at == std::string_view::npos) return One(std::int32_t{-1});
  return One(static_cast<std::int32_t>(CountCodePoints(text->view.substr(0, at))));
}

Result<Collection> Substring(const Call& call) {
  FHIR_TRY(text, call.TextInput());
  FHIR_TRY(start, call.IntegerArgument(0));
  if (!text || !start || *start < 0) return Collection();
  std::string_view rest = text->view;
  rest.remove_prefix(BytesOfCodePoints(rest, static_cast<std::size_t>(*start)));
  if (rest.empty()) return Collection();
  if (call.ArgumentCount() == 2) {
    FHIR_TRY(length, call.IntegerArgument(1));
    if (length) {
      const auto count = static_cast<std::size_t>(std::max(*length, 0));
      rest = rest.substr(0, BytesOfCodePoints(rest, count));
    }
  }
  return One(Part(*text, rest));
}

template <bool (*kTest)(std::string_view, std::string_view)>
Result<Collection> Test(const Call& call) {
  FHIR_TRY(text, call.TextInput());
  FHIR_TRY(other, call.TextArgument(0));
  if (!text || !other) return Collection();
  return One(kTest(text->view, other->view));
}

bool StartsWith(std::string_view text, std::string_view other) {
  return text.starts_with(other);
}
bool EndsWith(std::string_view text, std::string_view other) {
  return text.ends_with(other);
}
bool Contains(std::string_view text, std::string_view other) {
  return text.find(other) != std::string_view::npos;
}

template <std::string (*kMap)(std::string_view)>
Result<Collection> Map(const Call& call) {
  FHIR_TRY(text, call.TextInput());
  return text ? OneText(call, kMap(text->view)) : Collection();
}

// Appends and pays for it at once, so that what cannot be paid is never made.
Result<void> Append(const Call& call, std::string* out, std::string_view part) {
  FHIR_TRY_VOID(call.GetEvaluation().Charge(part.size() / kBytesPerStep));
  out->append(part);
  return {};
}

// 'abc'.replace('', 'x') is 'xaxbxcx'.
Result<Collection> ReplaceBetween(const Call& call, std::string_view text, std::string_view with) {
  std::string out;
  while (!text.empty()) {
    FHIR_TRY_VOID(Append(call, &out, with));
    const std::size_t size = BytesOfCodePoints(text, 1);
    FHIR_TRY_VOID(Append(call, &out, text.substr(0, size)));
    text.remove_prefix(size);
  }
  FHIR_TRY_VOID(Append(call, &out, with));
  return OneText(call, std::move(out));
}

Result<Collection> Replace(const Call& call) {
  FHIR_TRY(text, call.TextInput());
  FHIR_TRY(pattern, call.TextArgument(0));
  FHIR_TRY(with, call.TextArgument(1));
  if (!text || !pattern || !with) return Collection();
  if (pattern->view.empty()) return ReplaceBetween(call, text->view, with->view);
  std::string out;
  std::size_t at = 0;
  for (;;) {
    const std::size_t found = text->view.find(pattern->view, at);
    FHIR_TRY_VOID(Append(call, &out, text->view.substr(at, found - at)));
    if (found == std::string_view::npos) return OneText(call, std::move(out));
    FHIR_TRY_VOID(Append(call, &out, with->view));
    at = found + pattern->view.size();
  }
}

template <bool (Regex::*kMatch)(std::string_view) const>
Result<Collection> Matches(const Call& call) {
  FHIR_TRY(text, call.TextInput());
  FHIR_TRY(pattern, call.TextArgument(0));
  if (!text || !pattern) return Collection();
  FHIR_TRY(regex, call.GetEvaluation().FindRegex(pattern->view));
  FHIR_TRY_VOID(call.GetEvaluation().Charge(text->view.size() * regex->Cost() / kBytesPerStep));
  return One((regex->*kMatch)(text->view));
}

Result<Collection> ReplaceMatches(const Call& call) {
  FHIR_TRY(text, call.TextInput());
  FHIR_TRY(pattern, call.TextArgument(0));
  FHIR_TRY(with, call.TextArgument(1));
  if (!text || !pattern || !with) return Collection();
  FHIR_TRY(regex, call.GetEvaluation().FindRegex(pattern->view));
  FHIR_TRY_VOID(call.GetEvaluation().Charge(text->view.size() * regex->Cost() / kBytesPerStep));
  Budget* budget = call.GetEvaluation().GetBudget();
  std::string out = regex->Replace(text->view, with->view, [budget](std::size_t bytes) {
    return budget->Spend(1 + bytes / kBytesPerStep);
  });
  FHIR_TRY_VOID(call.GetEvaluation().Charge(0));
  return OneText(call, std::move(out));
}

Result<Collection> Length(const Call& call) {
  FHIR_TRY(text, call.TextInput());
  if (!text) return Collection();
  return One(static_cast<std::int32_t>(CountCodePoints(text->view)));
}

Result<Collection> ToChars(const Call& call) {
  FHIR_TRY(text, call.TextInput());
  Collection characters;
  if (!text) return characters;
  std::string_view rest = text->view;
  while (!rest.empty()) {
    FHIR_TRY_VOID(call.GetEvaluation().Charge(1));
    const std::size_t size = BytesOfCodePoints(rest, 1);
    characters.push_back(Part(*text, rest.substr(0, size)));
    rest.remove_prefix(size);
  }
  return characters;
}

Result<Collection> TrimEnds(const Call& call) {
  FHIR_TRY(text, call.TextInput());
  return text ? One(Part(*text, Trim(text->view))) : Collection();
}

Result<Collection> Split(const Call& call) {
  FHIR_TRY(text, call.TextInput());
  FHIR_TRY(separator, call.TextArgument(0));
  if (!text) return Collection();
  if (!separator || separator->view.empty()) return One(*text);
  Collection parts;
  std::string_view rest = text->view;
  for (;;) {
    FHIR_TRY_VOID(call.GetEvaluation().Charge(1));
    const std::size_t end = rest.find(separator->view);
    parts.push_back(Part(*text, rest.substr(0, end)));
    if (end == std::string_view::npos) return parts;
    rest.remove_prefix(end + separator->view.size());
  }
}

Result<Collection> Join(const Call& call) {
  Text separator;
  if (call.ArgumentCount() == 1) {
    FHIR_TRY(argument, call.TextArgument(0));
    separator = argument.value_or(Text());
  }
  if (call.Input().empty()) return Collection();
  std::string out;
  bool first = true;
  for (const Item& item : call.Input()) {
    const auto value = ToSystemValue(item);
    const auto* text = value ? std::get_if<Text>(&*value) : nullptr;
    if (text == nullptr) return call.FailHere("every item must be a String");
    if (!first) FHIR_TRY_VOID(Append(call, &out, separator.view));
    first = false;
    FHIR_TRY_VOID(Append(call, &out, text->view));
  }
  return OneText(call, std::move(out));
}

constexpr FunctionSpec kFunctions[] = {
    {"indexOf", 1, 1, &IndexBy<&std::string_view::find, 0>},
    {"lastIndexOf", 1, 1, &IndexBy<&std::string_view::rfind, std::string_view::npos>},
    {"substring", 1, 2, &Substring},
    {"startsWith", 1, 1, &Test<&StartsWith>},
    {"endsWith", 1, 1, &Test<&EndsWith>},
    {"contains", 1, 1, &Test<&Contains>},
    {"upper", 0, 0, &Map<&ToUpper>},
    {"lower", 0, 0, &Map<&ToLower>},
    {"replace", 2, 2, &Replace},
    {"matches", 1, 1, &Matches<&Regex::MatchesPart>},
    {"matchesFull", 1, 1, &Matches<&Regex::MatchesAll>},
    {"replaceMatches", 2, 2, &ReplaceMatches},
    {"length", 0, 0, &Length},
    {"toChars", 0, 0, &ToChars},
    {"trim", 0, 0, &TrimEnds},
    {"split", 1, 1, &Split},
    {"join", 0, 1, &Join},
};

}  // namespace

std::span<const FunctionSpec> StringFunctions() {
  return kFunctions;
}

}  // namespace fhir::path
