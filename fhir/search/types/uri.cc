// fhir/search/types/uri.cc
//
// URIs, compared whole and byte by byte.
//
//   0x01 | uri | 0x00      long ones are shortened (AppendUrl)
//
// A canonical's version belongs to the text (url|1.0); a search without version matches any. :below
// and :above go by path segments: http://a/b is below http://a, and http://ab is not. These bytes
// are on disk.
#include <algorithm>
#include <utility>

#include "fhir/search/escape.h"
#include "fhir/search/types/search_type.h"

namespace fhir::search {
namespace {

constexpr char kUriTag = '\x01';
// Each segment repeats the search value; nobody nests so deep.
constexpr std::ptrdiff_t kMaxSegmentsAbove = 64;

void Encode(const ElementView& element, ValueSink* sink) {
  const std::string_view text = sink->TextOf(element.value);
  if (text.empty()) return;
  std::string* out = sink->Begin(kUriTag);
  AppendUrl(out, text);
  out->push_back('\0');
  sink->Add();
}

Encoder EncoderFor(definitions::TypeId type) {
  const std::string_view name = definitions::GetType(type).name;
  const bool is_uri =
      name == "uri" || name == "url" || name == "canonical" || name == "oid" || name == "uuid";
  return is_uri ? &Encode : nullptr;
}

std::string Tagged(std::string_view uri, std::string_view tail) {
  std::string bytes(1, kUriTag);
  AppendUrl(&bytes, uri);
  bytes.append(tail);
  return bytes;
}

// The uri itself, in whatever version.
void AddWhole(std::string_view uri, std::vector<ValueRange>* ranges) {
  ranges->push_back(ExactValue(Tagged(uri, {"\0", 1})));
  if (uri.find('|') == std::string_view::npos) ranges->push_back(PrefixRange(Tagged(uri, "|")));
}

std::vector<ValueRange> Below(std::string_view uri) {
  std::vector<ValueRange> ranges;
  if (uri.ends_with('/')) {
    ranges.push_back(PrefixRange(Tagged(uri, {})));
    return ranges;
  }
  AddWhole(uri, &ranges);
  for (const std::string_view next : {"/", "?", "#"}) {
    ranges.push_back(PrefixRange(Tagged(uri, next)));
  }
  return ranges;
}

std::vector<ValueRange> Above(std::string_view uri) {
  std::vector<ValueRange> ranges;
  AddWhole(uri, &ranges);
  const std::size_t scheme = uri.find("://");
  const std::size_t first = scheme == std::string_view::npos ? 0 : scheme + 3;
  std::size_t slash = uri.rfind('/');
  while (slash != std::string_view::npos && slash >= first && slash > 0) {
    AddWhole(uri.substr(0, slash + 1), &ranges);
    AddWhole(uri.substr(0, slash), &ranges);
    slash = uri.rfind('/', slash - 1);
  }
  return ranges;
}

Result<std::vector<ValueRange>> Parse(const SearchValue& value) {
  const std::string uri = Unescape(value.text);
  // Of a long uri no more than its beginning is kept.
  if (!value.modifier.empty() && uri.size() >= kKeptUrlBytes) {
    return Fail(BadValue(value, "is too long for a modifier"));
  }
  // R4 3.1.1.4.9: these modifiers "only apply to URLs, and not URNs such as OIDs".
  if (!value.modifier.empty() && uri.starts_with("urn:")) {
    return Fail(BadValue(value, "is a URN, and modifiers of uris go by the segments of URLs"));
  }
  if (value.modifier == "below") return Below(uri);
  if (value.modifier == "above") {
    if (std::count(uri.begin(), uri.end(), '/') > kMaxSegmentsAbove) {
      return Fail(BadValue(value, "has too many segments for :above"));
    }
    return Above(uri);
  }
  std::vector<ValueRange> ranges;
  AddWhole(uri, &ranges);
  return ranges;
}

// eq and ne, in whatever version.
Result<std::vector<ValueRange>> Compare(FilterOperator op, const SearchValue& value) {
  if (op == FilterOperator::kEq) return Parse(value);
  const std::string uri = Unescape(value.text);
  const std::string whole = Tagged(uri, {"\0", 1});
  const std::string versions = Tagged(uri, "|");
  const bool has_version = uri.find('|') != std::string::npos;
  std::vector<ValueRange> ranges(3);
  ranges[0].from = std::string(1, kUriTag);
  ranges[0].to = whole;
  ranges[1].from = whole + '\0';
  ranges[1].to = versions;
  ranges[2].from = PrefixEnd(versions);
  ranges[2].to = std::string(1, kUriTag + 1);
  if (has_version) {
    ranges[1].to = ranges[2].to;
    ranges.pop_back();
  }
  return ranges;
}

constexpr std::string_view kModifiers[] = {"below", "above"};
constexpr FilterOperator kOperators[] = {FilterOperator::kEq, FilterOperator::kNe};

}  // namespace

const SearchTypeSpec kUriType = {.name = "uri",
                                 .type = SearchType::kUri,
                                 .encoder_for = &EncoderFor,
                                 .parse = &Parse,
                                 .modifiers = kModifiers,
                                 .sort_tags = "\x01",
                                 .operators = kOperators,
                                 .compare = &Compare};

}  // namespace fhir::search
