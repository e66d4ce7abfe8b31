// tests/reference/naive_texts.cc -- what :text, :of-type and _text compare.
#include "fhir/base/text.h"
#include "tests/reference/naive_quantity.h"
#include "tests/reference/naive_search.h"

namespace reference {

using fhir::json::Value;

std::vector<std::string> TokenTexts(const fhir::json::Value& v) {
  std::vector<std::string> texts;
  if (!v.IsObject()) return texts;
  const auto add = [&](const fhir::json::Value& object, std::string_view member) {
    const std::string_view text = object.Find(member).StringOrEmpty();
    if (!text.empty()) texts.emplace_back(text);
  };
  if (!v.Find("value").IsNone()) {
    add(v.Find("type"), "text");
    return texts;
  }
  add(v, "display");
  add(v, "text");
  if (const fhir::json::Value codings = v.Find("coding"); codings.IsArray()) {
    for (const fhir::json::Value coding : codings.Children()) add(coding, "display");
  }
  return texts;
}

std::vector<std::string> TypedIdentifiers(const Value& v) {
  std::vector<std::string> typed;
  if (!v.IsObject()) return typed;
  const Value codings = v.Find("type").Find("coding");
  if (!codings.IsArray() || v.Find("value").IsNone()) return typed;
  for (const Value coding : codings.Children()) {
    typed.push_back(Text(coding, "system") + "|" + Text(coding, "code") + "|" + Text(v, "value"));
  }
  return typed;
}

std::set<std::string> WordsOf(const Value& resource) {
  const std::string_view div = resource.Find("text").Find("div").StringOrEmpty();
  std::string text;
  bool in_tag = false;
  for (const char c : div) {
    if (c == '<') in_tag = true;
    if (!in_tag) text += c;
    if (c != '>') continue;
    in_tag = false;
    text += ' ';
  }
  std::set<std::string> words;
  const std::string folded = fhir::FoldText(text);
  std::string_view rest = folded;
  for (std::string_view word = fhir::TakeWord(&rest); !word.empty(); word = fhir::TakeWord(&rest)) {
    words.emplace(word);
  }
  return words;
}

}  // namespace reference
