#include "fhir/search/types/search_type.h"

#include <algorithm>
#include <utility>

#include "fhir/base/text.h"

namespace fhir::search {
namespace {

constexpr const SearchTypeSpec* kSearchTypes[] = {
    &kTokenType, &kStringType, &kUriType,      &kReferenceType,
    &kDateType,  &kNumberType, &kQuantityType, &kCompositeType,
};

}  // namespace

std::string_view ValueSink::TextOf(const json::Value& value) const {
  if (!edits_.empty() && value.IsString()) {
    const auto edit =
        std::lower_bound(edits_.begin(), edits_.end(), value.Index(),
                         [](const model::Edit& e, std::uint32_t node) { return e.node < node; });
    if (edit != edits_.end() && edit->node == value.Index()) return edit->text;
  }
  return value.StringOrEmpty();
}

const SearchTypeSpec* FindSearchType(SearchType type) {
  for (const SearchTypeSpec* spec : kSearchTypes) {
    if (spec->type == type) return spec;
  }
  return nullptr;
}

Error BadValue(const SearchValue& value, std::string_view problem) {
  return Invalid("parameter '" + std::string(value.name) + "': '" + std::string(value.text) + "' " +
                     std::string(problem),
                 std::string(value.name));
}

void AppendText(std::string* out, std::string_view text) {
  const std::size_t start = out->size();
  out->append(text);
  if (text.find('\0') != std::string_view::npos) {
    std::replace(out->begin() + static_cast<std::ptrdiff_t>(start), out->end(), '\0', '\x01');
  }
}

void AppendShortened(std::string* out, std::string_view text, std::size_t max, std::size_t kept) {
  if (text.size() <= max) return AppendText(out, text);
  AppendText(out, text.substr(0, kept));
  const std::uint64_t hash = HashText(text);
  for (int shift = 60; shift >= 0; shift -= 4) {
    out->push_back("0123456789abcdef"[hash >> shift & 15]);
  }
}

void AppendUrl(std::string* out, std::string_view url) {
  const std::size_t bar = url.find('|');
  AppendShortened(out, url.substr(0, bar), kMaxUrlBytes, kKeptUrlBytes);
  if (bar == std::string_view::npos) return;
  out->push_back('|');
  AppendShortened(out, url.substr(bar + 1), kMaxUrlBytes, kKeptUrlBytes);
}

ValueRange PrefixRange(std::string prefix) {
  ValueRange range;
  range.to = PrefixEnd(prefix);
  range.from = std::move(prefix);
  return range;
}

ValueRange ExactValue(std::string value) {
  ValueRange range;
  range.exact = true;
  range.from = std::move(value);
  return range;
}

}  // namespace fhir::search
