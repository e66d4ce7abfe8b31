// fhir/search/types/words.cc
//
// Words of texts: _text asks the narrative for them, _content the whole resource.
//
//   0x01 | word     folded (FoldText): a run of letters and digits; of one longer than 64 bytes its
//                   first 48, and HashText of it all as 16 hexadecimal digits
//
// The text of a narrative is what a reader sees: without tags, attributes and comments. The text of
// a resource is every string in it but for what names something else (kNames). These bytes are on
// disk.
#include <algorithm>
#include <array>
#include <utility>

#include "fhir/base/text.h"
#include "fhir/search/escape.h"
#include "fhir/search/types/search_type.h"
#include "fhir/search/types/xhtml_text.h"

namespace fhir::search {
namespace {

constexpr char kWordTag = '\x01';
constexpr std::size_t kMaxWordBytes = 64;
constexpr std::size_t kKeptWordBytes = 48;

// Members whose strings are no text: names of systems and resources, and base64.
constexpr std::string_view kNames[] = {"data",      "fullUrl",      "id",     "meta",
                                       "reference", "resourceType", "system", "url"};

void AppendWord(std::string* out, std::string_view word) {
  AppendShortened(out, word, kMaxWordBytes, kKeptWordBytes);
}

void AddWords(std::string_view folded, ValueSink* sink) {
  // Most repetitions are caught here; the rest where the entries are sorted.
  std::array<std::string_view, 128> recent;
  while (true) {
    const std::string_view word = TakeWord(&folded);
    if (word.empty()) return;
    const auto first = static_cast<unsigned char>(word.front());
    const auto last = static_cast<unsigned char>(word.back());
    const std::size_t slot = word.size() + std::size_t{31} * first + std::size_t{7} * last;
    std::string_view& seen = recent[slot % recent.size()];
    if (seen == word) continue;
    seen = word;
    AppendWord(sink->Begin(kWordTag), word);
    sink->Add();
  }
}

void EncodeNarrative(const ElementView& element, ValueSink* sink) {
  const std::string folded = FoldText(TextOfXhtml(element.value.StringOrEmpty()));
  AddWords(folded, sink);
}

// "2020-01-01T10:00:00Z"
bool IsDate(std::string_view text) {
  return text.size() >= 7 && text[4] == '-' &&
         text.find_first_not_of("0123456789-:.+TZ") == std::string_view::npos;
}

void AppendContent(const json::Value& value, std::string* folded) {
  const std::string_view name = value.Name();
  if (std::find(std::begin(kNames), std::end(kNames), name) != std::end(kNames)) return;
  if (value.IsString()) {
    const std::string_view text = value.Text();
    if (IsDate(text)) return;
    folded->append(name == "div" ? FoldText(TextOfXhtml(text)) : FoldText(text)).push_back(' ');
    return;
  }
  if (!value.IsObject() && !value.IsArray()) return;
  for (const json::Value child : value.Children()) AppendContent(child, folded);
}

void EncodeContent(const ElementView& element, ValueSink* sink) {
  std::string folded;
  AppendContent(element.value, &folded);
  AddWords(folded, sink);
}

Encoder EncoderFor(definitions::TypeId type) {
  const definitions::Type& element = definitions::GetType(type);
  if (element.name == "xhtml") return &EncodeNarrative;
  return element.kind == definitions::TypeKind::kResource ? &EncodeContent : nullptr;
}

// R4 lets servers have operators; who uses some expects another answer than that of the words.
bool HasOperators(std::string_view text) {
  if (text.find_first_of("\"()*") != std::string_view::npos) return true;
  std::string padded = " ";
  padded.append(text).push_back(' ');
  return padded.find(" AND ") != std::string::npos || padded.find(" OR ") != std::string::npos ||
         padded.find(" NOT ") != std::string::npos;
}

Result<std::vector<ValueRange>> Parse(const SearchValue& value) {
  const std::string text = Unescape(value.text);
  if (HasOperators(text)) {
    return Fail(NotSupported("parameter '" + std::string(value.name) + "': '" +
                             std::string(value.text) +
                             "': phrases in quotes, parentheses, '*', AND, OR and NOT are not "
                             "supported; words stand for all of them, ',' for any"));
  }
  const std::string folded = FoldText(text);
  std::string_view rest = folded;
  std::vector<ValueRange> ranges;
  while (true) {
    const std::string_view word = TakeWord(&rest);
    if (word.empty()) break;
    std::string bytes(1, kWordTag);
    AppendWord(&bytes, word);
    ranges.push_back(ExactValue(std::move(bytes)));
  }
  if (ranges.empty()) return Fail(BadValue(value, "has no words"));
  return ranges;
}

}  // namespace

const SearchTypeSpec kWordsType = {.name = "words",
                                   .type = SearchType::kString,
                                   .encoder_for = &EncoderFor,
                                   .parse = &Parse,
                                   .modifiers = {},
                                   .sort_tags = {},
                                   .needs_every_range = true};

}  // namespace fhir::search
